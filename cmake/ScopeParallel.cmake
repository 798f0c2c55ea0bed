# ScopeParallel.cmake - writers with a parallel HDF5, one per MPI family that has one.
# SPDX-License-Identifier: MIT
#
# pkg-config knows Debian's (hdf5-openmpi, hdf5-mpich). Another one is named by
# -DSCOPE_HDF5_OMPI_ROOT=... (_MPICH_), with the compiler wrapper of its MPI in
# -DSCOPE_HDF5_OMPI_MPICC=... where that is not mpicc.openmpi (mpicc.mpich) or mpicc.
set(SCOPE_HDF5_OMPI_ROOT "" CACHE PATH "a parallel HDF5 of Open MPI; empty: ask pkg-config")
set(SCOPE_HDF5_MPICH_ROOT "" CACHE PATH "a parallel HDF5 of MPICH; empty: ask pkg-config")
set(SCOPE_HDF5_PARALLEL_FOUND "" CACHE INTERNAL "families with such a writer")

# Compile and link flags of `wrapper` that matter: where things are.
function(scope_parallel_wrapper target wrapper)
  execute_process(COMMAND ${wrapper} -show OUTPUT_VARIABLE answer ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(words UNIX_COMMAND "${answer}")
  foreach(word IN LISTS words)
    if(word MATCHES "^-I(.+)")
      target_include_directories(${target} SYSTEM INTERFACE ${CMAKE_MATCH_1})
    elseif(word MATCHES "^-(L|l|Wl,-rpath)")
      target_link_options(${target} INTERFACE $<$<BOOL:${CMAKE_MATCH_1}>:${word}>)
    endif()
  endforeach()
endfunction()

# An INTERFACE library with the parallel HDF5 of a family, if there is one.
function(scope_parallel_hdf5 target family package wrappers)
  string(TOUPPER ${family} FAMILY)
  if(SCOPE_HDF5_${FAMILY}_ROOT)
    find_program(SCOPE_HDF5_${FAMILY}_MPICC NAMES ${wrappers})
    find_library(SCOPE_HDF5_${FAMILY}_LIBRARY NAMES hdf5 PATHS ${SCOPE_HDF5_${FAMILY}_ROOT}
      PATH_SUFFIXES lib lib64 NO_DEFAULT_PATH REQUIRED)
    add_library(${target} INTERFACE)
    target_include_directories(${target} SYSTEM INTERFACE ${SCOPE_HDF5_${FAMILY}_ROOT}/include)
    target_link_libraries(${target} INTERFACE ${SCOPE_HDF5_${FAMILY}_LIBRARY})
    scope_parallel_wrapper(${target} ${SCOPE_HDF5_${FAMILY}_MPICC})
    return()
  endif()
  pkg_check_modules(SCOPE_HDF5_${FAMILY} QUIET IMPORTED_TARGET ${package})
  if(SCOPE_HDF5_${FAMILY}_FOUND)
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE PkgConfig::SCOPE_HDF5_${FAMILY})
  endif()
endfunction()

function(scope_add_parallel_writer family package wrappers)
  set(dependency scope_hdf5_${family}_dependency)
  scope_parallel_hdf5(${dependency} ${family} ${package} "${wrappers}")
  if(NOT TARGET ${dependency} OR (SCOPE_MPI_FAMILIES AND NOT family IN_LIST SCOPE_MPI_FAMILIES))
    return()
  endif()
  set(writer scope_hdf5_writer_${family})
  scope_add_library(${writer} hdf5_writer_${family} MODULE COMPONENT hdf5
    SOURCES src/file_parallel.c src/held_errors.c ${SCOPE_HDF5_WRITING} $<TARGET_OBJECTS:scope_status>)
  target_include_directories(${writer} PRIVATE src ${SCOPE_HDF5_INCLUDES})
  target_compile_definitions(${writer} PRIVATE H5_USE_110_API)
  target_link_options(${writer} PRIVATE LINKER:--as-needed) # of all that an MPI names, what is used
  target_link_libraries(${writer} PRIVATE scope_analysis ${dependency} ZLIB::ZLIB ${CMAKE_DL_LIBS})
  scope_export_only(${writer} scope_hdf5_parallel.map)
  set(SCOPE_HDF5_PARALLEL_FOUND "${SCOPE_HDF5_PARALLEL_FOUND};${family}" CACHE INTERNAL "")
endfunction()

if(SCOPE_HDF5_PARALLEL AND SCOPE_MPI AND NOT SKBUILD)
  scope_add_parallel_writer(ompi hdf5-openmpi "mpicc.openmpi;mpicc")
  scope_add_parallel_writer(mpich hdf5-mpich "mpicc.mpich;mpicc")
endif()
