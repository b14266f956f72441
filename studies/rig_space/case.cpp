#include "studies/rig_space/case.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sinew {
namespace {

// Relative to the height.
constexpr double same_place = 1e-3, least_motion = 1e-5;

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
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (moments == 0) return {none, none, none};
  Rig& rig = *of.scene->whole_rig;
  std::vector<Vec3> at_a(rig.vertices()), at_b(rig.vertices()), unmoved(rig.vertices());
  std::vector<double> sum(rig.vertices(), 0.0);
  std::vector<char> moves(rig.vertices(), 0);  // whether the vertex moves with the free parameters, in one of the two
  SurfaceDistance result;
  for (std::size_t k = 0; k < moments; ++k) {
    rig.evaluate(moved_parameters(of, a.seconds[k], a.values[k]), at_a);
    rig.evaluate(moved_parameters(of, a.seconds[k], b.values[k]), at_b);
    rig.evaluate(keyed_parameters(of, a.seconds[k]), unmoved);
    for (std::size_t v = 0; v < at_a.size(); ++v) {
      const double d = distance(at_a[v], at_b[v]) / of.scene->height;
      sum[v] += d / static_cast<double>(moments);
      result.largest = std::max(result.largest, d);
      const double least = least_motion * of.scene->height;
      if (distance(at_a[v], unmoved[v]) > least || distance(at_b[v], unmoved[v]) > least) moves[v] = 1;
    }
  }
  double moving = 0;
  for (std::size_t v = 0; v < sum.size(); ++v) {
    result.mean += sum[v] / static_cast<double>(sum.size());
    if (moves[v]) result.mean_of_moving += sum[v], ++moving;
  }
  if (moving > 0) result.mean_of_moving /= moving;
  return result;
}

bool ends_where_it_begins(CookedRigSpace& scene, const RigAnimation& animation, double begin, double length) {
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

RigSpaceDynamics undamped_dynamics(const CookedRigSpace& scene) {
  RigSpaceDynamics dynamics = scene.dynamics;
  dynamics.rest = RestShape::body;
  dynamics.stiffness_damping = dynamics.mass_damping = 0;
  dynamics.limit_stiffness = 0;
  return dynamics;
}

}  // namespace sinew
