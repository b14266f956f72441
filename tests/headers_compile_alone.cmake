# Every public header of one module, or of studies/, compiles with nothing included before it and with no library's
# headers but the standard ones. Headers that end in _inl.h or -inl.h are parts of sources.
file(GLOB_RECURSE headers ${SOURCE}/${FOLDER}/*.h)
list(FILTER headers EXCLUDE REGEX "[-_]inl\\.h$")
set(failed 0)
foreach(header ${headers})
  execute_process(
    COMMAND ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Wshadow -Wconversion -Werror -Wno-pragma-once-outside-header
            -I${SOURCE} -x c++ -include ${header} /dev/null
    RESULT_VARIABLE result ERROR_VARIABLE message)
  if(NOT result EQUAL 0)
    math(EXPR failed "${failed} + 1")
    message("${header} does not compile alone:\n${message}")
  endif()
endforeach()
list(LENGTH headers count)
if(failed GREATER 0)
  message(FATAL_ERROR "${failed} of ${count} headers of ${FOLDER} do not compile alone")
endif()
message("${count} headers of ${FOLDER} compile alone")
