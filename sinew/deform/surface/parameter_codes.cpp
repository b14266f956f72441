#include "sinew/deform/surface/parameter_codes.h"

#include <algorithm>
#include <cmath>

#include "runtime/parts/model_numbers.h"
#include "runtime/sinew_runtime.h"
#include "sinew/deform/surface/fit/stability.h"

namespace sinew {
namespace {

constexpr double most_stiff = 3.8999;  // a hair below the run-time's
static_assert(most_stiff < SINEW_MOST_STIFF && most_stiff > SINEW_MOST_STIFF - 2e-4);

// Largest eigenvalue of a positive semi-definite matrix: the limit of the norms of its powers, by repeated squaring.
double largest_eigenvalue(Mat3 s) {
  double log_scale = 0, power = 1;
  for (int i = 0; i < 40; ++i) {
    const double norm = frobenius_norm(s);
    if (!(norm > 0)) return 0;
    log_scale += std::log(norm) * power;
    s = (s * (1 / norm)) * (s * (1 / norm));
    power /= 2;
  }
  return std::exp(log_scale);
}

}  // namespace

ShapeCodes encode_shape(const RestorationShape& s) {
  const auto diagonal = [](double value) {
    return static_cast<std::uint8_t>(std::lround(std::clamp(value / 3, 0.0, 1.0) * 255));
  };
  const auto other = [](double value) {
    return static_cast<std::uint8_t>(static_cast<std::int8_t>(std::lround(std::clamp(value / 1.5, -1.0, 1.0) * 127)));
  };
  return {diagonal(s.xx), diagonal(s.yy), diagonal(s.zz), other(s.xy), other(s.xz), other(s.yz)};
}

RestorationShape decode_shape(const ShapeCodes& codes) {
  float s[6];
  sinew_decode_restoration(codes.data(), s);
  return {s[0], s[1], s[2], s[3], s[4], s[5]};
}

ParameterCodes encode_parameters(const VertexParameters& p, const RestorationShape& shape) {
  const std::array<double, 5> squares{p.alpha, p.beta, p.gamma, 2 * p.lambda, p.delta};
  ParameterCodes codes{};
  for (std::size_t i = 0; i < codes.size(); ++i)
    codes[i] = static_cast<std::uint8_t>(std::lround(255 * std::sqrt(std::clamp(squares[i], 0.0, 1.0))));
  // Rounded down, as the run-time does where a file is not stable, which this one then is.
  const double load = stability_load(decode_parameters(codes), largest_eigenvalue(to_matrix(shape)));
  if (load > most_stiff)
    for (std::uint8_t& code : codes) code = static_cast<std::uint8_t>(code * std::sqrt(most_stiff / load));
  return codes;
}

VertexParameters decode_parameters(const ParameterCodes& codes) {
  const auto square = [&](std::size_t i) { return codes[i] / 255.0 * (codes[i] / 255.0); };
  return {square(0), square(1), square(2), 0.5 * square(3), square(4)};
}

std::uint8_t encode_range(double range, double reach) {
  return static_cast<std::uint8_t>(255 * std::sqrt(std::clamp(range / reach, 0.0, 1.0)) + 1e-9);
}

double decode_range(std::uint8_t code, double reach) { return reach * (code / 255.0) * (code / 255.0); }

}  // namespace sinew
