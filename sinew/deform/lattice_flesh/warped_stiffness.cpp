#include "sinew/deform/lattice_flesh/warped_stiffness.h"

#include "sinew/base/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 128;

}  // namespace

void warped_load(const FleshBody& body, const VertexFrames& frames, std::span<double> load) {
  const BlockMatrix& s = body.elastic_stiffness;
  const std::vector<Vec3>& rest = body.description.mesh.positions;
  parallel_for(body.free_vertex.size(), grain, [&](std::size_t f) {
    const auto i = static_cast<std::size_t>(body.free_vertex[f]);
    const Mat3& rotation = frames.rotation[i];
    Vec3 sum;
    for (int b = s.row_start[i]; b < s.row_start[i + 1]; ++b) {
      const auto j = static_cast<std::size_t>(s.column[static_cast<std::size_t>(b)]);
      sum += s.block[static_cast<std::size_t>(b)] * (transpose_times(rotation, frames.goal[j] - frames.goal[i]) - (rest[j] - rest[i]));
    }
    for (std::size_t k = 0; k < 3; ++k) load[3 * f + k] = sum[k];
  });
}

void warped_product(const FleshBody& body, const VertexFrames& frames, double elastic, double plain,
                    std::span<const double> u, std::span<Vec3> world, std::span<double> to) {
  const BlockMatrix& s = body.stiffness;
  const auto local = [&](std::size_t f) { return Vec3{u[3 * f], u[3 * f + 1], u[3 * f + 2]}; };
  parallel_for(body.free_vertex.size(), 4 * grain, [&](std::size_t f) {
    world[f] = frames.rotation[static_cast<std::size_t>(body.free_vertex[f])] * local(f);
  });
  parallel_for(body.free_vertex.size(), grain, [&](std::size_t f) {
    const Mat3 turn = transpose(frames.rotation[static_cast<std::size_t>(body.free_vertex[f])]) * elastic;
    Vec3 sum;
    for (int b = s.row_start[f]; b < s.row_start[f + 1]; ++b) {
      const auto g = static_cast<std::size_t>(s.column[static_cast<std::size_t>(b)]);
      sum += s.block[static_cast<std::size_t>(b)] * (turn * world[g] + plain * local(g));
    }
    for (std::size_t k = 0; k < 3; ++k) to[3 * f + k] = sum[k];
  });
}

}  // namespace sinew
