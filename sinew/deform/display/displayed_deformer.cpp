#include "sinew/deform/display/displayed_deformer.h"

#include <algorithm>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/deform/snapshot_numbers.h"
#include "sinew/rig/bone_scale.h"

namespace sinew {
namespace {

// Points of the body outside the skin go farther than the skin that is driven.
constexpr double outside_skin = 1.35;

std::vector<char> rigid_vertices(const KeptShape* shape, std::size_t vertices) {
  std::vector<char> rigid(vertices, 0);
  if (shape)
    for (const RigidGroup& group : shape->rigid)
      for (const int v : group.vertices) rigid[index(v)] = 1;
  return rigid;
}

std::vector<std::size_t> touched_vertices(const KeptShape& shape) {
  std::vector<std::size_t> touched;
  for (const RigidGroup& group : shape.rigid)
    for (const int v : group.vertices) touched.push_back(index(v));
  for (const GluedVertex& glued : shape.glued)
    if (touched.empty() || touched.back() != index(glued.vertex)) touched.push_back(index(glued.vertex));
  return touched;
}

}  // namespace

DisplayedDeformer::DisplayedDeformer(std::unique_ptr<Deformer> bare, std::shared_ptr<const DisplayClamps> clamps,
                                     std::shared_ptr<const SimulationSurface> surface)
    : bare_(std::move(bare)),
      clamps_(clamps ? std::move(clamps) : std::make_shared<const DisplayClamps>()),
      surface_(std::move(surface)) {
  const TriangleMesh& rest = surface_->rest;
  if (clamps_->strain)
    strain_.emplace(rest, rigid_vertices(clamps_->shape.get(), rest.positions.size()), *clamps_->strain);
  if (clamps_->separates) separation_.emplace(rest, rigid_vertices(clamps_->shape.get(), rest.positions.size()));
  if (clamps_->shape) touched_ = touched_vertices(*clamps_->shape);
  goal_.resize(rest.positions.size());
}

void DisplayedDeformer::reset(const RigState& rig, const RigState& next) {
  bare_->reset(rig, next);
  release_ = {};
  if (clamps_->limit && clamps_->limit->releases) release_.begin(rig, bare_->points());
}

void DisplayedDeformer::advance(const RigState& rig, const Environment& environment) {
  const double seconds = bare_->steps()[bare_->chosen_step()];
  bare_->advance(rig, environment);
  if (clamps_->limit && clamps_->limit->releases)
    release_.step(*surface_, rig, environment, bare_->points(), seconds, traits().period);
}

void DisplayedDeformer::carry(const RigCut& cut) {
  bare_->carry(cut);
  release_.hold();
}

SafetyClamps DisplayedDeformer::safety_clamps() const { return counted_; }

double DisplayedDeformer::driven_displacement() const {
  double most = clamps_->driven;
  if (release_.any())
    for (const std::span<const Vec3> points : {bare_->embedded()->earlier_points(), bare_->points()})
      for (const Vec3& u : points) most = std::max(most, norm(u));
  return most;
}

void DisplayedDeformer::displacements(const RigState& rig, double before, std::span<Vec3> surface) {
  limit(rig, before, surface);
  keep(rig, surface, release_.share(before));
}

// Where no strain is limited and nothing is separated, vertices that shape preservation does not move stay where the
// method has them, to the last bit.
void DisplayedDeformer::surface(const RigState& rig, double before, std::span<Vec3> surface) {
  if (strain_ || separation_) return Deformer::surface(rig, before, surface);
  const bool changes = clamps_->limit || !rig.shown_by_rig.empty();
  if (!changes) bare_->surface(rig, before, surface);
  if (!changes && !clamps_->shape) return;
  bare_->goal(rig, goal_);
  if (changes) {
    limit(rig, before, surface);
    for (std::size_t v = 0; v < goal_.size(); ++v) surface[v] += goal_[v];
  }
  if (!clamps_->shape) return;
  moved_.resize(goal_.size());
  for (std::size_t v = 0; v < goal_.size(); ++v) moved_[v] = surface[v] - goal_[v];
  keep_rigid_groups(*clamps_->shape, rig.bones, goal_, moved_, motions_);
  for (const std::size_t v : touched_) surface[v] = goal_[v] + moved_[v];
}

void DisplayedDeformer::limit(const RigState& rig, double before, std::span<Vec3> surface) {
  const double driven = clamps_->limit ? release_.driven(before) : 0;
  if ((clamps_->limit && !clamps_->limit->of_points.empty()) || !rig.shown_by_rig.empty()) {
    EmbeddedSurface& body = *bare_->embedded();
    local_.resize(bare_->points().size());
    between_steps(body.earlier_points(), bare_->points(), before, local_);
    for (const PointDisplacement& shown : rig.shown_by_rig) local_[index(shown.point)] -= shown.by;
    if (clamps_->limit)
      counted_.display_limit =
          limit_displacements(clamps_->limit->of_points, outside_skin * driven, local_, clamps_->limit->untouched);
    body.displace(rig, local_, surface);
  } else {
    bare_->displacements(rig, before, surface);
  }
  if (!clamps_->limit) return;
  if (!clamps_->limit->of_vertices.empty())
    counted_.display_limit =
        limit_displacements(clamps_->limit->of_vertices, driven, surface, clamps_->limit->untouched);
  shrink_with_bones(surface_->influences, rig.bones, surface);
}

void DisplayedDeformer::keep(const RigState& rig, std::span<Vec3> displacements, double release) {
  if (!clamps_->shape && !strain_ && !separation_) return;
  bare_->goal(rig, goal_);
  if (clamps_->shape) keep_rigid_groups(*clamps_->shape, rig.bones, goal_, displacements, motions_);
  if (strain_) {
    const std::size_t moved = (*strain_)(goal_, displacements, release);
    counted_.strain_limit = goal_.empty() ? 0 : static_cast<double>(moved) / static_cast<double>(goal_.size());
  }
  if (separation_) separate(displacements);
}

void DisplayedDeformer::separate(std::span<Vec3> displacements) {
  moved_.resize(goal_.size());
  for (std::size_t v = 0; v < goal_.size(); ++v) moved_[v] = goal_[v] + displacements[v];
  if ((*separation_)(moved_) == 0) return;
  for (std::size_t v = 0; v < goal_.size(); ++v) displacements[v] = moved_[v] - goal_[v];
}

void DisplayedDeformer::save(Snapshot& snapshot) const {
  bare_->save(snapshot);
  if (clamps_->limit) release_.save(snapshot);
}

// The state of the bare deformer.
Snapshot DisplayedDeformer::take_release(const Snapshot& snapshot, double reach) {
  if (!clamps_->limit) return snapshot;
  const std::span<const double> all(snapshot.numbers);
  if (all.size() < ClampRelease::numbers) SnapshotNumbers(all).numbers(ClampRelease::numbers);
  release_.load(all.last(ClampRelease::numbers), reach, clamps_->limit->releases);
  const std::span<const double> rest = all.first(all.size() - ClampRelease::numbers);
  return {{rest.begin(), rest.end()}};
}

void DisplayedDeformer::load(const Snapshot& snapshot, const RigState& rig, double reach) {
  bare_->load(take_release(snapshot, reach), rig, reach);
}

void DisplayedDeformer::take_over(const Snapshot& snapshot, const RigState& rig, const RigState& next, double reach) {
  bare_->take_over(take_release(snapshot, reach), rig, next, reach);
}

}  // namespace sinew
