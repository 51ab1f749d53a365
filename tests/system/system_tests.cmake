# Each tests/system/*.py and *.sh is one ctest test that runs the program as a user does, in a scratch folder of its own.
# It gets DISTAL (the program), DISTAL_SOURCE_DIR and DISTAL_SCENARIOS in its environment and passes by ending with 0.
# A line "# ctest: WORD..." in the file adds: `long` (only with --long), `sanitized` (also run with address and
# undefined-behaviour sanitizers; with both words under --long), `alone` (nothing else runs beside it, for tests that
# measure time).
# tests/system/support/ is on the Python path and holds no tests.
function(add_system_test script)
  get_filename_component(name ${script} NAME_WE)
  set(scratch ${CMAKE_CURRENT_BINARY_DIR}/system/${name})
  file(MAKE_DIRECTORY ${scratch})
  if(script MATCHES "\\.py$")
    set(interpreter ${Python3_EXECUTABLE})
  else()
    set(interpreter bash)
  endif()
  set(labels system)
  set(alone FALSE)
  set(timeout_s ${test_timeout_s})
  file(STRINGS ${script} words REGEX "^# ctest: ")
  if(words MATCHES "sanitized")
    list(APPEND labels sanitized)
  endif()
  if(words MATCHES "alone")
    set(alone TRUE)
  endif()
  if(words MATCHES "long")
    list(TRANSFORM labels REPLACE "^system$" "long")
    set(timeout_s 3600)
  endif()
  add_test(NAME system.${name} COMMAND ${interpreter} ${script} WORKING_DIRECTORY ${scratch})
  set_tests_properties(system.${name} PROPERTIES
    LABELS "${labels}" COST ${system_cost} RUN_SERIAL ${alone} TIMEOUT ${timeout_s}
    ENVIRONMENT "DISTAL=${PROJECT_BINARY_DIR}/distal;DISTAL_SOURCE_DIR=${PROJECT_SOURCE_DIR};\
DISTAL_SCENARIOS=${PROJECT_SOURCE_DIR}/scenarios;DISTAL_VERSION=${PROJECT_VERSION};\
PYTHONPATH=${PROJECT_SOURCE_DIR}/tests/system/support;PYTHONDONTWRITEBYTECODE=1")
endfunction()

file(GLOB system_scripts CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/system/*.py ${CMAKE_CURRENT_SOURCE_DIR}/system/*.sh)
foreach(script IN LISTS system_scripts)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script})
  add_system_test(${script})
endforeach()
