#include "sinew/deform/rig_space/rig_space_deformer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/deform/rig_space/adaptive_steps.h"
#include "sinew/deform/snapshot_numbers.h"
#include "sinew/rig/offset_rig.h"

namespace sinew {
namespace {

// Multiple of its range by which physics may move a free parameter.
constexpr double most_ranges = 100;
// Largest stiffness of a body relative to that at rest.
constexpr double most_stiffening = 1e6;

// True if every pair of rows satisfies the inequality of a definite matrix; also true for an empty matrix.
bool is_definite(const std::vector<double>& matrix) {
  const auto size = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      if (!(std::abs(matrix[i * size + j]) <= (1 + 1e-6) * std::sqrt(matrix[i * size + i] * matrix[j * size + j])))
        return false;
  return true;
}

// Largest offset from its rest value of the free parameter i.
double farthest_value(const RigSpacePieces& pieces, std::size_t i) {
  const RigParameter& parameter = pieces.rig->parameters()[index(pieces.free[i])];
  const double factor = pieces.dynamics.range.empty() ? 1 : std::max(1.0, pieces.dynamics.range[i]);
  return most_ranges * factor * (parameter.upper - parameter.lower);
}

}  // namespace

std::vector<ControlRange> rig_space_curves(const RigSpacePieces& pieces) {
  std::vector<ControlRange> curves;
  for (std::size_t i = 0; i < pieces.free.size(); ++i) {
    const RigParameter& parameter = pieces.rig->parameters()[index(pieces.free[i])];
    const double farthest = farthest_value(pieces, i);
    curves.push_back({parameter.name, parameter.rest - farthest, parameter.rest + farthest});
  }
  return curves;
}

namespace {

DeformerTraits rig_space_traits(const RigSpacePieces& pieces) {
  const std::vector<double>& mass = pieces.body->mass;
  DeformerTraits traits;
  traits.step = pieces.step;
  traits.has_volume = false;
  traits.period = pieces.period;
  traits.least_energy = least_energy(std::accumulate(mass.begin(), mass.end(), 0.0), pieces.height);
  traits.curves = rig_space_curves(pieces);
  return traits;
}

class RigSpaceDeformer final : public Deformer {
 public:
  explicit RigSpaceDeformer(RigSpacePieces pieces)
      : pieces_(std::move(pieces)),
        traits_(rig_space_traits(pieces_)),
        rig_(*pieces_.rig, pieces_.free),
        whole_rig_(*pieces_.whole_rig, pieces_.free),
        offsets_(rig_.offsets()),
        motion_(pieces_.body, rig_, offsets_, pieces_.dynamics) {
    for (const RigParameter& parameter : rig_.parameters()) rest_.push_back(parameter.rest);
    p_ = last_ = rest_;
  }

  const DeformerTraits& traits() const override { return traits_; }

  void reset(const RigState& rig, const RigState& next) override {
    std::vector<double> p_next = rest_;
    key(rig.controls, p_);
    key(next.controls, p_next);
    fix(rig, step());
    motion_.reset(p_, p_next, step());
    last_ = p_;
    time_ = rig.time;
    now_.assign(motion_.free_values().begin(), motion_.free_values().end());
    before_ = now_;
  }

  void advance(const RigState& rig, const Environment&) override {
    before_ = now_;
    if (pieces_.adaptive) {
      advance_adaptively(
          motion_,
          [&](double seconds, std::span<double> p) {
            key_at(rig, seconds, p);
            fix(rig, seconds);
          },
          step(), p_, adaptive_);
    } else {
      key(rig.controls, p_);
      fix(rig, step());
      motion_.advance(p_, step());
    }
    key(rig.controls, last_);
    time_ = rig.time;
    iterations_ = motion_.statistics().iterations;
    now_.assign(motion_.free_values().begin(), motion_.free_values().end());
  }

  void carry(const RigCut& cut) override {
    std::vector<double> p_next = rest_;
    key(cut.entered.controls, p_);
    key(cut.next.controls, p_next);
    motion_.carry(p_, p_next, step());
    key(cut.entered.controls, last_);
    time_ = cut.entered.time;
    before_ = now_;
  }

  void goal(const RigState& rig, std::span<Vec3> surface) override {
    std::vector<double> p = rest_;
    key(rig.controls, p);
    whole_rig_.evaluate(p, surface);
  }

  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override {
    std::vector<double> p = rest_, values(now_.size());
    std::vector<Vec3> by_rig(surface.size());
    key(rig.controls, p);
    whole_rig_.evaluate(p, by_rig);
    curves(before, values);
    for (std::size_t i = 0; i < values.size(); ++i) p[index(offsets_[i])] = values[i];
    whole_rig_.evaluate(p, surface);
    for (std::size_t v = 0; v < surface.size(); ++v) surface[v] -= by_rig[v];
  }

  std::span<const Vec3> points() const override { return motion_.positions(); }

  BodyMeasures measure(const RigState&) override {
    return {motion_.elastic_energy() + motion_.kinetic_energy(), 1, motion_.smallest_volume_ratio()};
  }
  StepStatistics statistics() const override {
    const RigSpaceStatistics& s = motion_.statistics();
    counters_ = {{{"steps", s.steps},
                  {"rig_evaluations", s.rig_evaluations},
                  {"jacobians", s.jacobians},
                  {"roll_backs", s.roll_backs}}};
    StepStatistics statistics;
    statistics.iterations = iterations_;
    statistics.counters = counters_;
    return statistics;
  }

  void curves(double before, std::span<double> values) const override {
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = now_[i] + before * (before_[i] - now_[i]);
  }

  void save(Snapshot& snapshot) const override {
    const RigSpaceState& s = motion_.state();
    std::vector<double>& numbers = snapshot.numbers;
    numbers = s.free;
    numbers.insert(numbers.end(), s.rate.begin(), s.rate.end());
    append_vectors(numbers, s.x);
    append_vectors(numbers, s.velocity);
    append_vectors(numbers, s.interior_offset);
    numbers.insert(numbers.end(), s.jacobian_at.begin(), s.jacobian_at.end());
    for (const std::vector<double>* matrix : {&s.damping, &s.next_damping, &s.hessian}) {
      numbers.push_back(static_cast<double>(matrix->size()));
      numbers.insert(numbers.end(), matrix->begin(), matrix->end());
    }
    numbers.push_back(s.hessian_step);
    numbers.push_back(static_cast<double>(s.hessian_fixed.size()));
    numbers.insert(numbers.end(), s.hessian_fixed.begin(), s.hessian_fixed.end());
    numbers.push_back(adaptive_.halvings);
    numbers.insert(numbers.end(), before_.begin(), before_.end());
  }

  void load(const Snapshot& snapshot, const RigState& rig, double reach) override {
    check_within(snapshot.numbers, std::numeric_limits<double>::max(), "the state of its flesh");
    SnapshotNumbers take(snapshot.numbers);
    const std::size_t free = pieces_.free.size(), vertices = pieces_.body->mesh.positions.size();
    RigSpaceState s;
    s.free = take.numbers(free);
    s.rate = take.numbers(free);
    s.x = take.vectors(vertices);
    s.velocity = take.vectors(vertices);
    s.interior_offset = take.vectors(motion_.state().interior_offset.size());
    s.jacobian_at = take.numbers(p_.size());
    for (std::vector<double>* matrix : {&s.damping, &s.next_damping, &s.hessian})
      *matrix = take.numbers(matrix_size(take.number()));
    s.hessian_step = take.number();
    s.hessian_fixed = flags(take.number(), take);
    const double halvings = take.number();
    const std::vector<double> before = take.numbers(free);
    take.finish();
    check_state(s, halvings, reach);
    check_curves(traits_.curves, s.free);
    check_curves(traits_.curves, before);
    adaptive_.halvings = static_cast<int>(halvings);
    motion_.set_state(s);
    now_ = s.free;
    before_ = before;
    key(rig.controls, last_);
    time_ = rig.time;
  }

 private:
  // The animator's values, and no offsets.
  void key(std::span<const double> controls, std::span<double> p) const {
    std::copy(rest_.begin(), rest_.end(), p.begin());
    std::copy(controls.begin(), controls.end(), p.begin());
  }

  // Writes the keyed parameters at `seconds` after the last step.
  void key_at(const RigState& rig, double seconds, std::span<double> p) const {
    std::vector<double> controls(rest_.begin(), rest_.begin() + offsets_.front());
    if (rig.path) {
      (*rig.path)(time_ + seconds, controls);
    } else if (!rig.controls.empty()) {
      const double share = seconds / step();
      for (std::size_t i = 0; i < controls.size(); ++i) controls[i] = last_[i] + share * (rig.controls[i] - last_[i]);
    }
    key(controls, p);
  }

  // Checks the size of a matrix in a snapshot, which is complete or empty.
  std::size_t matrix_size(double numbers) const {
    const auto columns = static_cast<double>(motion_.padded_columns());
    if (numbers != 0 && numbers != columns * columns) throw forged_state("the size of a matrix");
    return static_cast<std::size_t>(numbers);
  }

  // Reads a flag for each free parameter, or none.
  std::vector<char> flags(double count, SnapshotNumbers& take) const {
    if (count != 0 && count != static_cast<double>(pieces_.free.size())) throw forged_state("its number of controls");
    std::vector<char> result;
    for (const double flag : take.numbers(static_cast<std::size_t>(count))) {
      if (flag != 0 && flag != 1) throw forged_state("which of its controls are fixed");
      result.push_back(flag == 1);
    }
    return result;
  }

  // Passes on what is fixed at `seconds` after the last step, in a step that ends there.
  void fix(const RigState& rig, double seconds) {
    fixed_.clear();
    for (const FixedControl& control : rig.fixed)
      fixed_.push_back({index(control.control), control.in + (step() - seconds), control.value, control.rate});
    motion_.fix(fixed_);
  }

  void check_state(const RigSpaceState& s, double halvings, double reach) const {
    const double h = step(), shortest = std::ldexp(h, -adaptive_.most_halvings);
    check_within(s.x, reach, "where its body is");
    check_within(s.interior_offset, reach, "where its body is");
    check_within(s.velocity, 10 * reach / shortest, "how fast its body is");
    if (!(halvings >= 0 && halvings <= adaptive_.most_halvings && halvings == std::floor(halvings)))
      throw forged_state("the length of its steps");
    if (!(s.hessian_step >= 0 && s.hessian_step <= h)) throw forged_state("the length of its steps");
    for (std::size_t i = 0; i < s.rate.size(); ++i)
      if (!(std::abs(s.rate[i]) * shortest <= farthest_value(pieces_, i)))
        throw forged_state("how fast its controls are");
    for (std::size_t i = 0; i < pieces_.free.size(); ++i) {
      const std::size_t k = index(offsets_[i]);
      if (!(std::abs(s.jacobian_at[k] - rest_[k]) <= farthest_value(pieces_, i)))
        throw forged_state("where its controls were");
    }
    std::vector<Vec3> goal(pieces_.rig->vertices());
    try {
      pieces_.rig->evaluate(std::span(s.jacobian_at).first(index(offsets_.front())), goal);
    } catch (const Error&) {
      throw forged_state("where its controls were");
    }
    check_within(goal, reach, "where its controls were");
    if (!is_definite(s.hessian)) throw forged_state("a matrix");
    // Damping need not be definite where the body is far from rest; motion_ is still where the run began.
    double damping = 0;
    for (const double entry : motion_.state().next_damping) damping = std::max(damping, std::abs(entry));
    for (const std::vector<double>* matrix : {&s.damping, &s.next_damping})
      check_within(*matrix, most_stiffening * damping, "a matrix");
  }

  RigSpacePieces pieces_;
  DeformerTraits traits_;
  OffsetRig rig_, whole_rig_;
  std::vector<int> offsets_;  // parameters of these that physics moves
  RigSpaceMotion motion_;
  AdaptiveSteps adaptive_;
  std::vector<double> rest_, p_, last_;      // all parameters and offsets: at rest, work space, keyed at the last step
  std::vector<double> before_, now_;         // offsets, a step apart
  double time_ = 0;                          // of the last step
  std::vector<FixedParameter> fixed_;        // in the next step
  int iterations_ = 0;                       // of the last step
  mutable std::array<Counter, 4> counters_;  // what statistics() shows
};

}  // namespace

std::unique_ptr<Deformer> rig_space_deformer(RigSpacePieces pieces) {
  return std::make_unique<RigSpaceDeformer>(std::move(pieces));
}

}  // namespace sinew
