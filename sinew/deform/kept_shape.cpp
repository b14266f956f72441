#include "sinew/deform/kept_shape.h"

#include <cmath>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

std::vector<char> rigid_vertices(const KeptShape& shape) {
  std::vector<char> rigid(shape.rest.positions.size(), 0);
  for (const RigidGroup& group : shape.rigid)
    for (const int v : group.vertices) rigid[static_cast<std::size_t>(v)] = 1;
  return rigid;
}

// What a bone shrinks to less, or grows beyond the inverse, keeps its size.
constexpr double least_growth = 1e-3;

Vec3 moved_by(const RigidMotion& motion, const Vec3& point) {
  const Vec3 arm = point - motion.centre;
  return motion.shift + motion.turn * arm - arm;
}

// All vertices that keeping the groups may move.
std::vector<std::size_t> touched_vertices(const KeptShape& shape) {
  std::vector<std::size_t> touched;
  for (const RigidGroup& group : shape.rigid)
    for (const int v : group.vertices) touched.push_back(index(v));
  for (const GluedVertex& glued : shape.glued)
    if (touched.empty() || touched.back() != index(glued.vertex)) touched.push_back(index(glued.vertex));
  return touched;
}

class ShapeKeepingDeformer final : public Deformer {
 public:
  ShapeKeepingDeformer(std::unique_ptr<Deformer> inner, std::shared_ptr<const KeptShape> shape)
      : inner_(std::move(inner)),
        shape_(std::move(shape)),
        bounded_(shape_->rest, rigid_vertices(*shape_), shape_->bound.value_or(StrainBound{})),
        goal_(shape_->rest.positions.size()),
        touched_(touched_vertices(*shape_)) {}

  const DeformerTraits& traits() const override { return inner_->traits(); }
  std::span<const double> steps() const override { return inner_->steps(); }
  std::size_t chosen_step() const override { return inner_->chosen_step(); }
  void choose_step(std::size_t choice, const RigState& earlier) override { inner_->choose_step(choice, earlier); }
  void reset(const RigState& rig, const RigState& next) override { inner_->reset(rig, next); }
  void advance(const RigState& rig, const Environment& environment) override { inner_->advance(rig, environment); }
  void carry(const RigCut& cut) override { inner_->carry(cut); }
  void goal(const RigState& rig, std::span<Vec3> surface) override { inner_->goal(rig, surface); }

  void displacements(const RigState& rig, double before, std::span<Vec3> surface) override {
    inner_->displacements(rig, before, surface);
    keep(rig, surface, inner_->yielding(before));
  }

  void keep_shape(const RigState& rig, std::span<Vec3> displacements) override { keep(rig, displacements, 0); }

  LastResorts last_resorts() const override {
    LastResorts resorts = inner_->last_resorts();
    if (!goal_.empty())
      resorts.strain_bound = static_cast<double>(bounded_vertices_) / static_cast<double>(goal_.size());
    return resorts;
  }

  // Vertices that groups neither have nor take along stay where a method shows them, to the last bit.
  void surface(const RigState& rig, double before, std::span<Vec3> surface) override {
    if (shape_->bound) return Deformer::surface(rig, before, surface);
    inner_->surface(rig, before, surface);
    inner_->goal(rig, goal_);
    moved_.resize(goal_.size());
    for (std::size_t v = 0; v < goal_.size(); ++v) moved_[v] = surface[v] - goal_[v];
    keep_groups(rig, moved_);
    for (const std::size_t v : touched_) surface[v] = goal_[v] + moved_[v];
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
  void load(const Snapshot& snapshot, const RigState& rig, double reach) override {
    inner_->load(snapshot, rig, reach);
  }
  void take_over(const Snapshot& snapshot, const RigState& rig, const RigState& next, double reach) override {
    inner_->take_over(snapshot, rig, next, reach);
  }

 private:
  void keep(const RigState& rig, std::span<Vec3> displacements, double yielding) {
    inner_->goal(rig, goal_);
    keep_groups(rig, displacements);
    bounded_vertices_ = shape_->bound ? bounded_(goal_, displacements, yielding) : 0;
  }

  // Groups that grow are grown first, about their middle, where they stay.
  void keep_groups(const RigState& rig, std::span<Vec3> displacement) {
    const auto scale = [&](std::size_t g, double growth) {
      const RigidGroup& group = shape_->rigid[g];
      Vec3 middle;
      for (std::size_t k = 0; k < group.vertices.size(); ++k)
        middle += group.weight[k] * goal_[static_cast<std::size_t>(group.vertices[k])];
      for (const int vertex : group.vertices) {
        const auto v = static_cast<std::size_t>(vertex);
        const Vec3 grown = middle + growth * (goal_[v] - middle);
        displacement[v] += goal_[v] - grown;
        goal_[v] = grown;
      }
    };
    std::vector<std::pair<std::size_t, double>> grown;
    for (std::size_t g = 0; g < shape_->grows_with.size(); ++g) {
      if (shape_->grows_with[g] < 0) continue;
      const double growth =
          std::cbrt(std::abs(determinant(rig.bones[static_cast<std::size_t>(shape_->grows_with[g])].linear)));
      if (!(growth > least_growth && growth < 1 / least_growth) || std::abs(growth - 1) < 1e-12) continue;
      scale(g, growth);
      grown.push_back({g, growth});
    }
    move_rigidly(*shape_, goal_, displacement, motions_);
    for (const auto& [g, growth] : grown) scale(g, 1 / growth);
  }

  std::unique_ptr<Deformer> inner_;
  std::shared_ptr<const KeptShape> shape_;
  BoundedStrain bounded_;
  std::size_t bounded_vertices_ = 0;  // that it moved, last
  std::vector<Vec3> goal_, moved_;
  std::vector<std::size_t> touched_;  // what keeping the groups may move
  std::vector<RigidMotion> motions_;
};

}  // namespace

void move_rigidly(const KeptShape& shape, std::span<const Vec3> goal, std::span<Vec3> displacement,
                  std::vector<RigidMotion>& motions) {
  motions.resize(shape.rigid.size());
  parallel_for(shape.rigid.size(), 1, [&](std::size_t g) {
    const RigidFooting& footing = shape.footing[g];
    for (const Foot& foot : footing.feet) {
      Vec3 skin;
      for (std::size_t k = 0; k < 3; ++k) skin += foot.place[k] * displacement[index(foot.corners[k])];
      displacement[index(foot.vertex)] = skin;
    }
    motions[g] = rigid_fit(footing.on, goal, displacement, footing.steadying);
    for (const int v : shape.rigid[g].vertices) displacement[index(v)] = moved_by(motions[g], goal[index(v)]);
  });
  const std::vector<GluedVertex>& glued = shape.glued;
  for (std::size_t k = 0; k < glued.size();) {
    const std::size_t v = index(glued[k].vertex);
    Vec3 along;
    for (const Vec3 flesh = displacement[v]; k < glued.size() && index(glued[k].vertex) == v; ++k)
      along += glued[k].weight * (moved_by(motions[index(glued[k].group)], goal[v]) - flesh);
    displacement[v] += along;
  }
}

std::unique_ptr<Deformer> keeping_shape(std::unique_ptr<Deformer> inner, std::shared_ptr<const KeptShape> shape) {
  return std::make_unique<ShapeKeepingDeformer>(std::move(inner), std::move(shape));
}

}  // namespace sinew
