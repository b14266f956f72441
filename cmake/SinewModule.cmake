# sinew_module(NAME DEPENDS module... LIBRARIES library...)
#
# One target per module, `sinew_NAME` (alias Sinew::NAME), from all sources in its folder. A module
# sees its own headers and those of the modules it names, and links nothing else, so that an include
# that points upward in docs/architecture.md fails to link.
function(sinew_module name)
  cmake_parse_arguments(MODULE "" "" "DEPENDS;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(sinew_${name} STATIC ${sources})
  add_library(Sinew::${name} ALIAS sinew_${name})
  set_target_properties(sinew_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(sinew_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:include>)
  target_compile_features(sinew_${name} PUBLIC cxx_std_20)
  foreach(dependency ${MODULE_DEPENDS})
    target_link_libraries(sinew_${name} PUBLIC sinew_${dependency})
  endforeach()
  target_link_libraries(sinew_${name} PUBLIC ${MODULE_LIBRARIES})
  target_link_libraries(sinew_${name} PRIVATE ${MODULE_PRIVATE_LIBRARIES})
  sinew_own_target(sinew_${name})
  set_property(GLOBAL APPEND PROPERTY SINEW_MODULES ${name})
endfunction()
