// Dead loads on a body: weight, and loads on the surface that it carries.
#pragma once

#include <span>

#include "sinew/base/threads/scratch.h"
#include "sinew/contact/surface_points.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Adds mass[v] acceleration to forces[v]. `mass`: kilograms per vertex (lumped_mass()); `acceleration`: m/s^2, world.
void add_weight(std::span<const double> mass, const Vec3& acceleration, std::span<Vec3> forces);

// A load on flesh during a step.
struct Load {
  enum class Kind {
    point_force,  // force on the flesh near a point of the surface at rest; follows the flesh as the body is posed
  };
  Vec3 point;         // metres, rest space
  Vec3 force;         // total force, newtons, world
  double radius = 0;  // metres: surface points within it share the force in proportion to (1 - r^2 / radius^2)^2
  Kind kind = Kind::point_force;
};

// Shares of the points in a point force, with sum one: of those within the radius, or 1 for the nearest if there are
// none. `rest`: points of the surface, metres, rest space. Throws usage_error where there is none or a number is not
// finite.
ScratchVector<double> load_shares(std::span<const Vec3> rest, const Load& load);

// Adds the force to the body's vertices through the surface points; if none is within the radius, the nearest takes all
// of it. `rest`: the body's vertices, metres, rest space. Throws usage_error where there is no surface point or a
// number is not finite.
void add_load(const SurfacePoints& points, std::span<const Vec3> rest, const Load& load, std::span<Vec3> forces);

}  // namespace sinew
