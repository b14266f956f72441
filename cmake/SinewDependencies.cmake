# Every library that Sinew links; docs/dependencies.md says why each is here and under which licence.
# Included by the build itself and, installed beside SinewConfig.cmake, by every project that uses it.

# In a project that uses Sinew a missing library is its own find_package(Sinew)'s failure.
macro(sinew_find_package)
  if(CMAKE_FIND_PACKAGE_NAME STREQUAL "Sinew")
    find_dependency(${ARGV})
  else()
    find_package(${ARGV} REQUIRED)
  endif()
endmacro()

# A library whose Debian package ships no CMake configuration, as an imported target. `library` is
# empty for headers alone, `header` for what has none.
function(sinew_find_library target library header)
  string(TOUPPER ${target}_INCLUDE include)
  string(TOUPPER ${target}_LIBRARY file)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  if(header)
    find_path(${include} ${header} PATH_SUFFIXES stb REQUIRED)
    mark_as_advanced(${include})
    target_include_directories(${target} SYSTEM INTERFACE ${${include}})
  endif()
  if(library)
    find_library(${file} ${library} REQUIRED)
    mark_as_advanced(${file})
    target_link_libraries(${target} INTERFACE ${${file}})
  endif()
endfunction()

sinew_find_package(Threads)
sinew_find_package(Eigen3 3.4 NO_MODULE)
sinew_find_package(TBB)
sinew_find_package(nlohmann_json 3.11)
sinew_find_package(meshoptimizer)
sinew_find_package(draco)
find_package(embree 4 QUIET)   # Ubuntu 24.04
if(NOT embree_FOUND)
  sinew_find_package(embree 3)   # Debian 12
endif()

if(NOT TARGET sinew_metis)
  sinew_find_library(sinew_metis metis metis.h)
  sinew_find_library(sinew_hwy hwy hwy/highway.h)
  sinew_find_library(sinew_lbfgsb lbfgsb "")
  sinew_find_library(sinew_stb "" stb_image_write.h)
  sinew_find_library(sinew_turbojpeg turbojpeg turbojpeg.h)
  sinew_find_library(sinew_webp webp webp/encode.h)
  sinew_find_library(sinew_webpmux webpmux webp/mux.h)
  sinew_find_library(sinew_mujoco mujoco mujoco/mujoco.h)
  sinew_find_library(sinew_pagmo pagmo pagmo/pagmo.hpp)
  sinew_find_library(sinew_boost_serialization boost_serialization boost/archive/binary_oarchive.hpp)
endif()

# The module gpu is built where Vulkan's headers, its loader and the shader compiler are; an installed Sinew knows
# whether it has that module.
if(CMAKE_FIND_PACKAGE_NAME STREQUAL "Sinew")
  if(SINEW_HAS_GPU)
    find_dependency(Vulkan)
  endif()
else()
  find_package(Vulkan QUIET)
  if(Vulkan_FOUND AND Vulkan_GLSLANG_VALIDATOR_EXECUTABLE)
    set(SINEW_HAS_GPU ON)
  else()
    set(SINEW_HAS_GPU OFF)
    message(STATUS "Sinew's module gpu is left out: it needs Vulkan's headers and loader and glslangValidator "
                   "(Debian's packages libvulkan-dev and glslang-tools)")
  endif()
endif()
