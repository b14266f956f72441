#include "sinew/deform/environment.h"

#include <cmath>
#include <string>

#include "sinew/base/error.h"

namespace sinew {

void Environment::clear() {
  held.clear();
  friction = 0;
  colliders.clear();
  colliders_before.clear();
  balls.clear();
  ground.reset();
  loads.clear();
  gravity.reset();
  handles.clear();
  rotations.clear();
  stiffness = damping = 1;
}

void check_environment(const Environment& environment, std::size_t surface_vertices) {
  if (environment.gravity && !is_finite(*environment.gravity)) throw usage_error("gravity must be finite.");
  for (const double factor : {environment.stiffness, environment.damping})
    if (!(factor >= least_of_tissue && factor <= most_of_tissue))
      throw usage_error("stiffness and damping must be multiplied by 0.01 to 100.");
  if (!(environment.friction >= 0) || !std::isfinite(environment.friction))
    throw usage_error("friction must be finite, and not negative.");
  if (environment.held.empty() && !environment.touches()) return;
  const auto vertices = static_cast<int>(surface_vertices);
  for (const HeldPoint& point : environment.held) {
    if (!is_finite(point.target) || !is_finite(point.velocity))
      throw usage_error("'" + point.name.str() + "' is to be held at a place that is not finite.");
    for (std::size_t k = 0; k < 3; ++k)
      if (point.point.vertex[k] >= vertices || (k == 0 && point.point.vertex[k] < 0))
        throw usage_error("'" + point.name.str() + "' holds surface vertex " + std::to_string(point.point.vertex[k]) +
                          ", but the surface has " + std::to_string(vertices) + ".");
  }
  check_colliders(environment.colliders);
  check_colliders(environment.colliders_before);
  if (!environment.colliders_before.empty() && !same_shapes(environment.colliders, environment.colliders_before))
    throw usage_error("colliders: there are others as a step ends than as it begins; give the same ones, moved.");
  for (const FallingBall& ball : environment.balls)
    if (ball.collider >= environment.colliders.size() || !(ball.mass > 0) || !std::isfinite(ball.mass) ||
        !is_finite(ball.velocity))
      throw usage_error("a falling ball must be one of the colliders, with a positive mass and a finite velocity.");
}

}  // namespace sinew
