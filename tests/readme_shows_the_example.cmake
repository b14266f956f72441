# The C++ block of the README is the example that the consumer test compiles, letter for letter.
file(READ ${README} readme)
file(READ ${EXAMPLE} example)
string(FIND "${readme}" "```cpp\n${example}```" place)
if(place EQUAL -1)
  message(FATAL_ERROR "the C++ example in ${README} differs from ${EXAMPLE}; copy the file into the block")
endif()
