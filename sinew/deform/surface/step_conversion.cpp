#include "sinew/deform/surface/step_conversion.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

struct Oscillation {
  double stiffness, damping;  // k, c
};

Oscillation converted(double k, double c, double ratio) {
  const double product = std::max(1 - c, 0.0), sum = 2 - k - c;  // of the roots
  const double radicand = sum * sum / 4 - product;
  double sum_then;
  if (radicand < 0) {
    const double size = std::sqrt(product);
    const double angle = std::acos(std::clamp(sum / (2 * size), -1.0, 1.0));
    sum_then = 2 * std::pow(size, ratio) * std::cos(std::min(angle * ratio, std::numbers::pi));
  } else {
    // Real roots; a negative one changes sign at every step, which no longer motion does.
    const double root = std::sqrt(radicand);
    sum_then = std::pow(std::max(sum / 2 + root, 0.0), ratio) + std::pow(std::max(sum / 2 - root, 0.0), ratio);
  }
  const double damping = 1 - std::pow(product, ratio);
  return {2 - damping - sum_then, damping};
}

}  // namespace

VertexParameters at_step_ratio(const VertexParameters& p, double ratio) {
  const double k = p.alpha + p.beta + p.gamma, c = p.lambda + p.delta;
  const Oscillation then = converted(k, c, ratio);
  const double stiffer = k > 0 ? then.stiffness / k : 0, drags = c > 0 ? then.damping / c : 0;
  return {std::clamp(p.alpha * stiffer, 0.0, 1.0), std::clamp(p.beta * stiffer, 0.0, 1.0),
          std::clamp(p.gamma * stiffer, 0.0, 1.0), std::clamp(p.lambda * drags, 0.0, 0.5),
          std::clamp(p.delta * drags, 0.0, 1.0)};
}

SurfaceModel with_step(SurfaceModel model, double step) {
  const double ratio = step / model.step;
  for (VertexParameters& p : model.parameters) p = at_step_ratio(p, ratio);
  model.step = step;
  return model;
}

}  // namespace sinew
