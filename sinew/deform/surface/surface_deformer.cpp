#include "sinew/deform/surface/surface_deformer.h"

#include <utility>

#include "sinew/deform/snapshot_numbers.h"
#include "sinew/rig/linear_blend.h"

namespace sinew {
namespace {

DeformerTraits surface_traits(const OpenSurfaceModel& model, double reach) {
  DeformerTraits traits;
  traits.step = model.step();
  traits.leads = 2 * reach;  // within which neighbours may stand on either side
  traits.has_volume = false;
  return traits;
}

class SurfaceDeformer final : public Deformer {
 public:
  SurfaceDeformer(std::shared_ptr<const OpenSurfaceModel> model, const SimulationSurface& surface, double reach)
      : surface_(surface), traits_(surface_traits(*model, reach)), body_(std::move(model)) {}

  const DeformerTraits& traits() const override { return traits_; }

  void reset(const RigState& rig, const RigState& next) override {
    body_.reset(rig.bones, next.bones);
    body_.offsets(now_);
    earlier_ = now_;
  }

  void advance(const RigState& rig, const Environment&) override {
    earlier_.swap(now_);
    body_.step(rig.bones);
    body_.offsets(now_);
  }

  void goal(const RigState& rig, std::span<Vec3> surface) override {
    linear_blend(surface_.rest.positions, surface_.influences, rig.bones, surface);
  }
  void displacements(const RigState&, double before, std::span<Vec3> surface) override {
    between_steps(earlier_, now_, before, surface);
  }

  std::span<const Vec3> points() const override { return now_; }
  BodyMeasures measure(const RigState&) override { return {}; }
  const StepStatistics& statistics() const override { return statistics_; }

  // The model itself is told apart by the run-time's own state.
  void save(Snapshot& snapshot) const override {
    snapshot.numbers = body_.save();
    append_vectors(snapshot.numbers, earlier_);
  }
  void load(const Snapshot& snapshot, const RigState&, double reach) override {
    const std::size_t points = 3 * now_.size();
    SnapshotNumbers take(snapshot.numbers);
    body_.load(take.numbers(take.left() < points ? points : take.left() - points));
    earlier_ = take.vectors(now_.size());
    body_.offsets(now_);
    for (const std::vector<Vec3>* offsets : {&now_, &earlier_}) check_within(*offsets, 2 * reach, "where its flesh is");
  }

 private:
  const SimulationSurface& surface_;
  DeformerTraits traits_;
  SurfaceBody body_;
  std::vector<Vec3> earlier_, now_;  // offsets a step apart
  StepStatistics statistics_;
};

}  // namespace

std::unique_ptr<Deformer> surface_deformer(std::shared_ptr<const OpenSurfaceModel> model,
                                           const SimulationSurface& surface, double reach) {
  return std::make_unique<SurfaceDeformer>(std::move(model), surface, reach);
}

}  // namespace sinew
