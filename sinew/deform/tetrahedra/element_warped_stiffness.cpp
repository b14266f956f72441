// Small strain elasticity with each patch of tetrahedra in its predicted frame (patch_elasticity.h).
//
// Matrix-free: one pass over the vertices turns displacements to the world, one over the patches finds their
// forces, one over the vertices gathers these in fixed order and turns them back.
#include <algorithm>
#include <span>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/flesh/patch_elasticity.h"
#include "sinew/deform/tetrahedra/warped_stiffness.h"

namespace sinew {
namespace {

constexpr std::size_t patch_grain = 32, element_warped_stiffness_vertex_grain = 128;

// The patches and the work space of a product in one precision.
template <class Real>
struct PatchSystem {
  explicit PatchSystem(const FleshBody& body)
      : elasticity(patch_elasticity<Real>(body.description.mesh, body.description.element, body.samples)),
        frame(elasticity.patches.size()),
        load(elasticity.patches.size()),
        position(body.mass.size()),
        force(elasticity.vertex.size()) {}

  PatchElasticity<Real> elasticity;
  std::vector<PatchFrame<Real>> frame;  // per patch
  std::vector<Real> load;               // per patch
  std::vector<Row<Real>> position;      // per vertex, world: x, and the goal times the load
  std::vector<Row<Real>> displacement;  // per vertex, world: x alone, for patches that keep the rig's shape
  std::vector<Row<Real>> force;         // per vertex of each patch
};

class ElementWarpedStiffness final : public WarpedStiffness {
 public:
  explicit ElementWarpedStiffness(const FleshBody& body)
      : body_(body),
        exact_(body),
        rough_(body),
        rows_(patch_rows(exact_.elasticity.vertex, body.free_index, body.free_vertex.size())),
        rig_shaped_(rig_shaped_patches(exact_.elasticity, body.description.keeps_rig_shape)) {
    if (std::none_of(rig_shaped_.begin(), rig_shaped_.end(), [](char shaped) { return shaped != 0; }))
      rig_shaped_.clear();
  }

  void set_pose(const VertexFrames& frames) override {
    frames_ = &frames;
    parallel_for(exact_.frame.size(), patch_grain, [&](std::size_t p) {
      const Mat3 rotation = to_matrix(mean_orientation(exact_.elasticity.vertices_of(p), frames));
      exact_.frame[p] = patch_frame<double>(rotation);
      rough_.frame[p] = patch_frame<float>(rotation);
    });
  }

  void apply(const SystemFactors& factors, double load, std::span<const double> x, std::span<double> to) override {
    multiply(exact_, factors, load, x, to);
  }
  void apply_roughly(const SystemFactors& factors, std::span<const double> x, std::span<double> to) override {
    multiply(rough_, factors, 0, x, to);
  }

 private:
  template <class Real>
  void multiply(PatchSystem<Real>& system, const SystemFactors& factors, double load, std::span<const double> x,
                std::span<double> to) {
    const bool apart = load != 0 && !rig_shaped_.empty();
    if (apart) system.displacement.resize(body_.mass.size());
    parallel_for(body_.mass.size(), 2 * element_warped_stiffness_vertex_grain, [&](std::size_t v) {
      const int f = body_.free_index[v];
      Vec3 world;
      if (f >= 0) {
        const double* u = &x[3 * static_cast<std::size_t>(f)];
        world = frames_->rotation[v] * Vec3{u[0], u[1], u[2]};
      }
      if (apart) system.displacement[v] = row<Real>(world);
      if (load != 0) world += load * frames_->goal[v];
      system.position[v] = row<Real>(world);
    });
    parallel_chunks(system.frame.size(), patch_grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p) system.load[p] = static_cast<Real>(rig_shaped(p) ? 0 : load);
      for (std::size_t run = begin, next = begin; run < end; run = next) {
        const bool keeps = apart && rig_shaped(run);
        while (next < end && (apart && rig_shaped(next)) == keeps) ++next;
        patch_forces<Real>(
            {system.elasticity.patches, system.frame, system.load, keeps ? system.displacement : system.position}, run,
            next, system.force);
      }
    });
    parallel_for(body_.free_vertex.size(), element_warped_stiffness_vertex_grain, [&](std::size_t f) {
      const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
      const Row<Real> sum = rows_.sum(f, system.force);
      const Vec3 local = transpose_times(frames_->rotation[v], Vec3{double{sum.x}, double{sum.y}, double{sum.z}});
      const double diagonal = factors.stiffness * body_.bone_spring[v] + factors.mass * body_.mass[v];
      for (std::size_t k = 0; k < 3; ++k) to[3 * f + k] = factors.stiffness * local[k] + diagonal * x[3 * f + k];
    });
  }

  template <class Real>
  static Row<Real> row(const Vec3& v) {
    return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z), 0};
  }

  // Patches that keep the rig's shape respond to displacements from it only.
  bool rig_shaped(std::size_t patch) const { return !rig_shaped_.empty() && rig_shaped_[patch]; }

  const FleshBody& body_;
  const VertexFrames* frames_ = nullptr;
  PatchSystem<double> exact_;
  PatchSystem<float> rough_;
  PatchRows rows_;
  std::vector<char> rig_shaped_;  // per patch: whether it keeps the rig's shape; empty: none does
};

}  // namespace

std::unique_ptr<WarpedStiffness> element_warped_stiffness(const FleshBody& body) {
  return std::make_unique<ElementWarpedStiffness>(body);
}

}  // namespace sinew
