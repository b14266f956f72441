# Builds and runs samples/host, a project by itself, against what install_build_run.cmake installed.
set(scratch ${BUILD}/consumer)

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result)
  if(NOT result EQUAL 0)
    list(JOIN ARGV " " command)
    message(FATAL_ERROR "failed (${result}): ${command}")
  endif()
endfunction()

run(${CMAKE_COMMAND} -G Ninja -S ${HOST} -B ${scratch}/host
  -D CMAKE_PREFIX_PATH=${scratch}/prefix -D CMAKE_BUILD_TYPE=${BUILD_TYPE} -D CMAKE_CXX_COMPILER=${COMPILER})
run(${CMAKE_COMMAND} --build ${scratch}/host)
foreach(body "" lattice)
  run(${scratch}/host/sinew_host ${CHARACTER} ${scratch}/skin.obj ${body})
  file(STRINGS ${scratch}/skin.obj corners REGEX "^v ")
  if(NOT corners)
    message(FATAL_ERROR "the host program wrote no skin")
  endif()
  file(REMOVE ${scratch}/skin.obj)
endforeach()
run(${scratch}/host/sinew_own_energy ${CHARACTER})
