# Warnings, sanitizers, linker and compiler cache: everything that is about how, not what, is compiled.

set(SINEW_SANITIZE "" CACHE STRING "Comma separated sanitizers, e.g. address,undefined")

find_program(SINEW_CCACHE ccache)
if(SINEW_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${SINEW_CCACHE})
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
    $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds -Wno-stringop-overflow>)
  if(SINEW_WARNINGS_AS_ERRORS)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
