// The file that ships with a game: a SurfaceModel cooked for runtime/sinew_runtime.h, and its reader for tools. Layout:
// runtime_file_layout.h
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// Writes a model: positions, matrices and lengths in single precision, weights in 16 bits, parameters in 8. Throws
// Error (input) if check_surface_model() does.
std::vector<std::byte> cook_runtime_file(const SurfaceModel& model);

// Reads and checks a model; vertices have the order in which it was cooked. Throws Error (input) that names `name`.
SurfaceModel read_runtime_file(std::span<const std::byte> bytes, const std::string& name);

}  // namespace sinew
