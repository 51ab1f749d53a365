# Installs the build into a scratch folder, then configures, builds and runs the consumer against it.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "failed (${status}): ${ARGN}")
  endif()
endfunction()

set(prefix ${scratch}/prefix)
file(REMOVE_RECURSE ${scratch})
run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
run(${CMAKE_COMMAND} -S ${source} -B ${scratch}/build -G ${generator} -D CMAKE_CXX_COMPILER=${compiler}
    -D CMAKE_PREFIX_PATH=${prefix} -D CMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${scratch}/build)
run(${scratch}/build/consumer)

# The installed program stands alone: it knows its version and finds its scenes.
if(EXISTS ${prefix}/bin/distal)
  execute_process(COMMAND ${prefix}/bin/distal --version OUTPUT_VARIABLE said RESULT_VARIABLE status)
  string(FIND "${said}" "${version}" position)
  if(NOT status EQUAL 0 OR position EQUAL -1)
    message(FATAL_ERROR "distal --version said '${said}' with status ${status}, expected ${version}")
  endif()
  run(${prefix}/bin/distal list)
endif()
