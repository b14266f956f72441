// Small strain elasticity with each patch of tetrahedra in its predicted frame (patch_elasticity.h).
//
// Matrix-free: one pass over the vertices turns displacements to the world, one over the patches finds their
// forces, one over the vertices gathers these in fixed order and turns them back.
#include <algorithm>
#include <vector>

#include "sinew/base/parallel.h"
#include "sinew/deform/lattice_flesh/patch_elasticity.h"
#include "sinew/deform/lattice_flesh/warped_stiffness.h"

namespace sinew {
namespace {

constexpr std::size_t patch_grain = 64, vertex_grain = 256;

// The patches and the work space of a product in one precision.
template <class Real>
struct PatchSystem {
  explicit PatchSystem(const FleshBody& body)
      : patches(patch_elasticity<Real>(body.description.mesh, body.description.element, body.samples)),
        load(patches.size()),
        position(body.mass.size()),
        force(force_row(patches.size(), 0, 0)) {}

  std::vector<Patch<Real>> patches;
  std::vector<Real> load;              // per patch
  std::vector<Row<Real>> position;     // per vertex, world
  std::vector<Row<Real>> force;        // per corner of each tetrahedron (force_row)
};

class ElementWarpedStiffness final : public WarpedStiffness {
 public:
  explicit ElementWarpedStiffness(const FleshBody& body)
      : body_(body), exact_(body), rough_(body), frame_(exact_.patches.size()) {
    for (std::size_t p = 0; p < frame_.size(); ++p) {
      const Patch<double>& patch = exact_.patches[p];
      std::vector<int>& vertices = patch_vertices_.emplace_back();
      for (const auto& corner : patch.corner) vertices.insert(vertices.end(), corner, corner + patch.count);
      std::sort(vertices.begin(), vertices.end());
      vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    }
    index_forces();
  }

  void set_pose(const VertexFrames& frames) override {
    frames_ = &frames;
    parallel_for(frame_.size(), patch_grain, [&](std::size_t p) { frame_[p] = to_matrix(mean_orientation(p)); });
  }

  void apply(const SystemFactors& factors, double load, std::span<const double> x, std::span<double> to) override {
    multiply(exact_, factors, load, x, to);
  }
  void apply_roughly(const SystemFactors& factors, std::span<const double> x, std::span<double> to) override {
    multiply(rough_, factors, 0, x, to);
  }

 private:
  template <class Real>
  void multiply(PatchSystem<Real>& system, const SystemFactors& factors, double load, std::span<const double> x, std::span<double> to) {
    parallel_for(body_.mass.size(), 2 * vertex_grain, [&](std::size_t v) {
      const int f = body_.free_index[v];
      Vec3 world;
      if (f >= 0) {
        const double* u = &x[3 * static_cast<std::size_t>(f)];
        world = frames_->rotation[v] * Vec3{u[0], u[1], u[2]};
      }
      if (load != 0 && !keeps_rig_shape(v)) world += load * frames_->goal[v];
      system.position[v] = {static_cast<Real>(world.x), static_cast<Real>(world.y), static_cast<Real>(world.z), 0};
    });
    parallel_chunks(frame_.size(), patch_grain, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p)
        system.load[p] = static_cast<Real>(keeps_rig_shape(static_cast<std::size_t>(patch_vertices_[p].front())) ? 0 : load);
      patch_forces<Real>({system.patches, frame_, system.load, system.position}, begin, end, system.force);
    });
    parallel_for(body_.free_vertex.size(), vertex_grain, [&](std::size_t f) {
      const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
      Row<Real> sum;
      for (int e = force_start_[f]; e < force_start_[f + 1]; ++e) {
        const Row<Real>& part = system.force[static_cast<std::size_t>(force_rows_[static_cast<std::size_t>(e)])];
        sum = {sum.x + part.x, sum.y + part.y, sum.z + part.z, sum.zero + part.zero};   // all four: one vector addition
      }
      const Vec3 local = transpose_times(frames_->rotation[v], Vec3{double{sum.x}, double{sum.y}, double{sum.z}});
      const double diagonal = factors.stiffness * body_.bone_spring[v] + factors.mass * body_.mass[v];
      for (std::size_t k = 0; k < 3; ++k) to[3 * f + k] = factors.stiffness * local[k] + diagonal * x[3 * f + k];
    });
  }

  // Pieces that keep the rig's shape feel displacements from it only.
  bool keeps_rig_shape(std::size_t vertex) const {
    return !body_.description.keeps_rig_shape.empty() && body_.description.keeps_rig_shape[vertex];
  }

  // The forces on each free vertex in the order of their patches.
  void index_forces() {
    force_start_.assign(body_.free_vertex.size() + 1, 0);
    const auto for_each = [&](const auto& visit) {
      for (std::size_t p = 0; p < frame_.size(); ++p)
        for (std::size_t t = 0; t < static_cast<std::size_t>(exact_.patches[p].count); ++t)
          for (std::size_t c = 0; c < 4; ++c)
            if (const int f = body_.free_index[static_cast<std::size_t>(exact_.patches[p].corner[c][t])]; f >= 0)
              visit(static_cast<std::size_t>(f), force_row(p, c, t));
    };
    for_each([&](std::size_t f, std::size_t) { ++force_start_[f + 1]; });
    for (std::size_t f = 0; f + 1 < force_start_.size(); ++f) force_start_[f + 1] += force_start_[f];
    force_rows_.resize(static_cast<std::size_t>(force_start_.back()));
    std::vector<int> next(force_start_.begin(), force_start_.end() - 1);
    for_each([&](std::size_t f, std::size_t row) { force_rows_[static_cast<std::size_t>(next[f]++)] = static_cast<int>(row); });
  }

  Quat mean_orientation(std::size_t p) const {
    const Quat& first = frames_->orientation[static_cast<std::size_t>(patch_vertices_[p].front())];
    Quat sum{0, 0, 0, 0};
    for (const int v : patch_vertices_[p]) {
      const Quat& q = frames_->orientation[static_cast<std::size_t>(v)];
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
  PatchSystem<double> exact_;
  PatchSystem<float> rough_;
  std::vector<Mat3> frame_;                        // per patch
  std::vector<std::vector<int>> patch_vertices_;   // per patch, ascending
  std::vector<int> force_start_, force_rows_;      // free vertices + 1; rows of PatchSystem::force
};

}  // namespace

std::unique_ptr<WarpedStiffness> element_warped_stiffness(const FleshBody& body) {
  return std::make_unique<ElementWarpedStiffness>(body);
}

}  // namespace sinew
