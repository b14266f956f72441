#include "sinew/deform/lattice/solver/environment_response.h"

#include <algorithm>
#include <functional>

#include "sinew/deform/lattice/solver/held_by_multipliers.h"
#include "sinew/deform/lattice/solver/unknown_vectors.h"
#include "sinew/linalg/vector_operations.h"

namespace sinew {
namespace {

Unknowns unknowns_of(const ActiveFunctions& active) { return {active.unknown, active.unknown_function}; }

// The diagonal of M over the unknowns.
std::vector<double> inertia_of(const SparseRows& mass, const ActiveFunctions& active) {
  std::vector<double> inertia(active.unknowns(), 0.0);
  for (std::size_t u = 0; u < inertia.size(); ++u) {
    const auto row = static_cast<std::size_t>(active.unknown_function[u]);
    for (auto e = static_cast<std::size_t>(mass.start[row]); e < static_cast<std::size_t>(mass.start[row + 1]); ++e)
      if (mass.column[e] == active.unknown_function[u]) inertia[u] += mass.value[e];
  }
  return inertia;
}

using Respond = FunctionRef<void(std::span<const double>)>;

// Adapter of a lattice's step for the search for contacts. The approximate inverse acts in the subspace of the held
// points.
class LatticeInContact final : public ContactedBody {
 public:
  LatticeInContact(const SparseRows& surface, const LatticeMoment& moment, std::span<const Vec3> offset,
                   std::span<const Vec3> position, std::span<const double> reach, const LinearOperator& guess,
                   Respond respond)
      : surface_(surface),
        moment_(moment),
        reach_(reach),
        offset_(offset),
        position_(position),
        guess_(guess),
        respond_(respond),
        force_(3 * moment.active.unknowns()),
        moved_(force_.size()) {}

  void positions(std::span<Vec3> place) override {
    multiply(surface_, position_, place);
    for (std::size_t s = 0; s < place.size(); ++s) place[s] += offset_[s];
  }

  std::optional<Vec3> position_before(std::size_t point) override {
    return row_times(surface_, point, moment_.state.position) + offset_[point];
  }

  Goals goals(std::size_t point) override {
    const VertexFrames& frames = moment_.pose.functions;
    Goals goals{offset_[point], offset_[point]};
    for (auto e = static_cast<std::size_t>(surface_.start[point]);
         e < static_cast<std::size_t>(surface_.start[point + 1]); ++e) {
      const auto f = static_cast<std::size_t>(surface_.column[e]);
      goals.now += surface_.value[e] * frames.goal[f];
      // Offset at the step's start, up to the rotation of frames within the step.
      goals.before +=
          surface_.value[e] * (moment_.state.position[f] - frames.rotation[f] * moment_.state.displacement[f]);
    }
    return goals;
  }
  double push_reach(std::size_t point) const override {
    return reach_.empty() ? ContactedBody::push_reach(point) : reach_[point];
  }

  void apply_compliance(std::span<const double> force, std::span<double> along_normals) override {
    std::fill(force_.begin(), force_.end(), 0.0);
    contacts_->add_forces(force, force_);
    guess_(force_, moved_);
    contacts_->along_normals(moved_, along_normals);
  }

  void respond(std::span<const double> more) override { respond_(more); }

 private:
  const SparseRows& surface_;
  const LatticeMoment& moment_;
  std::span<const double> reach_;
  std::span<const Vec3> offset_, position_;
  const LinearOperator& guess_;
  Respond respond_;
  ScratchVector<double> force_, moved_;
};

}  // namespace

EnvironmentResponse::EnvironmentResponse(const LatticeBody& body)
    : body_(body),
      held_(body.description.surface),
      contact_(body.description.surface, contact_lengths(largest_extent(body.description.surface_rest))) {
  if (body.description.creases) creases_.emplace(body.description.creases);
}

LinearOperator EnvironmentResponse::mass() const {
  return [this](std::span<const double> from, std::span<double> to) { mass_.multiply(from, to); };
}

LinearOperator EnvironmentResponse::inverse_mass() const {
  return [this](std::span<const double> from, std::span<double> to) { mass_.solve(from, to); };
}

void EnvironmentResponse::set(const Environment& environment) {
  check_environment(environment, body_.description.surface.rows());
  environment_ = environment;
}

void EnvironmentResponse::begin_step(const ActiveFunctions& active, const LatticePose& pose,
                                     std::span<const Affine> bones, std::span<const Affine> before) {
  held_.hold(
      environment_.held, unknowns_of(active), [&] { return inertia_of(body_.mass(), active); }, functions_changed_);
  force_.assign(3 * active.unknowns(), 0.0);
  if (!creases_ && !acts()) return;
  predict_surface_offsets(body_, bones, pose, offset_);
  if (creases_) {
    ScratchVector<Vec3> goal(offset_.size());
    multiply(body_.description.surface, pose.functions.goal, goal);
    for (std::size_t s = 0; s < goal.size(); ++s) goal[s] += offset_[s];
    creases_->begin(before, bones, goal);
  }
  if (!acts()) return;
  if (functions_changed_) mass_ = UnknownMass(body_.mass(), active);
  functions_changed_ = false;
}

void EnvironmentResponse::stabilize(const LatticeState& before) {
  if (held_.empty()) return;
  const double step = body_.method.step;
  held_.stabilize(before.position, before.velocity, before.held, offset_, step, stabilization_of(step));
}

void EnvironmentResponse::meet_targets(std::span<const Vec3> position, std::span<double> change) {
  const ScratchVector<Vec3> missing = held_.missing(position, offset_);
  std::fill(change.begin(), change.end(), 0.0);
  held_.meet(missing, change);
}

int EnvironmentResponse::meet_obstacles(const LatticeMoment& moment, const LinearOperator& approximate_inverse,
                                        FunctionRef<void(std::span<const double>)> respond, double tolerance,
                                        std::span<const Vec3> position) {
  ScratchVector<double> within(force_.size());
  const auto guess_within = [&](std::span<const double> from, std::span<double> to) {
    std::copy(from.begin(), from.end(), within.begin());
    held_.project(within);
    approximate_inverse(within, to);
    held_.project(to);
  };
  const LinearOperator guess = std::cref(guess_within);
  const auto take_force = [this, respond](std::span<const double> force) {
    add_force(force);
    respond(force);
  };
  LatticeInContact body(body_.description.surface, moment, offset_, position, body_.description.push_reach, guess,
                        take_force);
  Obstacles obstacles = environment_.obstacles();
  if (creases_) obstacles.skin = &*creases_;
  return contact_.hold({obstacles, unknowns_of(moment.active), held_, body_.method.step, tolerance, environment_.balls,
                        1 / body_.method.mass_factor()},
                       body);
}

void EnvironmentResponse::add_force(std::span<const double> force) { add_scaled(1, force, force_); }

void EnvironmentResponse::impulse_of(std::span<const double> force, std::span<double> velocity) const {
  mass_.solve(force, velocity);
  scale(1 / (body_.method.mass_factor() * body_.method.step), velocity, velocity);
}

void EnvironmentResponse::push_before_step(const ActiveFunctions& active, std::span<Vec3> velocity) const {
  ScratchVector<double> change(force_.size());
  impulse_of(force_, change);
  add_unknowns(active, 1, change, velocity);
}

void EnvironmentResponse::settle_after_step(const ActiveFunctions& active, std::span<Vec3> velocity) {
  if (!held_.empty()) {
    ScratchVector<double> change(force_.size());
    held_.meet_velocities(mass(), inverse_mass(), velocity, change);
    add_unknowns(active, 1, change, velocity);
  }
  if (!touches()) return;
  const double impulse_per_force = 1 / (body_.method.mass_factor() * body_.method.step);
  contact_.settle(held_.inverse_mass(inverse_mass()), impulse_per_force, unknowns_of(active), velocity);
}

}  // namespace sinew
