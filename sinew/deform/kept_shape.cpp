#include "sinew/deform/kept_shape.h"

#include <utility>

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

std::vector<char> rigid_vertices(const KeptShape& shape) {
  std::vector<char> rigid(shape.rest.positions.size(), 0);
  for (const RigidGroup& group : shape.rigid)
    for (const int v : group.vertices) rigid[static_cast<std::size_t>(v)] = 1;
  return rigid;
}

class ShapeKeepingDeformer final : public Deformer {
 public:
  ShapeKeepingDeformer(std::unique_ptr<Deformer> inner, std::shared_ptr<const KeptShape> shape)
      : inner_(std::move(inner)),
        shape_(std::move(shape)),
        bounded_(shape_->rest, rigid_vertices(*shape_), shape_->bound.value_or(StrainBound{})),
        goal_(shape_->rest.positions.size()) {}

  const DeformerTraits& traits() const override { return inner_->traits(); }
  std::span<const double> steps() const override { return inner_->steps(); }
  std::size_t chosen_step() const override { return inner_->chosen_step(); }
  void choose_step(std::size_t choice, const RigState& earlier) override { inner_->choose_step(choice, earlier); }
  void reset(const RigState& rig, const RigState& next) override { inner_->reset(rig, next); }
  void advance(const RigState& rig, const Environment& environment) override { inner_->advance(rig, environment); }
  void goal(const RigState& rig, std::span<Vec3> surface) override { inner_->goal(rig, surface); }

  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override {
    inner_->displacements(rig, before, surface);
    inner_->goal(rig, goal_);
    move_rigidly(shape_->rigid, goal_, surface);
    moved_ = shape_->bound ? bounded_(goal_, surface, inner_->yielding(before)) : 0;
  }

  LastResorts last_resorts() const override {
    LastResorts resorts = inner_->last_resorts();
    if (!goal_.empty()) resorts.strain_bound = static_cast<double>(moved_) / static_cast<double>(goal_.size());
    return resorts;
  }

  std::span<const Vec3> points() const override { return inner_->points(); }
  double led() const override { return inner_->led(); }
  double yielding(double before) const override { return inner_->yielding(before); }
  BodyMeasures measure(const RigState& rig) override { return inner_->measure(rig); }
  const StepStatistics& statistics() const override { return inner_->statistics(); }
  std::span<const HeldMisfit> misfits() const override { return inner_->misfits(); }
  void curves(double before, std::span<double> values) const override { inner_->curves(before, values); }
  void check_curves(std::span<const double> values) const override { inner_->check_curves(values); }
  std::vector<std::pair<std::string, std::int64_t>> counters() const override { return inner_->counters(); }
  void save(Snapshot& snapshot) const override { inner_->save(snapshot); }
  void load(const Snapshot& snapshot, const RigState& rig, double reach) override { inner_->load(snapshot, rig, reach); }
  void take_over(const Snapshot& snapshot, const RigState& rig, const RigState& next, double reach) override {
    inner_->take_over(snapshot, rig, next, reach);
  }

 private:
  std::unique_ptr<Deformer> inner_;
  std::shared_ptr<const KeptShape> shape_;
  BoundedStrain bounded_;
  std::size_t moved_ = 0;  // by it, last
  std::vector<Vec3> goal_;
};

}  // namespace

void move_rigidly(std::span<const RigidGroup> groups, std::span<const Vec3> goal, std::span<Vec3> displacement) {
  parallel_for(groups.size(), 1, [&](std::size_t g) {
    const RigidGroup& group = groups[g];
    const RigidMotion motion = rigid_fit(group, goal, displacement);
    for (const int vertex : group.vertices) {
      const auto v = static_cast<std::size_t>(vertex);
      const Vec3 arm = goal[v] - motion.centre;
      displacement[v] = motion.shift + motion.turn * arm - arm;
    }
  });
}

std::unique_ptr<Deformer> keeping_shape(std::unique_ptr<Deformer> inner, std::shared_ptr<const KeptShape> shape) {
  return std::make_unique<ShapeKeepingDeformer>(std::move(inner), std::move(shape));
}

}  // namespace sinew
