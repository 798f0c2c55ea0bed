# ScopePackage.cmake - what a build against the install needs: find_package(scope) and pkg-config.
# SPDX-License-Identifier: MIT

include(CMakePackageConfigHelpers)
set(SCOPE_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/scope)

# ---- CMake: one file of targets per component that was built

set(SCOPE_COMPONENTS "")
# SCOPE_MPI_FOUND and SCOPE_MPI_DEFAULT are set by mpi/, whose targets are scope_mpi_<family>.
set(SCOPE_PACKAGE_FAMILIES "")
set(SCOPE_PACKAGE_DEFAULT_FAMILY "")
if(SCOPE_MPI AND SCOPE_MPI_FOUND)
  set(SCOPE_PACKAGE_FAMILIES ${SCOPE_MPI_FOUND})
  set(SCOPE_PACKAGE_DEFAULT_FAMILY ${SCOPE_MPI_DEFAULT})
endif()
foreach(family ${SCOPE_PACKAGE_FAMILIES})
  set_target_properties(scope_mpi_${family} PROPERTIES EXPORT_NAME mpi_${family})
endforeach()
string(REGEX MATCH "^[0-9]+" SCOPE_FORTRAN_COMPILER "${CMAKE_Fortran_COMPILER_VERSION}")
set(SCOPE_FORTRAN_COMPILER "${CMAKE_Fortran_COMPILER_ID} ${SCOPE_FORTRAN_COMPILER}")
foreach(pair runtime=scope mpi=scope_mpi_${SCOPE_PACKAGE_DEFAULT_FAMILY} fortran=scope_fortran hdf5=scope_hdf5)
  string(REPLACE "=" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 target)
  if(TARGET ${target})
    list(APPEND SCOPE_COMPONENTS ${component})
    install(EXPORT scope-${component} NAMESPACE scope:: DESTINATION ${SCOPE_CMAKE_DIR}
      FILE scope-${component}-targets.cmake)
  endif()
endforeach()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/scope-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/scope-config.cmake
  INSTALL_DESTINATION ${SCOPE_CMAKE_DIR} PATH_VARS CMAKE_INSTALL_DATADIR
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/scope-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/scope-config.cmake
  ${PROJECT_BINARY_DIR}/package/scope-config-version.cmake DESTINATION ${SCOPE_CMAKE_DIR})

# ---- pkg-config: everything relative to the folder of the .pc file, so a prefix can be moved

# scope_pkgconfig(<name> TARGET t DESCRIPTION text LIBS -l... [REQUIRES ...] [VARIABLES line])
function(scope_pkgconfig name)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "TARGET;DESCRIPTION;REQUIRES;LIBS;VARIABLES" "")
  if(NOT TARGET ${ARG_TARGET})
    return()
  endif()
  file(RELATIVE_PATH to_prefix /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
  string(REGEX REPLACE "/$" "" to_prefix ${to_prefix})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/scope.pc.in ${PROJECT_BINARY_DIR}/package/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

scope_pkgconfig(scope TARGET scope LIBS "-lscope"
  DESCRIPTION "Profiling runtime: regions, threads and tasks of C and C++ programs")
scope_pkgconfig(scope-fortran TARGET scope_fortran REQUIRES scope LIBS "-lscope_fortran"
  VARIABLES "fortran_source=\${prefix}/${CMAKE_INSTALL_DATADIR}/scope/fortran/scope.f90\n"
  DESCRIPTION "The Fortran module scope of the profiling runtime")
scope_pkgconfig(scope-hdf5 TARGET scope_hdf5 LIBS "-lscope_hdf5"
  DESCRIPTION "Read and write the HDF5 files of the profiling runtime")
# --no-as-needed: nobody calls libscope_mpi by name, so a linker would drop it.
foreach(family ${SCOPE_PACKAGE_FAMILIES})
  scope_pkgconfig(scope-mpi-${family} TARGET scope_mpi_${family} REQUIRES scope
    LIBS "-Wl,--push-state,--no-as-needed -lscope_mpi_${family} -Wl,--pop-state"
    DESCRIPTION "MPI calls recorded by the profiling runtime (${family}); before -lmpi")
endforeach()
if(SCOPE_PACKAGE_FAMILIES)
  scope_pkgconfig(scope-mpi TARGET scope_mpi_${SCOPE_PACKAGE_DEFAULT_FAMILY} REQUIRES scope
    LIBS "-Wl,--push-state,--no-as-needed -lscope_mpi -Wl,--pop-state"
    DESCRIPTION "MPI calls recorded by the profiling runtime; before -lmpi")
endif()
