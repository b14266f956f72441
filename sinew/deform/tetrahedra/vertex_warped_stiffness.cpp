// Capell 2004, equation 5.10, in local frames. With p_j = g_j + R_j u_j, row i turned into the frame of
// vertex i is
//
//   sum_j S_ij R_i^T R_j u_j  +  sum_j S_ij (R_i^T (g_j - g_i) - (x_j - x_i)).
//
// Rows of S sum to zero without the bone displacement energy, so any translation may be taken out of
// row i; taking out g_i and x_i keeps the numbers small. The first sum differs from S u only where
// neighbouring rotations do: near joints. That is why the rest factor is so good a preconditioner.
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/warped_stiffness.h"

namespace sinew {
namespace {

constexpr std::size_t vertex_warped_stiffness_grain = 128;

class VertexWarpedStiffness final : public WarpedStiffness {
 public:
  explicit VertexWarpedStiffness(const FleshBody& body)
      : body_(body), world_(body.free_vertex.size()), load_(body.free_vertex.size()) {}

  void set_pose(const VertexFrames& frames) override {
    frames_ = &frames;
    const BlockMatrix& s = body_.elastic_stiffness;
    const std::vector<Vec3>& rest = body_.description.mesh.positions;
    parallel_for(body_.free_vertex.size(), vertex_warped_stiffness_grain, [&](std::size_t f) {
      const auto i = static_cast<std::size_t>(body_.free_vertex[f]);
      Vec3 sum;
      for (int b = s.row_start[i]; !keeps_rig_shape(i) && b < s.row_start[i + 1]; ++b) {
        const auto j = static_cast<std::size_t>(s.column[static_cast<std::size_t>(b)]);
        const Vec3 goal = transpose_times(frames.rotation[i], frames.goal[j] - frames.goal[i]);
        sum += s.block[static_cast<std::size_t>(b)] * (goal - (rest[j] - rest[i]));
      }
      load_[f] = sum;
    });
  }

  void apply(const SystemFactors& factors, double load, std::span<const double> x, std::span<double> to) override {
    const BlockMatrix& s = body_.stiffness;
    const auto local = [&](std::size_t f) { return Vec3{x[3 * f], x[3 * f + 1], x[3 * f + 2]}; };
    parallel_for(body_.free_vertex.size(), 4 * vertex_warped_stiffness_grain, [&](std::size_t f) {
      world_[f] = frames_->rotation[static_cast<std::size_t>(body_.free_vertex[f])] * local(f);
    });
    parallel_for(body_.free_vertex.size(), vertex_warped_stiffness_grain, [&](std::size_t f) {
      const auto i = static_cast<std::size_t>(body_.free_vertex[f]);
      Vec3 sum = load * load_[f];
      for (int b = s.row_start[f]; b < s.row_start[f + 1]; ++b) {
        const auto g = static_cast<std::size_t>(s.column[static_cast<std::size_t>(b)]);
        sum += s.block[static_cast<std::size_t>(b)] *
               (keeps_rig_shape(i) ? local(g) : transpose_times(frames_->rotation[i], world_[g]));
      }
      const double mass = factors.mass * body_.mass[i];
      for (std::size_t k = 0; k < 3; ++k) to[3 * f + k] = factors.stiffness * sum[k] + mass * x[3 * f + k];
    });
  }

 private:
  bool keeps_rig_shape(std::size_t vertex) const {
    return !body_.description.keeps_rig_shape.empty() && body_.description.keeps_rig_shape[vertex];
  }

  const FleshBody& body_;
  const VertexFrames* frames_ = nullptr;
  std::vector<Vec3> world_, load_;
};

}  // namespace

std::unique_ptr<WarpedStiffness> vertex_warped_stiffness(const FleshBody& body) {
  return std::make_unique<VertexWarpedStiffness>(body);
}

}  // namespace sinew
