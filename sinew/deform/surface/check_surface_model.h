// Check of a surface model before cooking.
#pragma once

#include <string>

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// Throws Error (input) if the model is inconsistent or does not fit the file format: more than 65534 bones, more than
// 64 spokes or 65535 neighbours of one vertex, anything not finite or out of the ranges of docs/runtime.md.
void check_surface_model(const SurfaceModel& model);

// Throws such an error: "the surface model " and `what`.
[[noreturn]] void refuse_surface_model(const std::string& what);

}  // namespace sinew
