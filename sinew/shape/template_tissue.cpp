#include "sinew/shape/template_tissue.h"

#include <cmath>
#include <utility>

namespace sinew {
namespace {

// The derivative of B(|x - c|, R) as `by` moves c and R.
double bell_slope(const TissueChange& change, const TissueChange& by, const Vec3& x) {
  return bell_slope(x - change.frame.translation, change.radius, by.frame.translation, by.radius);
}

double bell_at(const TissueChange& change, const Vec3& x) {
  return bell(norm(change.to_ball * (x - change.frame.translation)), change.radius);
}

// Radius of a ball that holds the ellipsoid.
double bound_of(const TissueChange& change) {
  if (change.to_ball == Mat3::identity()) return change.radius;
  return change.radius * frobenius_norm(inverse(change.to_ball));
}

}  // namespace

TissueChange tissue_change(const ShapeRig& rig, const ShapeSample& sample, const SimulationSurface& surface) {
  if (!has_guide(rig.kind)) {
    const auto& [centre, axes] = sample.region;
    const Vec3 first = normalized(axes.column(0)), third = normalized(cross(first, axes.column(1)));
    return {{Mat3::from_columns(first, cross(third, first), third), centre},
            1,
            sample.strain,
            sample.stiffness,
            inverse(axes)};
  }
  const std::span<const double> eta = sample.eta;
  const std::size_t own = parameters_of(rig.kind).size();
  return {guide_frame(rig.guide, eta.subspan(own), surface), template_support(rig.kind, eta.first(own)), sample.strain,
          sample.stiffness};
}

TissueRegion region_of(const TissueChange& change) {
  const bool is_ball = change.to_ball == Mat3::identity();
  return {change.frame.translation, change.radius * (is_ball ? change.frame.linear : inverse(change.to_ball))};
}

StrainField strain_of(const TissueChange& change) {
  const Vec3 axis = change.frame.linear.column(0);
  const Mat3 along = outer(axis, axis), across = Mat3::identity() - along;
  return {[=](const Vec3& x) {
            const double stretch = 1 + (change.strain - 1) * bell_at(change, x);
            return (stretch - 1) * along + (1 / std::sqrt(stretch) - 1) * across;
          },
          change.frame.translation, bound_of(change)};
}

StiffeningField stiffening_of(const TissueChange& change) {
  return {[change, most = std::log(change.stiffness)](const Vec3& x) { return most * bell_at(change, x); },
          change.frame.translation, bound_of(change)};
}

StrainDerivatives strain_derivatives(const TissueChange& change, std::vector<TissueChange> by_parameter) {
  const std::size_t count = by_parameter.size();
  return {count,
          [change, by_parameter = std::move(by_parameter)](const Vec3& x, const Mat3& stress, double weight,
                                                           std::span<double> sum) {
            const double fade = bell_at(change, x), stretch = 1 + (change.strain - 1) * fade;
            const double across = 1 / std::sqrt(stretch);
            const Vec3 axis = change.frame.linear.column(0), pull = stress * axis;
            const double along = dot(axis, pull);
            const double by_stretch = along - 0.5 * across / stretch * (trace(stress) - along);
            for (std::size_t k = 0; k < by_parameter.size(); ++k) {
              const TissueChange& by = by_parameter[k];
              sum[k] += weight * (by_stretch * (by.strain * fade + (change.strain - 1) * bell_slope(change, by, x)) +
                                  2 * (stretch - across) * dot(pull, by.frame.linear.column(0)));
            }
          },
          change.frame.translation, change.radius};
}

StiffeningDerivatives stiffening_derivatives(const TissueChange& change, std::vector<TissueChange> by_parameter) {
  const std::size_t count = by_parameter.size();
  return {count,
          [change, by_parameter = std::move(by_parameter)](const Vec3& x, double weight, std::span<double> sum) {
            const double fade = bell_at(change, x), most = std::log(change.stiffness);
            for (std::size_t k = 0; k < by_parameter.size(); ++k)
              sum[k] += weight * (by_parameter[k].stiffness / change.stiffness * fade +
                                  most * bell_slope(change, by_parameter[k], x));
          },
          change.frame.translation, change.radius};
}

}  // namespace sinew
