# Compiles the run-time and its example as an engine would, with all warnings as errors, and runs it on a small model.
#   COMPILER and FLAGS (separated by spaces): e.g. cc "-std=c99"; SOURCE: root of the sources; WORK: a scratch folder;
#   RUNNER: empty, or a program to run it under, with its arguments
separate_arguments(FLAGS)
separate_arguments(RUNNER)
file(MAKE_DIRECTORY ${WORK})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed (${result}): ${command}\n${output}${errors}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${COMPILER} ${FLAGS} -Wall -Wextra -pedantic -Werror -I${SOURCE}/runtime
    ${SOURCE}/runtime/sinew_runtime.c ${SOURCE}/runtime/example.c -o ${WORK}/example -lm)
run(${RUNNER} ${WORK}/example ${SOURCE}/fuzz/surface_model_seeds/tube_rig.sinew)
message("${output}")
# What stays behind: something, less than the tube is long, and the same motion for any compiler.
if(NOT output MATCHES "after 1\\.000 s and (59|60) steps: flesh is up to (0\\.[0-9]+) m from the rig")
  message(FATAL_ERROR "the example says something else:\n${output}")
endif()
if(CMAKE_MATCH_2 LESS 0.01 OR CMAKE_MATCH_2 GREATER 0.9)
  message(FATAL_ERROR "the flesh is ${CMAKE_MATCH_2} m from the rig")
endif()

# A file that is damaged is refused with a sentence.
run(${CMAKE_COMMAND} -E copy ${SOURCE}/runtime/example.c ${WORK}/no_model.sinew)
execute_process(COMMAND ${RUNNER} ${WORK}/example ${WORK}/no_model.sinew RESULT_VARIABLE result ERROR_VARIABLE errors)
if(NOT result EQUAL 1 OR NOT errors MATCHES "is not a Sinew surface model")
  message(FATAL_ERROR "a file that is no model gave ${result}: ${errors}")
endif()
