// Small strain elasticity with each strain sample in its predicted frame R_s:
//
//   e_s = sym(R_s^T F_s) - I,   force on vertex v = -sum_s V_s R_s (2 mu e_s + lambda tr(e_s) I) g_sv.
//
// Matrix-free: one pass over the samples for stresses, one over the vertices that gathers them in fixed order.
#include "sinew/base/parallel.h"
#include "sinew/deform/lattice_flesh/warped_stiffness.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 256;

class ElementWarpedStiffness final : public WarpedStiffness {
 public:
  explicit ElementWarpedStiffness(const FleshBody& body)
      : body_(body), rotation_(body.samples.size()), stress_(body.samples.size()), world_(body.mass.size()) {
    const StrainSamples& samples = body.samples;
    keeps_rig_shape_.assign(samples.size(), 0);
    if (!body.description.keeps_rig_shape.empty())
      for (std::size_t s = 0; s < samples.size(); ++s)
        keeps_rig_shape_[s] = body.description.keeps_rig_shape[static_cast<std::size_t>(samples.vertex[static_cast<std::size_t>(samples.start[s])])];
    index_entries();
  }

  void set_pose(const VertexFrames& frames) override {
    frames_ = &frames;
    const StrainSamples& samples = body_.samples;
    parallel_for(samples.size(), grain, [&](std::size_t s) { rotation_[s] = to_matrix(mean_orientation(s)); });
  }

  void apply(double load, std::span<const double> x, std::span<double> to) override {
    parallel_for(world_.size(), 2 * grain, [&](std::size_t v) {
      const int f = body_.free_index[v];
      world_[v] = load * frames_->goal[v];
      if (f >= 0) {
        const double* u = &x[3 * static_cast<std::size_t>(f)];
        world_[v] += frames_->rotation[v] * Vec3{u[0], u[1], u[2]};
      }
    });
    parallel_for(stress_.size(), grain, [&](std::size_t s) { stress_[s] = weighted_stress(s, load); });
    parallel_for(body_.free_vertex.size(), grain, [&](std::size_t f) {
      const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
      Vec3 force;
      for (int e = entry_start_[v]; e < entry_start_[v + 1]; ++e) {
        const Entry& entry = entries_[static_cast<std::size_t>(e)];
        force += stress_[static_cast<std::size_t>(entry.sample)] * entry.gradient;
      }
      const Vec3 local = transpose_times(frames_->rotation[v], force);
      for (std::size_t k = 0; k < 3; ++k) to[3 * f + k] = local[k] + body_.bone_spring[v] * x[3 * f + k];
    });
  }

 private:
  struct Entry {
    Vec3 gradient;
    int sample = 0;
  };

  // Each vertex's samples in their order, gradients alongside.
  void index_entries() {
    const StrainSamples& samples = body_.samples;
    entry_start_.assign(body_.mass.size() + 1, 0);
    for (int v : samples.vertex) ++entry_start_[static_cast<std::size_t>(v) + 1];
    for (std::size_t v = 0; v + 1 < entry_start_.size(); ++v) entry_start_[v + 1] += entry_start_[v];
    entries_.resize(samples.vertex.size());
    std::vector<int> next(entry_start_.begin(), entry_start_.end() - 1);
    for (std::size_t s = 0; s < samples.size(); ++s)
      for (int k = samples.start[s]; k < samples.start[s + 1]; ++k) {
        const auto entry = static_cast<std::size_t>(k);
        entries_[static_cast<std::size_t>(next[static_cast<std::size_t>(samples.vertex[entry])]++)] = {samples.gradient[entry], static_cast<int>(s)};
      }
  }

  Quat mean_orientation(std::size_t s) const {
    const StrainSamples& samples = body_.samples;
    const Quat& first = frames_->orientation[static_cast<std::size_t>(samples.vertex[static_cast<std::size_t>(samples.start[s])])];
    Quat sum{0, 0, 0, 0};
    for (int k = samples.start[s]; k < samples.start[s + 1]; ++k) {
      const Quat& q = frames_->orientation[static_cast<std::size_t>(samples.vertex[static_cast<std::size_t>(k)])];
      const double sign = dot(q, first) < 0 ? -1 : 1;
      sum.x += sign * q.x;
      sum.y += sign * q.y;
      sum.z += sign * q.z;
      sum.w += sign * q.w;
    }
    return normalized(sum);
  }

  // V R (2 mu e + lambda tr(e) I) with e = sym(R^T (load grad g + grad x)) - load I.
  Mat3 weighted_stress(std::size_t s, double load) const {
    const StrainSamples& samples = body_.samples;
    const int* vertex = samples.vertex.data();
    const Vec3* shape = samples.gradient.data();
    Vec3 x, y, z;   // rows of the gradient
    for (int k = samples.start[s]; k < samples.start[s + 1]; ++k) {
      const Vec3 &g = shape[k], &p = world_[static_cast<std::size_t>(vertex[k])];
      x += p.x * g;
      y += p.y * g;
      z += p.z * g;
    }
    if (load != 0 && keeps_rig_shape_[s])   // such pieces feel displacements from the goal only
      for (int k = samples.start[s]; k < samples.start[s + 1]; ++k) {
        const Vec3 &g = shape[k], p = load * frames_->goal[static_cast<std::size_t>(vertex[k])];
        x -= p.x * g;
        y -= p.y * g;
        z -= p.z * g;
      }
    const double own = keeps_rig_shape_[s] ? 0 : load;
    const Mat3& r = rotation_[s];
    const Vec3 a = r.m[0] * x + r.m[3] * y + r.m[6] * z, b = r.m[1] * x + r.m[4] * y + r.m[7] * z,
               c = r.m[2] * x + r.m[5] * y + r.m[8] * z;   // rows of R^T grad
    const double weight = 2 * samples.shear[s] * samples.volume[s];
    const double xx = a.x - own, yy = b.y - own, zz = c.z - own;
    const double dilatation = samples.lambda[s] * samples.volume[s] * (xx + yy + zz);
    const double sxx = weight * xx + dilatation, syy = weight * yy + dilatation, szz = weight * zz + dilatation;
    const double sxy = 0.5 * weight * (a.y + b.x), sxz = 0.5 * weight * (a.z + c.x), syz = 0.5 * weight * (b.z + c.y);
    Mat3 stress;
    for (std::size_t row = 0; row < 9; row += 3) {
      const double r0 = r.m[row], r1 = r.m[row + 1], r2 = r.m[row + 2];
      stress.m[row] = r0 * sxx + r1 * sxy + r2 * sxz;
      stress.m[row + 1] = r0 * sxy + r1 * syy + r2 * syz;
      stress.m[row + 2] = r0 * sxz + r1 * syz + r2 * szz;
    }
    return stress;
  }

  const FleshBody& body_;
  const VertexFrames* frames_ = nullptr;
  std::vector<char> keeps_rig_shape_;    // per sample
  std::vector<Mat3> rotation_, stress_;  // per sample
  std::vector<Vec3> world_;              // per vertex
  std::vector<int> entry_start_;         // vertices + 1
  std::vector<Entry> entries_;
};

}  // namespace

std::unique_ptr<WarpedStiffness> element_warped_stiffness(const FleshBody& body) {
  return std::make_unique<ElementWarpedStiffness>(body);
}

}  // namespace sinew
