#include "sinew/deform/tetrahedra/pose_stiffness.h"

#include <algorithm>

#include "sinew/base/threads/parallel.h"
#include "sinew/deform/flesh/goal_elasticity.h"
#include "sinew/elastic/sample_entries.h"
#include "sinew/elastic/stiffness.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

constexpr std::size_t pose_sample_grain = 256, pose_row_grain = 64;

// The samples of a body that has grown into the goal: gradients G^-T g in world space, and volumes.
struct GrownSamples {
  std::vector<Vec3> gradient;  // per entry, 1/m
  std::vector<double> volume;  // per sample, cubic metres
};

bool positive_definite(const Mat3& a) {
  return a(0, 0) > 0 && a(0, 0) * a(1, 1) > a(0, 1) * a(0, 1) && determinant(a) > 0;
}

// True if all stretches of `gradient` lie within [1 / most, most] and it is not inverted: most are, and need no SVD.
bool within_stretches(const Mat3& gradient, double most) {
  const Mat3 squared = transpose(gradient) * gradient, one = Mat3::identity();
  return determinant(gradient) > 0 && positive_definite(squared - one * (1 / (most * most))) &&
         positive_definite(one * (most * most) - squared);
}

GrownSamples grown_samples(const StrainSamples& samples, std::span<const Vec3> goal, double most_stretch) {
  GrownSamples grown{std::vector<Vec3>(samples.gradient.size()), std::vector<double>(samples.size())};
  parallel_for(samples.size(), pose_sample_grain, [&](std::size_t s) {
    if (samples.volume[s] == 0) return;
    const Mat3 gradient = deformation_gradient(samples, s, goal);
    grown.volume[s] = samples.volume[s];
    Mat3 to_goal;  // G^-T
    if (within_stretches(gradient, most_stretch)) {
      grown.volume[s] *= determinant(gradient);
      to_goal = transpose(inverse(gradient));
    } else {
      const SignedSvd svd = signed_svd(gradient);
      Vec3 over;
      for (std::size_t k = 0; k < 3; ++k) {
        const double stretch = std::clamp(svd.sigma[k], 1 / most_stretch, most_stretch);
        grown.volume[s] *= stretch;
        over[k] = 1 / stretch;
      }
      to_goal = svd.u * Mat3::diagonal(over) * transpose(svd.v);
    }
    for (auto e = static_cast<std::size_t>(samples.start[s]); e < static_cast<std::size_t>(samples.start[s + 1]); ++e)
      grown.gradient[e] = to_goal * samples.gradient[e];
  });
  return grown;
}

}  // namespace

BlockMatrix pose_stiffness(const FleshBody& body, const VertexFrames& frames) {
  const StrainSamples& samples = body.samples;
  const GrownSamples grown = grown_samples(samples, frames.goal, TissueLaw().most_stretch);
  const SampleEntries entries = entries_of_vertices(samples, static_cast<int>(body.mass.size()));
  BlockMatrix stiffness = body.stiffness;
  std::fill(stiffness.block.begin(), stiffness.block.end(), Mat3::zero());
  const auto block = [&](std::size_t row, std::size_t column) -> Mat3& {
    return stiffness
        .block[static_cast<std::size_t>(find_block(stiffness, static_cast<int>(row), static_cast<int>(column)))];
  };
  // Each row computes its blocks from the diagonal on, and writes their transposes below it.
  parallel_for(body.free_vertex.size(), pose_row_grain, [&](std::size_t row) {
    const auto i = static_cast<std::size_t>(body.free_vertex[row]);
    for (int e = entries.start[i]; e < entries.start[i + 1]; ++e) {
      const auto s = static_cast<std::size_t>(entries.sample[static_cast<std::size_t>(e)]);
      const Vec3& gradient = grown.gradient[static_cast<std::size_t>(entries.entry[static_cast<std::size_t>(e)])];
      for (auto k = static_cast<std::size_t>(samples.start[s]); k < static_cast<std::size_t>(samples.start[s + 1]);
           ++k) {
        const int column = body.free_index[static_cast<std::size_t>(samples.vertex[k])];
        if (column < static_cast<int>(row)) continue;
        block(row, static_cast<std::size_t>(column)) +=
            stiffness_block(gradient, grown.gradient[k], grown.volume[s], samples.shear[s], samples.lambda[s]);
      }
    }
    const auto end = static_cast<std::size_t>(stiffness.row_start[row + 1]);
    for (auto b = static_cast<std::size_t>(stiffness.row_start[row]); b < end; ++b) {
      const auto column = static_cast<std::size_t>(stiffness.column[b]);
      if (column < row) continue;
      const auto j = static_cast<std::size_t>(body.free_vertex[column]);
      Mat3& of = stiffness.block[b];
      of = transpose(frames.rotation[i]) * of * frames.rotation[j];
      if (column > row) block(column, row) = transpose(of);
    }
    for (std::size_t k = 0; k < 3; ++k) block(row, row)(k, k) += body.bone_spring[i];
  });
  return stiffness;
}

}  // namespace sinew
