#include "sinew/deform/surface/surface_deformer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "sinew/contact/held_points.h"
#include "sinew/contact/outside_forces.h"
#include "sinew/deform/snapshot_numbers.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

DeformerTraits surface_traits(const OpenSurfaceModel& model) {
  DeformerTraits traits;
  traits.step = model.step();
  traits.has_volume = false;
  traits.can = surface_obeys;
  return traits;
}

// Kilograms per vertex: what is inside the surface, shared by the skin's area, as heavy as water. A model of the
// surface knows no mass, and a force has to move something.
std::vector<double> skin_mass(const TriangleMesh& rest) {
  constexpr double density = 1000, thinnest = 0.005;  // kg/m^3; of the surface's extent, where it encloses nothing
  std::vector<double> mass(rest.positions.size(), 0.0);
  double area = 0, volume = 0;
  Vec3 least{HUGE_VAL, HUGE_VAL, HUGE_VAL}, most = -1.0 * least;
  for (const Vec3& x : rest.positions) {
    least = min(least, x);
    most = max(most, x);
  }
  for (const Triangle& t : rest.triangles) {
    const Vec3 &a = rest.positions[static_cast<std::size_t>(t[0])], &b = rest.positions[static_cast<std::size_t>(t[1])],
               &c = rest.positions[static_cast<std::size_t>(t[2])];
    const double own = 0.5 * norm(cross(b - a, c - a));
    area += own;
    volume += dot(a - least, cross(b - least, c - least)) / 6;
    for (const int v : t) mass[static_cast<std::size_t>(v)] += own / 3;
  }
  const double depth = area > 0 ? std::max(std::abs(volume) / area, thinnest * norm(most - least)) : 0;
  for (double& m : mass) m *= density * depth;
  return mass;
}

class SurfaceDeformer final : public Deformer {
 public:
  SurfaceDeformer(std::shared_ptr<const OpenSurfaceModel> model, const SimulationSurface& surface)
      : surface_(surface), traits_(surface_traits(*model)), body_(std::move(model)) {}

  const DeformerTraits& traits() const override { return traits_; }

  void reset(const RigState& rig, const RigState& next) override {
    body_.reset(rig.bones, next.bones);
    held_.clear();
    constraint_errors_.clear();
    body_.offsets(now_);
    earlier_ = now_;
  }

  void advance(const RigState& rig, const Environment& environment) override {
    push(environment.loads);
    hold(environment.held);
    earlier_.swap(now_);
    body_.step(rig.bones);
    body_.offsets(now_);
    find_constraint_errors(environment.held);
  }

  void carry(const RigCut& cut) override {
    body_.carry(cut.entered.bones, cut.next.bones);
    body_.offsets(now_);
    earlier_ = now_;
  }

  void goal(const RigState& rig, std::span<Vec3> surface) override {
    linear_blend(surface_.rest.positions, surface_.influences, rig.bones, surface);
  }
  void displacements(const RigState&, double before, std::span<Vec3> surface) override {
    between_steps(earlier_, now_, before, surface);
  }

  std::span<const Vec3> points() const override { return now_; }
  StepStatistics statistics() const override {
    StepStatistics statistics;
    statistics.constraint_errors = constraint_errors_;
    return statistics;
  }

  // The run-time's own state identifies the model.
  void save(Snapshot& snapshot) const override {
    snapshot.numbers = body_.save();
    append_vectors(snapshot.numbers, earlier_);
  }
  void load(const Snapshot& snapshot, const RigState&, double reach) override {
    load_by(&SurfaceBody::load, snapshot, reach);
  }
  void take_over(const Snapshot& snapshot, const RigState& rig, const RigState& next, double reach) override {
    reset(rig, next);
    load_by(&SurfaceBody::take_over, snapshot, reach);
  }

 private:
  void load_by(void (SurfaceBody::*loads)(std::span<const double>), const Snapshot& snapshot, double reach) {
    const std::size_t points = 3 * now_.size();
    SnapshotNumbers take(snapshot.numbers);
    (body_.*loads)(take.numbers(take.left() < points ? points : take.left() - points));
    earlier_ = take.vectors(now_.size());
    body_.offsets(now_);
    for (const std::vector<Vec3>* offsets : {&now_, &earlier_}) check_within(*offsets, 2 * reach, "where its flesh is");
    // Nobody knows what held it.
    held_.clear();
    for (std::size_t v = 0; v < now_.size(); ++v) held_.push_back(static_cast<int>(v));
  }

  // A force over a step, as a change of velocity of the skin's mass within its radius.
  void push(std::span<const Load> acting) {
    if (acting.empty()) return;
    if (mass_.empty()) mass_ = skin_mass(surface_.rest);
    body_.positions(place_);
    constexpr double smallest_radius = 1e-6;  // metres: the middle alone
    const std::vector<Vec3>& rest = surface_.rest.positions;
    for (const Load& poke : acting) {
      const ScratchVector<double> share = load_shares(rest, poke);
      const auto middle = static_cast<std::size_t>(std::max_element(share.begin(), share.end()) - share.begin());
      const double radius = std::max(poke.radius, smallest_radius);
      // The run-time weighs vertices by the same falloff about where the middle is now.
      double mass = 0;
      for (std::size_t v = 0; v < place_.size(); ++v) {
        const double inside = 1 - squared_norm(place_[v] - place_[middle]) / (radius * radius);
        if (inside > 0) mass += inside * inside * mass_[v];
      }
      if (mass > 0) body_.poke(place_[middle], radius, (traits_.step / mass) * poke.force);
    }
  }

  // Shi 2008, section 5: vertices that the user drags are at the hand, and the surface around them follows as learned.
  // If held patches have more vertices than the run-time holds, those of largest weight are held.
  void hold(std::span<const HeldPoint> held) {
    if (held.empty() && held_.empty()) return;
    ScratchVector<int> now;
    if (!held.empty()) body_.positions(place_);
    const double least = least_share(held);
    for (const HeldPoint& point : held) {
      if (point.patch && point.share < least) continue;
      const Vec3 correction = point.target - place_of(point.point, place_);
      for (std::size_t k = 0; k < 3; ++k) {
        const int v = point.point.vertex[k];
        if (v < 0 || point.point.weight[k] == 0) continue;
        body_.hold(v, place_[static_cast<std::size_t>(v)] + correction);
        now.push_back(v);
      }
    }
    std::sort(now.begin(), now.end());
    for (const int v : held_)
      if (!std::binary_search(now.begin(), now.end(), v)) body_.release(v);
    held_.assign(now.begin(), now.end());
  }

  // Least weight of held vertices of patches, for which the run-time has room.
  static double least_share(std::span<const HeldPoint> held) {
    constexpr std::size_t most = SurfaceBody::most_held;
    std::size_t others = 0;
    ScratchVector<double> shares;
    for (const HeldPoint& point : held)
      if (point.patch)
        shares.push_back(point.share);
      else
        others += 3;
    const std::size_t room = others < most ? most - others : 0;
    if (shares.size() <= room) return 0;
    std::sort(shares.begin(), shares.end(), std::greater<>());
    return room > 0 ? std::nextafter(shares[room], HUGE_VAL) : HUGE_VAL;
  }

  void find_constraint_errors(std::span<const HeldPoint> held) {
    if (held.empty()) return constraint_errors_.clear();
    body_.positions(place_);
    ScratchVector<Vec3> missed;
    for (const HeldPoint& point : held) missed.push_back(point.target - place_of(point.point, place_));
    sinew::find_constraint_errors(held, missed, constraint_errors_);
  }

  const SimulationSurface& surface_;
  DeformerTraits traits_;
  SurfaceBody body_;
  std::vector<Vec3> earlier_, now_;  // offsets a step apart
  std::vector<double> mass_;         // found when first asked for
  std::vector<Vec3> place_;
  std::vector<int> held_;  // vertices, ascending
  std::vector<ConstraintError> constraint_errors_;
};

}  // namespace

std::unique_ptr<Deformer> surface_deformer(std::shared_ptr<const OpenSurfaceModel> model,
                                           const SimulationSurface& surface) {
  return std::make_unique<SurfaceDeformer>(std::move(model), surface);
}

}  // namespace sinew
