// The file that ships: a SurfaceModel cooked for runtime/sinew_runtime.h, and back for tools. Layout: docs/runtime.md
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sinew/deform/surface_dynamics/surface_model.h"

namespace sinew {

// Parameters as files have them: 8 bits each, squared: alpha = (code / 255)^2, lambda = 0.5 (code / 255)^2, so that
// small ones, which matter most, are finest. Order: alpha, beta, gamma, lambda, delta.
using ParameterCodes = std::array<std::uint8_t, 5>;

// How restoration differs between directions, a byte each: the diagonal as 3 c / 255, the others as 1.5 c / 127 with a
// signed c. What comes back has no negative eigenvalue and trace 3 (sinew_decode_restoration).
using ShapeCodes = std::array<std::uint8_t, 6>;
ShapeCodes encode_shape(const RestorationShape& shape);
RestorationShape decode_shape(const ShapeCodes& codes);

// The nearest codes of parameters within their ranges, all five made smaller by one factor where a vertex's steps would
// otherwise not be stable: s alpha + 2 beta + gamma + 2 (2 lambda + delta) stays below 3.9, s the largest eigenvalue of
// its shape.
ParameterCodes encode_parameters(const VertexParameters& parameters, const RestorationShape& shape = {});
VertexParameters decode_parameters(const ParameterCodes& codes);

// The order in which the run-time goes through vertices: per place the vertex of the model. Near in space, near in
// memory; among those, equal numbers of neighbours together.
std::vector<int> runtime_order(const SurfaceModel& model);

// Positions, matrices and lengths become single precision, weights 16 bits, parameters 8. Throws Error (input) where
// the model has what a file cannot hold: more than 65535 bones or segments, more than 64 spokes or 65535 neighbours of
// one vertex, anything not finite or out of the ranges of docs/runtime.md.
std::vector<std::byte> cook_runtime_file(const SurfaceModel& model);

// The model of a file, in the order in which it was cooked. Everything is checked; throws Error (input) that names
// `name`.
SurfaceModel read_runtime_file(std::span<const std::byte> bytes, const std::string& name);

}  // namespace sinew
