# ScopeLibrary.cmake - how every library of the project is built and installed.
# SPDX-License-Identifier: MIT

include(CheckCCompilerFlag)

# What each of our targets is compiled with; no global flags.
add_library(scope_build INTERFACE)
target_compile_features(scope_build INTERFACE c_std_11 cxx_std_17)
target_compile_options(scope_build INTERFACE
  $<$<COMPILE_LANGUAGE:C,CXX>:-Wall -Wextra -fvisibility=hidden>
  $<$<AND:$<BOOL:${SCOPE_WERROR}>,$<COMPILE_LANGUAGE:C,CXX>>:-Werror>)
target_compile_definitions(scope_build INTERFACE $<$<COMPILE_LANGUAGE:C,CXX>:_GNU_SOURCE>)
if(SCOPE_SANITIZE)
  target_compile_options(scope_build INTERFACE
    $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${SCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined -g>)
  target_link_options(scope_build INTERFACE -fsanitize=${SCOPE_SANITIZE})
endif()

# scope_add_library(<target> <alias> [STATIC|MODULE] SOURCES ... [HEADERS ...] [COMPONENT c])
#
# SHARED by default, soname 0, installed to lib/ with its export. MODULE: a
# plug-in, installed to lib/scope/. STATIC: a part of other libraries, compiled
# as position-independent code with hidden symbols, not installed.
function(scope_add_library target alias)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "STATIC;MODULE" "COMPONENT" "SOURCES;HEADERS")
  set(kind SHARED)
  if(ARG_STATIC)
    set(kind STATIC)
  elseif(ARG_MODULE)
    set(kind MODULE)
  endif()
  add_library(${target} ${kind} ${ARG_SOURCES})
  add_library(scope::${alias} ALIAS ${target})
  target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:scope_build>)
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON EXPORT_NAME ${alias}
    C_VISIBILITY_PRESET hidden)
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/include)
    target_include_directories(${target} PUBLIC
      $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  endif()
  if(kind STREQUAL SHARED)
    set_target_properties(${target} PROPERTIES SOVERSION 0 INSTALL_RPATH "$ORIGIN")
    if(NOT SKBUILD) # a wheel has copies where we have symbolic links
      set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION})
    endif()
    install(TARGETS ${target} EXPORT scope-${ARG_COMPONENT} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  elseif(kind STREQUAL MODULE)
    set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/..")
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/scope)
  endif()
  if(ARG_HEADERS)
    list(TRANSFORM ARG_HEADERS PREPEND include/)
    install(FILES ${ARG_HEADERS} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/scope)
  endif()
endfunction()
