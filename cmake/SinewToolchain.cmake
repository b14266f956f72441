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

# A tenth of the time of g++ goes into looking for memory to free. Without that each compiler takes up to 2 GB.
cmake_host_system_information(RESULT memory_in_mb QUERY TOTAL_PHYSICAL_MEMORY)
cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR mb_per_core "${memory_in_mb} / ${cores}")
set(roomy OFF)
if(mb_per_core GREATER 3000)
  set(roomy ON)
endif()
option(SINEW_ROOMY_COMPILER "Let g++ keep memory that it could free: on where there are 3 GB for each core" ${roomy})
if(SINEW_ROOMY_COMPILER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-heapsize=1048576)
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

# The project's own targets.
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

# Sources of a folder in groups of so many at most, each compiled as one. With FOLDERS_TOGETHER the folders of a target count
# as one: for folders of few sources that all read the same large headers. Names in unnamed namespaces are unique within
# what counts as a folder.
function(sinew_compile_together target most)
  if(NOT SINEW_UNITY)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 2 "" FOLDERS_TOGETHER "" "")
  if(_FOLDERS_TOGETHER)
    target_compile_options(${target} PRIVATE -Wno-shadow)   # names of one folder are no outer scope of another's
  endif()
  foreach(source ${_UNPARSED_ARGUMENTS})
    set(folder ${target})
    if(NOT _FOLDERS_TOGETHER)
      get_filename_component(folder ${source} DIRECTORY)
      file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    math(EXPR ${folder}_count "${${folder}_count} + 1")
    math(EXPR group "(${${folder}_count} - 1) / ${most}")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# A module's sources, compiled as fast as they can be.
#   - Sources of one folder share most of their headers, and reading those is half of compiling them: they compile
#     together. So names in unnamed namespaces are unique within a folder.
#   - The standard library is read once for all modules. The sanitized builds read it in every source, which shows an
#     include that is missing.
#   - Vector kernels stay alone: Highway compiles each of them once for every instruction set (foreach_target).
function(sinew_compile_module target)
  set(together)
  cmake_parse_arguments(PARSE_ARGV 1 "" FOLDERS_TOGETHER "" "")
  foreach(source ${_UNPARSED_ARGUMENTS})
    file(STRINGS ${source} kernel REGEX "hwy/foreach_target" LIMIT_COUNT 1)
    if(kernel)
      set_source_files_properties(${source} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    else()
      list(APPEND together ${source})
    endif()
  endforeach()
  if(_FOLDERS_TOGETHER)
    list(APPEND together FOLDERS_TOGETHER)
  endif()
  sinew_compile_together(${target} 24 ${together})   # more keep one core waiting for another at the end
  get_target_property(type ${target} TYPE)
  if(NOT SINEW_SANITIZE AND NOT type STREQUAL "EXECUTABLE")   # whose code is placed otherwise
    if(NOT TARGET sinew_module_headers)
      add_library(sinew_module_headers OBJECT EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/module_headers.cpp)
      target_compile_features(sinew_module_headers PRIVATE cxx_std_20)
      sinew_own_target(sinew_module_headers)
      target_precompile_headers(sinew_module_headers PRIVATE ${PROJECT_SOURCE_DIR}/cmake/module_headers.h)
    endif()
    target_precompile_headers(${target} REUSE_FROM sinew_module_headers)
  endif()
endfunction()

# What only sets out what the libraries work on compiles faster than it would run faster.
function(sinew_compile_quickly target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# Tests run once: compiling them takes longer than they do.
function(sinew_compile_test target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -Og)
  endif()
endfunction()
