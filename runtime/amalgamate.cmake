# Writes runtime/sinew_runtime.c from its parts: parts/runtime.c, each of its parts in place of the line that includes it.
#   cmake -P runtime/amalgamate.cmake               # after a change of parts
#   cmake -D CHECK=ON -P runtime/amalgamate.cmake   # fails where what ships is something else
cmake_minimum_required(VERSION 3.25)
set(parts ${CMAKE_CURRENT_LIST_DIR}/parts)
set(shipped ${CMAKE_CURRENT_LIST_DIR}/sinew_runtime.c)

file(READ ${parts}/runtime.c source)
file(GLOB headers RELATIVE ${parts} ${parts}/*.h)
foreach(header ${headers})
  file(READ ${parts}/${header} part)
  string(FIND "${source}" "\n#include \"${header}\"\n" place)
  if(place EQUAL -1)
    message(FATAL_ERROR "runtime/parts/runtime.c does not include ${header}; include it, or remove the file.")
  endif()
  string(REPLACE "\n#include \"${header}\"\n" "\n${part}" source "${source}")
endforeach()

if(NOT CHECK)
  file(WRITE ${shipped} "${source}")
  return()
endif()
file(READ ${shipped} what_ships)
if(NOT what_ships STREQUAL source)
  message(FATAL_ERROR "runtime/sinew_runtime.c is not what its parts make; run: cmake -P runtime/amalgamate.cmake")
endif()
