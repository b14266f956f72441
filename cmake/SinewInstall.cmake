# `cmake --install` and `find_package(Sinew)`.
