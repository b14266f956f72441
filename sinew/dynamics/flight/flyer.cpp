#include "sinew/dynamics/flight/flyer.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/dynamics/units.h"
#include "sinew/kinematics/anatomical_frames.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

constexpr double usual_lift = 0.6;                   // coefficient
constexpr double tail_share = 0.2, fin_share = 0.1;  // of the wings' area

// Rotation of each link's joint in the bind pose, and its place; rest space.
struct BoundLinks {
  std::vector<Quat> rotation;
  std::vector<Vec3> place;
};
BoundLinks bound_links(const SimulationSurface& surface, const ArticulatedBody& body) {
  BoundLinks bound{std::vector<Quat>(body.size()), std::vector<Vec3>(body.size())};
  for (std::size_t k = 0; k < body.size(); ++k)
    for (const Bone& bone : surface.bones)
      if (bone.joint == body.joint[k]) {
        const Affine world = inverse(bone.rest_to_joint);
        bound.rotation[k] = orientation_of(world);
        bound.place[k] = world.translation;
      }
  return bound;
}

// The tail lies at the rear end of the body, half a chord behind its centre at least.
void add_tail(const SimulationSurface& surface, const BoundLinks& bound, Flyer& flyer) {
  Vec3 centre;
  double whole = 0, rear = HUGE_VAL;
  const ArticulatedBody& body = flyer.links.body;
  for (std::size_t k = 0; k < body.size(); ++k) {
    centre += body.tree.mass[k] * (bound.place[k] + rotate(bound.rotation[k], body.tree.mass_centre[k]));
    whole += body.tree.mass[k];
  }
  centre = centre / whole;
  double area = 0;
  for (const std::array<Wing, 2>& pair : flyer.wings.pairs)
    for (const Wing& wing : pair) flyer.ahead += wing.area * (wing.balance - centre.z), area += wing.area;
  flyer.ahead /= area;
  for (const Triangle& triangle : surface.rest.triangles)
    for (const int v : triangle) rear = std::min(rear, surface.rest.positions[index(v)].z);
  const double chord = flyer.wings.area / flyer.wings.span;
  const Vec3 place{0, centre.y, std::min(rear, centre.z - 1.5 * chord)};
  const Quat to_link = conjugate(bound.rotation[0]);
  const auto add = [&](double share, const Vec3& up) {
    flyer.strips.push_back({0, rotate(to_link, place - bound.place[0]), rotate(to_link, {0, 0, 1}), rotate(to_link, up),
                            share * flyer.wings.area});
  };
  add(tail_share, {0, 1, 0});
  add(fin_share, {1, 0, 0});
}

}  // namespace

std::array<double, stroke_numbers> numbers_of(const Stroke& s) {
  return {s.frequency, s.amplitude, s.offset, s.incidence, s.twist, s.sweep,
          s.back,      s.lag,       s.climb,  s.push,      s.pitch, s.bank};
}

Stroke stroke_of(const std::array<double, stroke_numbers>& n) {
  return {n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], n[8], n[9], n[10], n[11]};
}

Flyer make_flyer(const Character& character, const SimulationSurface& surface, CharacterLinks links, double speed,
                 double mass) {
  Flyer flyer;
  flyer.links = std::move(links);
  flyer.wings = find_wings(character.skeleton, surface, flyer.links);
  if (flyer.wings.pairs.empty())
    throw input_error(
        character.file +
        ": has no wings: no pair of joints that mirror each other at x = 0 carries flat skin to the sides; "
        "only a bird, a bat or an insect can fly.");
  ArticulatedBody& body = flyer.links.body;
  const double now = total_mass(body);
  flyer.mass = mass > 0 ? mass : 0.5 * air_density * speed * speed * flyer.wings.area * usual_lift / standard_gravity;
  for (double& each : body.tree.mass) each *= flyer.mass / now;
  for (Mat3& each : body.inertia) each = each * (flyer.mass / now);
  const BoundLinks bound = bound_links(surface, body);
  flyer.bound = bound.rotation;
  flyer.strips = flyer.wings.strips;
  add_tail(surface, bound, flyer);

  const double moment = flyer.mass * standard_gravity * flyer.wings.span / 4;
  flyer.drives.resize(body.size());
  flyer.scale.assign(body.size(), 0);
  for (std::size_t k = 1; k < body.size(); ++k) {
    constexpr double stiff = 20, seconds = 0.02;
    flyer.drives[k].stiffness = stiff * moment;
    flyer.drives[k].damping = seconds * flyer.drives[k].stiffness;
    flyer.drives[k].most = 10 * moment;
  }
  for (const std::array<Wing, 2>& pair : flyer.wings.pairs)
    for (const Wing& wing : pair) {
      flyer.scale[index(wing.link)] = 1;
      // Outer joints bend a little more.
      for (std::size_t k = index(wing.link) + 1; k < body.size(); ++k)
        if (const int parent = body.tree.parent[k]; flyer.scale[index(parent)] > 0)
          flyer.scale[k] = 0.3 * std::min(1.0, flyer.scale[index(parent)]);
    }
  return flyer;
}

void wing_targets(const Flyer& flyer, const Stroke& stroke, const WingCommand& command, double beats,
                  std::span<Quat> targets) {
  const ArticulatedBody& body = flyer.links.body;
  for (std::size_t k = 1; k < body.size(); ++k)
    targets[k] = normalized(conjugate(flyer.bound[index(body.tree.parent[k])]) * flyer.bound[k]);
  constexpr double circle = 2 * std::numbers::pi;
  for (const std::array<Wing, 2>& pair : flyer.wings.pairs)
    for (const Wing& wing : pair) {
      const double amplitude = stroke.amplitude * command.amplitude, phase = circle * beats;
      // The beat begins at the top; the wing comes down fastest a quarter later.
      const double flap = stroke.offset + amplitude * std::cos(phase);
      const double raised = stroke.incidence - stroke.twist * std::sin(phase) - wing.side * command.roll / 2;
      const double forward = -stroke.back - stroke.sweep * std::cos(phase);
      const Quat turn = axis_angle({0, 1, 0}, -wing.side * forward) * axis_angle({0, 0, 1}, wing.side * flap) *
                        axis_angle({1, 0, 0}, -raised);
      const std::size_t link = index(wing.link);
      targets[link] =
          normalized(conjugate(flyer.bound[index(body.tree.parent[link])]) * turn * wing.spread * flyer.bound[link]);
      // Outer joints bend about the axis that the body's z has in the wing.
      for (std::size_t k = link + 1; k < body.size() && body.tree.parent[k] >= wing.link; ++k) {
        if (!(flyer.scale[k] > 0)) continue;
        const Vec3 axis = rotate(conjugate(flyer.bound[k]), rotate(conjugate(wing.spread), {0, 0, 1}));
        const double bend = flyer.scale[k] * amplitude * std::cos(phase - circle * stroke.lag);
        targets[k] = normalized(targets[k] * axis_angle(axis, wing.side * bend));
      }
    }
}

}  // namespace sinew
