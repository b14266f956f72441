#include "studies/rig_space/case.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

constexpr double same_place = 1e-3;  // of the height

std::vector<double> rest_parameters(const Rig& rig) {
  std::vector<double> p;
  for (const RigParameter& parameter : rig.parameters()) p.push_back(parameter.rest);
  return p;
}

}  // namespace

std::vector<double> keyed_parameters(const RigSpaceCase& of, double elapsed) {
  std::vector<double> p = rest_parameters(*of.scene->rig);
  if (!of.animation) return p;
  const double at = of.loops ? std::fmod(elapsed, of.length) : std::min(elapsed, of.length);
  of.animation->sample(of.begin + at, p);
  for (const int i : of.scene->free) {
    const auto parameter = static_cast<std::size_t>(i);
    p[parameter] = of.scene->rig->parameters()[parameter].rest;
  }
  return p;
}

std::vector<double> moved_parameters(const RigSpaceCase& of, double elapsed, std::span<const double> free) {
  std::vector<double> p = keyed_parameters(of, elapsed);
  for (std::size_t i = 0; i < free.size(); ++i) p[static_cast<std::size_t>(of.scene->free[i])] = free[i];
  return p;
}

SurfaceDistance distance_between(const RigSpaceCase& of, const FreeCurves& a, const FreeCurves& b) {
  const std::size_t moments = std::min(a.values.size(), b.values.size());
  if (moments == 0) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  Rig& rig = *of.scene->whole_rig;
  std::vector<Vec3> at_a(rig.vertices()), at_b(rig.vertices());
  SurfaceDistance result;
  for (std::size_t k = 0; k < moments; ++k) {
    rig.evaluate(moved_parameters(of, a.seconds[k], a.values[k]), at_a);
    rig.evaluate(moved_parameters(of, a.seconds[k], b.values[k]), at_b);
    for (std::size_t v = 0; v < at_a.size(); ++v) {
      const double d = distance(at_a[v], at_b[v]) / of.scene->height;
      result.mean += d / static_cast<double>(moments * at_a.size());
      result.largest = std::max(result.largest, d);
    }
  }
  return result;
}

bool ends_where_it_begins(RigSpaceScene& scene, const RigAnimation& animation, double begin, double length) {
  if (!(length > 0)) return false;
  Rig& rig = *scene.whole_rig;
  std::vector<double> p = rest_parameters(rig);
  std::vector<Vec3> first(rig.vertices()), last(rig.vertices());
  animation.sample(begin, p);
  rig.evaluate(p, first);
  animation.sample(begin + length, p);
  rig.evaluate(p, last);
  for (std::size_t v = 0; v < first.size(); ++v)
    if (distance(first[v], last[v]) > same_place * scene.height) return false;
  return true;
}

RigSpaceDynamics undamped_dynamics(const RigSpaceScene& scene) {
  RigSpaceDynamics dynamics = scene.dynamics;
  dynamics.rest = RestShape::body;
  dynamics.stiffness_damping = dynamics.mass_damping = 0;
  dynamics.limit_stiffness = 0;
  return dynamics;
}

}  // namespace sinew
