#include "sinew/shape/fit_template.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/linalg/bounded/bounded_minimization.h"
#include "sinew/shape/shape_forces.h"

namespace sinew {
namespace {

// Usual changes of parameters: of lengths and of the displacement that an amplitude makes, relative to the height; of
// angles; of plain numbers.
constexpr double change_of_height = 0.05, change_of_degrees = 30, change_of_number = 0.25;
// Differences for derivatives of the guide's frame, relative to usual changes.
constexpr double difference = 1e-5;
// An iteration that lowers the cost by less than this share of that at the start is the last.
constexpr double least_decrease = 1e-5;
// While points are dragged: costs to about 1e-5, gradients to 1e-3.
constexpr StaticSearch while_dragged{.onward = true, .tolerance = 1e-5, .adjoint_tolerance = 1e-3};
// Smallest lengths that must be positive, relative to the height.
constexpr double least_length = 2e-3;

double usual_change(const ShapeParameter& row, double height) {
  const std::string_view unit = row.unit.name;
  return unit == units::metres.name    ? change_of_height * height
         : unit == units::degrees.name ? change_of_degrees
                                       : change_of_number;
}

}  // namespace

std::vector<ShapeParameter> fitted_parameters(const ShapeRig& rig, const ShapeSample& start) {
  std::vector<ShapeParameter> rows = parameters_of(rig);
  if (start.strain != 1) rows.push_back(strain_parameter);
  if (start.stiffness != 1) rows.push_back(stiffness_parameter);
  return rows;
}

TemplateFitting::TemplateFitting(const ShapeRig& rig, ShapeSample start, std::span<const DraggedPoint> points,
                                 std::span<const Affine> bones, const SimulationSurface& surface, ShapeBody& body,
                                 const TemplateFitOptions& options)
    : kind_(rig.kind),
      balance_(rig.balance),
      anchor_(rig.guide, surface),
      of_rig_(parameters_of(rig).size()),
      rows_(fitted_parameters(rig, start)),
      first_(std::move(start)),
      points_(points),
      body_(body),
      options_(options),
      height_(standing_height(surface)) {
  if (points.empty()) throw usage_error("no point of the skin is dragged.");
  for (const DraggedPoint& point : points)
    if (point.vertex < 0 || index(point.vertex) >= surface.rest.positions.size() || !is_finite(point.to))
      throw usage_error("vertex " + std::to_string(point.vertex) +
                        " cannot be dragged; name one of the skin, and a place that is a number.");
  start_ = values_of(first_);
  // An amplitude's usual change moves the skin by that of a length.
  ShapeSample unit = first_;
  unit.eta[amplitude_parameter] = 1;
  unit.strain = 1;
  const double farthest = reach_of(force(unit), body);
  if (!(farthest > 0))
    throw simulation_error("its force does not move the skin, since it lies in bone or outside the body.");
  for (const ShapeParameter& row : rows_) usual_change_.push_back(usual_change(row, height_));
  usual_change_[amplitude_parameter] = change_of_height * height_ / farthest;

  body.set_pose(bones);
  VertexFrames skin;
  predict_frames(skin_of(surface), bones, skin);
  for (const DraggedPoint& point : points) goal_.push_back(skin.goal[index(point.vertex)]);
}

TemplateFitting::~TemplateFitting() {
  if (first_.stiffness != 1) body_.stiffen({});
}

std::vector<double> TemplateFitting::values_of(const ShapeSample& sample) const {
  std::vector<double> values = sample.eta;
  if (first_.strain != 1) values.push_back(sample.strain);
  if (first_.stiffness != 1) values.push_back(sample.stiffness);
  return values;
}

ShapeSample TemplateFitting::sample_with(std::span<const double> values) const {
  ShapeSample sample = first_;
  std::copy_n(values.begin(), of_rig_, sample.eta.begin());
  if (first_.strain != 1) sample.strain = values[of_rig_];
  if (first_.stiffness != 1) sample.stiffness = values.back();
  return sample;
}

TissueChange TemplateFitting::tissue(const ShapeSample& sample) const {
  const std::span<const double> eta = sample.eta;
  const std::size_t own = parameters_of(kind_).size();
  return {anchor_.frame(eta.subspan(own)), template_support(kind_, eta.first(own)), sample.strain, sample.stiffness};
}

ForceField TemplateFitting::field(const ShapeSample& sample) const { return rig_field(kind_, sample.eta, anchor_); }

ForceBalance TemplateFitting::balance(const ShapeSample& sample) const {
  return ForceBalance(balance_region(balance_, field(sample)), body_);
}

std::vector<PointForce> TemplateFitting::force(const ShapeSample& sample) const {
  std::vector<PointForce> force = body_.integrate(field(sample));
  if (balance_ > 0) force = balance(sample).balanced(force);
  if (sample.strain == 1) return force;
  std::vector<Vec3> sum(body_.points());
  add_forces(force, 1, sum);
  add_forces(body_.integrate(strain_of(tissue(sample))), 1, sum);
  return nonzero_forces(sum);
}

std::vector<Affine> TemplateFitting::frame_slopes(const ShapeSample& sample) const {
  const std::size_t own = parameters_of(kind_).size();
  std::vector<Affine> by_guide;
  std::vector<double> parameters(sample.eta.begin() + static_cast<std::ptrdiff_t>(own), sample.eta.end());
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const double step = difference * usual_change_[own + k], at = parameters[k];
    parameters[k] = at + step;
    const Affine ahead = anchor_.frame(parameters);
    parameters[k] = at - step;
    const Affine behind = anchor_.frame(parameters);
    parameters[k] = at;
    by_guide.push_back(
        {(0.5 / step) * (ahead.linear - behind.linear), (ahead.translation - behind.translation) / (2 * step)});
  }
  return by_guide;
}

// Derivatives of f(x) = R t(R^T (x - c)) with the template's t and the guide's frame R, c.
ForceDensities TemplateFitting::derivatives(const ShapeSample& sample, const std::vector<Affine>& by_guide) const {
  const std::span<const double> eta = sample.eta;
  const std::size_t own = parameters_of(kind_).size();
  const Affine frame = anchor_.frame(eta.subspan(own));
  const std::vector<double> of_template(eta.begin(), eta.begin() + static_cast<std::ptrdiff_t>(own));
  return {eta.size(),
          [kind = kind_, own, frame, by_guide, of_template](const Vec3& x, const Vec3& u, double weight,
                                                            std::span<double> sum) {
            const Vec3 away = x - frame.translation, local = transpose_times(frame.linear, u);
            const TemplateSlope slope = template_slope(kind, of_template, transpose_times(frame.linear, away));
            const Vec3 by_place = transpose_times(slope.by_place, local);
            for (std::size_t k = 0; k < own; ++k) sum[k] += weight * dot(local, slope.by_parameter[k]);
            for (std::size_t k = 0; k < by_guide.size(); ++k) {
              const Vec3 moved =
                  transpose_times(by_guide[k].linear, away) - transpose_times(frame.linear, by_guide[k].translation);
              sum[own + k] +=
                  weight * (dot(transpose_times(by_guide[k].linear, u), slope.force) + dot(by_place, moved));
            }
          },
          frame.translation, template_support(kind_, of_template), template_detail(kind_, of_template)};
}

// Per row, how frame, support, strain and stiffness change with it.
std::vector<TissueChange> TemplateFitting::tissue_derivatives(const ShapeSample& sample,
                                                              const std::vector<Affine>& by_guide) const {
  const std::size_t own = parameters_of(kind_).size();
  TissueChange none{{Mat3::zero(), {}}, 0, 0, 0};
  std::vector<TissueChange> by_row(rows_.size(), none);
  std::vector<double> of_template(sample.eta.begin(), sample.eta.begin() + static_cast<std::ptrdiff_t>(own));
  const double support = template_support(kind_, of_template);
  for (std::size_t k = 0; k < own; ++k) {  // the support is linear in the template's parameters
    of_template[k] += 1;
    by_row[k].radius = template_support(kind_, of_template) - support;
    of_template[k] -= 1;
  }
  for (std::size_t k = 0; k < by_guide.size(); ++k) by_row[own + k].frame = by_guide[k];
  if (first_.strain != 1) by_row[of_rig_].strain = 1;
  if (first_.stiffness != 1) by_row.back().stiffness = 1;
  return by_row;
}

// With the counterforce, which changes as its ball moves and grows; by changes of a and b it does no work along what
// ForceBalance::balanced_work() leaves.
std::vector<double> TemplateFitting::work(const ShapeSample& sample, const std::vector<Affine>& by_guide,
                                          std::span<const Vec3> adjoint) const {
  ForceDensities densities = derivatives(sample, by_guide);
  if (balance_ == 0) return body_.work(densities, adjoint);
  const BalanceRegion region = balance_region(balance_, field(sample));
  const ForceBalance balance(region, body_);
  const std::vector<Vec3> along = balance.balanced_work(adjoint);
  std::vector<double> work = body_.work(densities, along);
  const std::vector<double> of_ball =
      body_.work({densities.count,
                  [counter = balance.counter(body_.integrate(field(sample))), region, factor = balance_,
                   by_row = tissue_derivatives(sample, by_guide),
                   count = densities.count](const Vec3& x, const Vec3& u, double weight, std::span<double> sum) {
                    const double push = weight * dot(counter.at(x), u);
                    for (std::size_t k = 0; k < count; ++k)
                      sum[k] += push * bell_slope(x - region.centre, region.radius, by_row[k].frame.translation,
                                                  factor * by_row[k].radius);
                  },
                  region.centre, region.radius, region.radius},
                 along);
  for (std::size_t k = 0; k < work.size(); ++k) work[k] += of_ball[k];
  return work;
}

void TemplateFitting::add_work(const ShapeSample& sample, std::span<const Vec3> displacements,
                               std::span<const Vec3> adjoint, std::span<double> gradient) {
  const auto add = [&](const std::vector<double>& work, double factor) {
    for (std::size_t k = 0; k < work.size(); ++k) gradient[k] += factor * work[k];
  };
  const std::vector<Affine> by_guide = frame_slopes(sample);
  add(work(sample, by_guide, adjoint), 1);
  if (rows_.size() == of_rig_) return;
  const TissueChange change = tissue(sample);
  const std::vector<TissueChange> by_row = tissue_derivatives(sample, by_guide);
  if (first_.strain != 1) add(body_.work(strain_derivatives(change, by_row), adjoint), 1);
  if (first_.stiffness != 1) add(body_.work(stiffening_derivatives(change, by_row), displacements, adjoint), -1);
}

TemplateCost TemplateFitting::cost(std::span<const double> values, bool with_gradient, const StaticSearch& search) {
  const ShapeSample sample = sample_with(values);
  if (first_.stiffness != 1) body_.stiffen(body_.stiffening(stiffening_of(tissue(sample))));
  const std::vector<Vec3> displacement = body_.displacements(force(sample), search);
  const std::span<const Mat3> rotation = body_.rotations();
  const SparseRows& skin = body_.skin();
  const double share = 1 / (static_cast<double>(points_.size()) * height_ * height_);
  TemplateCost cost;
  std::vector<Vec3> by_displacement(body_.points());
  double sum = 0;
  for (std::size_t j = 0; j < points_.size(); ++j) {
    const auto begin = index(skin.start[index(points_[j].vertex)]),
               end = index(skin.start[index(points_[j].vertex) + 1]);
    Vec3 away = goal_[j] - points_[j].to;
    for (auto e = begin; e < end; ++e)
      away += skin.value[e] * (rotation[index(skin.column[e])] * displacement[index(skin.column[e])]);
    sum += squared_norm(away);
    for (auto e = begin; e < end; ++e)
      by_displacement[index(skin.column[e])] +=
          (2 * share * skin.value[e]) * transpose_times(rotation[index(skin.column[e])], away);
  }
  cost.value = share * sum;
  cost.distance = std::sqrt(sum / static_cast<double>(points_.size()));
  cost.gradient.assign(rows_.size(), 0.0);
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    const double changed = (values[k] - start_[k]) / usual_change_[k];
    cost.value += options_.keep * changed * changed;
    cost.gradient[k] = 2 * options_.keep * changed / usual_change_[k];
  }
  if (!with_gradient) return cost;
  std::vector<double> by_value(rows_.size());
  add_work(sample, displacement, body_.adjoint(displacement, by_displacement, search), by_value);
  for (std::size_t k = 0; k < rows_.size(); ++k)
    if (!is_fixed(k)) cost.gradient[k] += by_value[k];
  return cost;
}

TemplateFit TemplateFitting::fit(const std::function<bool()>& proceed) {
  const std::size_t count = rows_.size();
  std::vector<double> x(count, 0.0), lower(count, -HUGE_VAL), upper(count, HUGE_VAL), values(count);
  std::vector<double> best_values = start_;
  for (std::size_t k = 0; k < count; ++k) {
    if (is_fixed(k)) {
      lower[k] = upper[k] = 0;
      continue;
    }
    const double least =
        rows_[k].range.without_least ? rows_[k].range.least + least_length * height_ : rows_[k].range.least;
    lower[k] = (std::min(least, start_[k]) - start_[k]) / usual_change_[k];
    upper[k] = (std::max(rows_[k].range.most, start_[k]) - start_[k]) / usual_change_[k];
  }
  const TemplateCost at_start = cost(start_, false);
  TemplateFit fit{first_, at_start.distance, at_start.distance, 0};
  if (!(at_start.value > 0)) return fit;
  double best = HUGE_VAL;
  // Costs are relative to that at the start, since the search measures decreases of values below 1 by themselves.
  const BoundedMinimum found = minimize_in_box(
      [&](std::span<const double> at, std::span<double> gradient) {
        for (std::size_t k = 0; k < count; ++k) values[k] = start_[k] + usual_change_[k] * at[k];
        if (*contradiction(kind_, values)) return std::numeric_limits<double>::infinity();
        try {
          const TemplateCost here = cost(values, true, while_dragged);
          for (std::size_t k = 0; k < count; ++k) gradient[k] = usual_change_[k] / at_start.value * here.gradient[k];
          if (here.value < best) best = here.value, best_values = values;
          return here.value / at_start.value;
        } catch (const Error& error) {
          if (error.kind() != ErrorKind::simulation) throw;
          return std::numeric_limits<double>::infinity();  // no equilibrium: the step is shortened
        }
      },
      lower, upper, x,
      {.iterations = options_.iterations, .evaluations = 3 * options_.iterations, .relative_decrease = least_decrease},
      [&](int, double) { return !proceed || proceed(); });
  fit.iterations = found.iterations;
  fit.sample = sample_with(best_values);
  fit.after = cost(best_values, false).distance;
  return fit;
}

}  // namespace sinew
