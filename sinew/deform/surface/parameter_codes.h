// Parameters as files have them: 8 bits each.
#pragma once

#include <array>
#include <cstdint>

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// Squared: alpha = (code / 255)^2, lambda = 0.5 (code / 255)^2, so that small ones, which matter most, are finest.
// Order: alpha, beta, gamma, lambda, delta.
using ParameterCodes = std::array<std::uint8_t, 5>;

// How restoration differs between directions, a byte each: the diagonal as 3 c / 255, the others as 1.5 c / 127 with a
// signed c. What comes back has no negative eigenvalue and trace 3 (sinew_decode_restoration).
using ShapeCodes = std::array<std::uint8_t, 6>;
ShapeCodes encode_shape(const RestorationShape& shape);
RestorationShape decode_shape(const ShapeCodes& codes);

// The nearest codes of parameters within their ranges, all five made smaller by one factor where a vertex's steps would
// otherwise not be stable: stability_load() with the largest eigenvalue of its shape stays below 3.9.
ParameterCodes encode_parameters(const VertexParameters& parameters, const RestorationShape& shape = {});
VertexParameters decode_parameters(const ParameterCodes& codes);

// How far a vertex is shown from its goal at most, as (code / 255)^2 of the model's reach: rounded down.
std::uint8_t encode_range(double range, double reach);
double decode_range(std::uint8_t code, double reach);

}  // namespace sinew
