// The file that ships: a SurfaceModel cooked for runtime/sinew_runtime.h, and back for tools. Layout: docs/runtime.md
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// Positions, matrices and lengths become single precision, weights 16 bits, parameters 8. Throws Error (input) where
// check_surface_model() does.
std::vector<std::byte> cook_runtime_file(const SurfaceModel& model);

// The model of a file, in the order in which it was cooked. Everything is checked; throws Error (input) that names
// `name`.
SurfaceModel read_runtime_file(std::span<const std::byte> bytes, const std::string& name);

}  // namespace sinew
