// Small strain elasticity with each patch of tetrahedra in its predicted frame (patch_elasticity.h).
//
// Matrix-free: one pass over the vertices turns displacements to the world, one over the patches finds their
// forces, one over the vertices gathers these in fixed order and turns them back.
#include "sinew/base/parallel.h"
#include "sinew/deform/lattice_flesh/patch_elasticity.h"
#include "sinew/deform/lattice_flesh/warped_stiffness.h"

namespace sinew {
namespace {

constexpr std::size_t patch_grain = 64, vertex_grain = 512;

class ElementWarpedStiffness final : public WarpedStiffness {
 public:
  explicit ElementWarpedStiffness(const FleshBody& body)
      : body_(body),
        elasticity_(patch_elasticity(body.description.mesh, body.description.element, body.samples)),
        frame_(elasticity_.patches.size()),
        world_(body.mass.size()),
        force_(elasticity_.vertex.size()) {
    const std::vector<char>& keeps = body.description.keeps_rig_shape;
    keeps_rig_shape_.assign(frame_.size(), 0);
    for (std::size_t p = 0; p < frame_.size() && !keeps.empty(); ++p) {
      keeps_rig_shape_[p] = keeps[static_cast<std::size_t>(elasticity_.vertex[static_cast<std::size_t>(elasticity_.patches[p].vertex_begin)])];
      if (keeps_rig_shape_[p]) from_goal_.resize(world_.size());
    }
    index_entries();
  }

  void set_pose(const VertexFrames& frames) override {
    frames_ = &frames;
    parallel_for(frame_.size(), patch_grain, [&](std::size_t p) { frame_[p] = patch_frame(to_matrix(mean_orientation(p))); });
  }

  void apply(double load, std::span<const double> x, std::span<double> to) override {
    // Pieces that keep the rig's shape feel displacements from it only.
    const bool apart = load != 0 && !from_goal_.empty();
    parallel_for(world_.size(), 2 * vertex_grain, [&](std::size_t v) {
      const int f = body_.free_index[v];
      Vec3 turned;
      if (f >= 0) {
        const double* u = &x[3 * static_cast<std::size_t>(f)];
        turned = frames_->rotation[v] * Vec3{u[0], u[1], u[2]};
      }
      if (apart) from_goal_[v] = {turned.x, turned.y, turned.z, 0};
      if (load != 0) turned += load * frames_->goal[v];
      world_[v] = {turned.x, turned.y, turned.z, 0};
    });
    parallel_for(frame_.size(), patch_grain, [&](std::size_t p) {
      if (apart && keeps_rig_shape_[p])
        patch_forces(elasticity_, p, frame_[p], 0, from_goal_, force_);
      else
        patch_forces(elasticity_, p, frame_[p], load, world_, force_);
    });
    parallel_for(body_.free_vertex.size(), vertex_grain, [&](std::size_t f) {
      const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
      Vec3 force;
      for (int e = entry_start_[f]; e < entry_start_[f + 1]; ++e) {
        const PaddedVec3& part = force_[static_cast<std::size_t>(entries_[static_cast<std::size_t>(e)])];
        force += Vec3{part.x, part.y, part.z};
      }
      const Vec3 local = transpose_times(frames_->rotation[v], force);
      for (std::size_t k = 0; k < 3; ++k) to[3 * f + k] = local[k] + body_.bone_spring[v] * x[3 * f + k];
    });
  }

 private:
  // The entries of each free vertex in the order of their patches.
  void index_entries() {
    entry_start_.assign(body_.free_vertex.size() + 1, 0);
    const auto free_at = [&](std::size_t e) { return body_.free_index[static_cast<std::size_t>(elasticity_.vertex[e])]; };
    for (std::size_t e = 0; e < elasticity_.vertex.size(); ++e)
      if (const int f = free_at(e); f >= 0) ++entry_start_[static_cast<std::size_t>(f) + 1];
    for (std::size_t f = 0; f + 1 < entry_start_.size(); ++f) entry_start_[f + 1] += entry_start_[f];
    entries_.resize(static_cast<std::size_t>(entry_start_.back()));
    std::vector<int> next(entry_start_.begin(), entry_start_.end() - 1);
    for (std::size_t e = 0; e < elasticity_.vertex.size(); ++e)
      if (const int f = free_at(e); f >= 0) entries_[static_cast<std::size_t>(next[static_cast<std::size_t>(f)]++)] = static_cast<int>(e);
  }

  Quat mean_orientation(std::size_t p) const {
    const auto begin = static_cast<std::size_t>(elasticity_.patches[p].vertex_begin), end = static_cast<std::size_t>(elasticity_.patches[p].vertex_end);
    const Quat& first = frames_->orientation[static_cast<std::size_t>(elasticity_.vertex[begin])];
    Quat sum{0, 0, 0, 0};
    for (std::size_t e = begin; e < end; ++e) {
      const Quat& q = frames_->orientation[static_cast<std::size_t>(elasticity_.vertex[e])];
      const double sign = dot(q, first) < 0 ? -1 : 1;
      sum.x += sign * q.x;
      sum.y += sign * q.y;
      sum.z += sign * q.z;
      sum.w += sign * q.w;
    }
    return normalized(sum);
  }

  const FleshBody& body_;
  const VertexFrames* frames_ = nullptr;
  PatchElasticity elasticity_;
  std::vector<char> keeps_rig_shape_;    // per patch
  std::vector<PatchFrame> frame_;        // per patch
  std::vector<PaddedVec3> world_;        // per vertex
  std::vector<PaddedVec3> from_goal_;    // per vertex, without the goal; empty where no piece keeps the rig's shape
  std::vector<PaddedVec3> force_;        // per entry of the patches
  std::vector<int> entry_start_, entries_;   // free vertices + 1; entries of the patches
};

}  // namespace

std::unique_ptr<WarpedStiffness> element_warped_stiffness(const FleshBody& body) {
  return std::make_unique<ElementWarpedStiffness>(body);
}

}  // namespace sinew
