# find_package(distal) and target_link_libraries(program distal::distal) for other projects.
include(CMakePackageConfigHelpers)
set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/distal)

install(DIRECTORY src/distal DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(FILES clients/cpp/distal_client.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/distal/scenarios)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS ${DISTAL_LAYER_TARGETS} distal_all EXPORT distalTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET distal)
  install(TARGETS distal RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(EXPORT distalTargets NAMESPACE distal:: DESTINATION ${package_directory})

configure_package_config_file(cmake/distalConfig.cmake.in ${PROJECT_BINARY_DIR}/distalConfig.cmake
                              INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/distalConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/distalConfig.cmake ${PROJECT_BINARY_DIR}/distalConfigVersion.cmake
        DESTINATION ${package_directory})
