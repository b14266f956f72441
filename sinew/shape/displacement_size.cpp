#include "sinew/shape/displacement_size.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/shape/shape_forces.h"
#include "sinew/shape/template_tissue.h"

namespace sinew {
namespace {

// Displacements that a force is found for: tolerances of one rig and of several together, relative; most corrections;
// least exponent of displacement by force that is believed.
constexpr double displacement_tolerance = 0.01, common_tolerance = 0.002, search_tolerance = 1e-5;
constexpr int most_corrections = 5;
constexpr double least_slope = 0.2;

double farthest(const SparseRows& skin, std::span<const Vec3> displacement) {
  double most = 0;
  for (std::size_t s = 0; s < skin.rows(); ++s) most = std::max(most, norm(row_times(skin, s, displacement)));
  return most;
}

// The farthest that the skin moves under a multiple of a force, from the second search on near the last one's end.
// Displacements need to be far better than the tolerance, and no more.
class ReachOfMultiples {
 public:
  ReachOfMultiples(std::span<const PointForce> force, ShapeBody& body) : force_(force), body_(body) {}

  double operator()(double factor) {
    std::vector<PointForce> scaled(force_.begin(), force_.end());
    for (PointForce& each : scaled) each.force *= factor;
    const StaticSearch how{.onward = std::exchange(onward_, true), .tolerance = search_tolerance};
    return farthest(body_.skin(), body_.displacements(scaled, how));
  }

 private:
  std::span<const PointForce> force_;
  ShapeBody& body_;
  bool onward_ = false;
};

// The factor at which `reach` is as wanted: linear at first, then by a secant of what tissue does that stiffens.
double factor_for_reach(double wanted, double factor, double tolerance, const std::function<double(double)>& reach) {
  double reached = reach(factor), exponent = 1;
  double best = factor, least = std::abs(reached / wanted - 1);
  for (int k = 0; k < most_corrections && !(std::abs(reached / wanted - 1) <= tolerance); ++k) {
    if (!(reached > 0)) break;
    const double next = factor * std::pow(wanted / reached, exponent), there = reach(next);
    const double slope = std::log(there / reached) / std::log(next / factor);
    if (slope > least_slope) exponent = 1 / slope;
    factor = next;
    reached = there;
    if (const double off = std::abs(reached / wanted - 1); off < least) best = factor, least = off;
  }
  return best;
}

}  // namespace

double reach_of(std::span<const PointForce> forces, ShapeBody& body) {
  return farthest(body.skin(), body.small_displacements(forces));
}

StiffenedBody::StiffenedBody(ShapeBody& body, std::span<const PointStiffening> stiffening)
    : body_(body), is_(!stiffening.empty()) {
  if (is_) body_.stiffen(stiffening);
}

StiffenedBody::~StiffenedBody() {
  if (is_) body_.stiffen({});
}

std::vector<PointStiffening> stiffening_at(const ShapeRig& rig, const ShapeSample& sample,
                                           const SimulationSurface& surface, const ShapeBody& body) {
  if (sample.stiffness == 1) return {};
  return body.stiffening(stiffening_of(tissue_change(rig, sample, surface)));
}

double amplitude_for_displacement(const ShapeRig& rig, const ShapeSample& sample, const SimulationSurface& surface,
                                  ShapeBody& body, AmplitudeSearch* search) {
  const std::span<const double> eta = sample.eta;
  const StiffenedBody stiffened(body, stiffening_at(rig, sample, surface, body));
  const double wanted = std::abs(eta[amplitude_parameter]);
  std::vector<double> unit(eta.begin(), eta.end());
  unit[amplitude_parameter] = std::copysign(1.0, eta[amplitude_parameter]);
  const std::vector<PointForce> force = rig_force(rig, unit, surface, body);
  body.set_pose(std::vector<Affine>(surface.bones.size()));
  const double small = reach_of(force, body);
  if (!(small > 0))
    throw simulation_error(
        "its force does not move the skin, since it lies in bone or outside the body; move its guide or make its "
        "radius "
        "larger.");
  if (search && search->rough) return unit[amplitude_parameter] * search->factor * wanted / small;
  ReachOfMultiples reach(force, body);
  const double best = factor_for_reach(wanted, wanted / small, displacement_tolerance, std::ref(reach));
  if (search) search->factor = best * small / wanted;
  return unit[amplitude_parameter] * best;
}

double displacement_of_amplitude(const ShapeRig& rig, const ShapeSample& sample, const SimulationSurface& surface,
                                 ShapeBody& body) {
  const StiffenedBody stiffened(body, stiffening_at(rig, sample, surface, body));
  body.set_pose(std::vector<Affine>(surface.bones.size()));
  const std::vector<Vec3> moved = body.displacements(rig_force(rig, sample.eta, surface, body));
  return std::copysign(farthest(body.skin(), moved), sample.eta[amplitude_parameter]);
}

std::vector<ShapeRig> sized_together(std::vector<ShapeRig> rigs, const SimulationSurface& surface, ShapeBody& body) {
  if (rigs.size() < 2) return rigs;
  double wanted = 0;
  for (const ShapeRig& rig : rigs) {
    if (!rig.by_displacement)
      throw usage_error("rig '" + rig.name + "' is sized by its force; rigs are sized together by displacements.");
    wanted = std::max(wanted, std::abs(rig.samples.back().eta[amplitude_parameter]));
  }
  // The farthest that the skin moves where each displacement is multiplied by a factor.
  const auto reach = [&](double factor) {
    std::vector<Vec3> sum(body.points());
    for (const ShapeRig& rig : rigs) {
      ShapeSample sample = rig.samples.back();
      sample.eta[amplitude_parameter] *= factor;
      sample.eta[amplitude_parameter] = amplitude_for_displacement(rig, sample, surface, body);
      add_forces(rig_force(rig, sample.eta, surface, body), 1, sum);
    }
    return farthest(body.skin(), body.displacements(nonzero_forces(sum), {.tolerance = search_tolerance}));
  };
  const double before = reach(1);
  if (std::abs(before / wanted - 1) <= displacement_tolerance) return rigs;
  if (!(before > 0))
    throw simulation_error("rig '" + rigs.front().name +
                           "' and those beside it hold each other, so that the skin does not move; move one of them.");
  const double factor = factor_for_reach(wanted, wanted / before, common_tolerance, reach);
  for (ShapeRig& rig : rigs) rig.samples.back().eta[amplitude_parameter] *= factor;
  return rigs;
}

}  // namespace sinew
