# `cmake --install`: the program in bin/, headers in include/sinew/, and what find_package(Sinew) needs.
include(CMakePackageConfigHelpers)

set(SINEW_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Sinew)
get_property(modules GLOBAL PROPERTY SINEW_MODULES)
set(targets ${modules})
list(TRANSFORM targets PREPEND sinew_)

# All that is installed: `cmake --build BUILD --target product`, then `cmake --install BUILD`.
add_custom_target(product DEPENDS ${targets} sinew_runtime)
if(TARGET sinew_cli)
  add_dependencies(product sinew_cli)
endif()

install(TARGETS ${targets} EXPORT SinewTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET sinew_cli)
  install(TARGETS sinew_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  # The studio offers them (studio/server/web/open_browser.cpp).
  install(FILES samples/elephant.glb samples/sumo.glb samples/tube.glb
    DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew/samples)
endif()
install(DIRECTORY sinew/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/sinew
  FILES_MATCHING PATTERN "*.h" PATTERN "cli" EXCLUDE)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

install(EXPORT SinewTargets NAMESPACE Sinew:: DESTINATION ${SINEW_PACKAGE_DIR})
configure_package_config_file(cmake/SinewConfig.cmake.in ${PROJECT_BINARY_DIR}/SinewConfig.cmake
  INSTALL_DESTINATION ${SINEW_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SinewConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/SinewConfig.cmake
  ${PROJECT_BINARY_DIR}/SinewConfigVersion.cmake
  cmake/SinewDependencies.cmake
  DESTINATION ${SINEW_PACKAGE_DIR})
