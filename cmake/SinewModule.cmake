# sinew_module(NAME [FOLDER folder] [FLAT [WITH folder...]] DEPENDS module... LIBRARIES library...
#              PRIVATE_LIBRARIES library...)
#
# One target per module, `sinew_NAME` (alias Sinew::NAME), from all sources in its folder (NAME's own), and
# in those below it unless it is FLAT, which takes only those that WITH names. A module
# sees its own headers and those of the modules it names, and links nothing else, so that an include
# that points upward in docs/architecture.md fails to link.
function(sinew_module name)
  cmake_parse_arguments(MODULE "FLAT" "FOLDER" "WITH;DEPENDS;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  if(NOT MODULE_FOLDER)
    set(MODULE_FOLDER ${name})
  endif()
  set(glob GLOB_RECURSE)
  if(MODULE_FLAT)
    set(glob GLOB)
  endif()
  set(patterns ${MODULE_FOLDER} ${MODULE_WITH})
  list(TRANSFORM patterns REPLACE "(.+)" "${CMAKE_CURRENT_SOURCE_DIR}/\\1/*.cpp")
  file(${glob} sources CONFIGURE_DEPENDS ${patterns})
  if(sources)
    set(visibility PUBLIC)
    add_library(sinew_${name} STATIC ${sources})
    sinew_own_target(sinew_${name})
    sinew_compile_module(sinew_${name} ${sources})
  else()
    set(visibility INTERFACE)   # headers only
    add_library(sinew_${name} INTERFACE)
  endif()
  add_library(Sinew::${name} ALIAS sinew_${name})
  set_target_properties(sinew_${name} PROPERTIES EXPORT_NAME ${name})
  target_include_directories(sinew_${name} ${visibility}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(sinew_${name} ${visibility} cxx_std_20)
  foreach(dependency ${MODULE_DEPENDS})
    target_link_libraries(sinew_${name} ${visibility} sinew_${dependency})
  endforeach()
  target_link_libraries(sinew_${name} ${visibility} ${MODULE_LIBRARIES})
  if(sources)
    target_link_libraries(sinew_${name} PRIVATE ${MODULE_PRIVATE_LIBRARIES})
  endif()
  set_property(GLOBAL APPEND PROPERTY SINEW_MODULES ${name})
  set_property(GLOBAL PROPERTY SINEW_FOLDER_OF_${name} ${MODULE_FOLDER})
endfunction()
