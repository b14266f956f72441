// Encoding of parameters in files, 8 bits each.
#pragma once

#include <array>
#include <cstdint>

#include "sinew/deform/surface/surface_model.h"

namespace sinew {

// The codes are square roots, so that small values, which matter most, are finest: alpha = (code / 255)^2 and so on,
// lambda = 0.5 (code / 255)^2. Order: alpha, beta, gamma, lambda, delta.
using ParameterCodes = std::array<std::uint8_t, 5>;

// The restoration shape, a byte per entry: the diagonal as 3 c / 255, the others as 1.5 c / 127 with a signed c.
// Decoding makes eigenvalues non-negative and the trace 3 (sinew_decode_restoration).
using ShapeCodes = std::array<std::uint8_t, 6>;
ShapeCodes encode_shape(const RestorationShape& shape);
RestorationShape decode_shape(const ShapeCodes& codes);

// Encodes parameters within their ranges to the nearest codes. All five are first scaled by one factor if the vertex's
// steps would not be stable: stability_load() with the largest eigenvalue of its shape stays below 3.9.
ParameterCodes encode_parameters(const VertexParameters& parameters, const RestorationShape& shape = {});
VertexParameters decode_parameters(const ParameterCodes& codes);

// Encodes the display range of a vertex (SurfaceModel::range) as (code / 255)^2 of the model's reach, rounded down.
std::uint8_t encode_range(double range, double reach);
double decode_range(std::uint8_t code, double reach);

}  // namespace sinew
