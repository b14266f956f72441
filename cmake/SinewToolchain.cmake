# Warnings, sanitizers, linker and compiler cache: everything that is about how, not what, is compiled.

set(SINEW_SANITIZE "" CACHE STRING "Comma separated sanitizers, e.g. address,undefined")

# Precompiled headers carry time stamps and definitions that do not change what is compiled.
find_program(SINEW_CCACHE ccache)
if(SINEW_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${SINEW_CCACHE})
endif()

find_program(SINEW_MOLD mold)
if(SINEW_MOLD AND NOT CMAKE_CROSSCOMPILING)
  add_link_options(-fuse-ld=mold)
endif()

# -ffp-contract=off: the same source gives the same bits in scalar and vector code and under
# both compilers' default settings; kernels that want fused operations ask for them by name.
add_compile_options(-ffp-contract=off)

if(SINEW_SANITIZE)
  add_compile_options(-fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${SINEW_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND SINEW_SANITIZE MATCHES "undefined")
    add_compile_options(-fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/sanitizer_ignored.txt)
  endif()
endif()
if(SINEW_BUILD_FUZZERS)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SINEW_BUILD_FUZZERS needs clang: use the preset asan")
  endif()
  # The library tells the fuzzer which branches it took.
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

# Applied to the project's own targets only (see sinew_own_target).
function(sinew_own_target target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wconversion
    # g++ 12 raises these two falsely out of inlined standard containers; the sanitizers look for the real ones.
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-stringop-overflow>
    # Of sources that are compiled together g++ takes all but the first for headers.
    $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<BOOL:${SINEW_UNITY}>>:-Wno-subobject-linkage>)
  if(SINEW_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

option(SINEW_UNITY "Compile the sources of a folder together: the fastest way to build everything once" ON)

# Sources of one folder share most of their headers, and reading those is half of compiling them. So names in unnamed
# namespaces are unique within a folder. Vector kernels stay alone: Highway compiles each of them once for every
# instruction set (foreach_target).
function(sinew_compile_together target)
  if(NOT SINEW_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(most 12)   # sources in a group: more keep one core waiting for another at the end
  foreach(source ${ARGN})
    file(STRINGS ${source} alone REGEX "hwy/foreach_target" LIMIT_COUNT 1)
    if(alone)
      continue()
    endif()
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(MAKE_C_IDENTIFIER ${folder} folder)
    math(EXPR ${folder}_count "${${folder}_count} + 1")
    math(EXPR group "(${${folder}_count} - 1) / ${most}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
  endforeach()
endfunction()

# What only sets out what the libraries work on compiles faster than it would run faster.
function(sinew_compile_quickly target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()
