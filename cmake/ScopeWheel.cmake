# ScopeWheel.cmake - in a wheel (pip): optional parts follow from what the machine has,
# unless the user says, as in `pip install . -C cmake.define.SCOPE_MPI=OFF`.
# SPDX-License-Identifier: MIT
find_package(PkgConfig QUIET)
find_program(SCOPE_WHEEL_MPICC NAMES mpicc mpicc.openmpi mpicc.mpich mpicc_abi)
mark_as_advanced(SCOPE_WHEEL_MPICC)
if(NOT DEFINED SCOPE_MPI AND NOT SCOPE_WHEEL_MPICC)
  set(SCOPE_MPI OFF)
endif()
if(NOT DEFINED SCOPE_HWLOC)
  set(SCOPE_HWLOC OFF)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(SCOPE_WHEEL_HWLOC QUIET hwloc>=2.0)
    if(SCOPE_WHEEL_HWLOC_FOUND)
      set(SCOPE_HWLOC ON)
    endif()
  endif()
endif()
