# Every library that Sinew links; docs/dependencies.md says why each is here and under which licence.

find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(TBB REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(CLI11 REQUIRED)
find_package(meshoptimizer REQUIRED)
find_package(draco REQUIRED)
find_package(embree 3 REQUIRED)

# Libraries whose Debian packages ship no CMake configuration.
find_library(SINEW_METIS_LIBRARY metis REQUIRED)
find_path(SINEW_METIS_INCLUDE metis.h REQUIRED)
add_library(sinew_metis INTERFACE)
target_link_libraries(sinew_metis INTERFACE ${SINEW_METIS_LIBRARY})
target_include_directories(sinew_metis SYSTEM INTERFACE ${SINEW_METIS_INCLUDE})

find_library(SINEW_HWY_LIBRARY hwy REQUIRED)
find_path(SINEW_HWY_INCLUDE hwy/highway.h REQUIRED)
add_library(sinew_hwy INTERFACE)
target_link_libraries(sinew_hwy INTERFACE ${SINEW_HWY_LIBRARY})
target_include_directories(sinew_hwy SYSTEM INTERFACE ${SINEW_HWY_INCLUDE})

find_path(SINEW_STB_INCLUDE stb_image_write.h PATH_SUFFIXES stb REQUIRED)
add_library(sinew_stb INTERFACE)
target_include_directories(sinew_stb SYSTEM INTERFACE ${SINEW_STB_INCLUDE})
