# Installs the build to a scratch prefix, then configures, builds and runs this folder's project
# against the installed files alone.
set(scratch ${BUILD}/consumer)
file(REMOVE_RECURSE ${scratch})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed (${result}): ${command}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${scratch}/prefix)
run(${CMAKE_COMMAND} -G Ninja -S ${SOURCE} -B ${scratch}/build
  -D CMAKE_PREFIX_PATH=${scratch}/prefix -D CMAKE_BUILD_TYPE=${BUILD_TYPE} -D CMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${scratch}/build)
run(${scratch}/build/consumer)
run(${scratch}/build/readme_example ${CHARACTER} ${scratch}/filmstrip.png)
if(NOT EXISTS ${scratch}/filmstrip.png)
  message(FATAL_ERROR "the README's example wrote no filmstrip")
endif()
run(${scratch}/prefix/bin/sinew --help)
