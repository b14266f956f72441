#include "sinew/deform/tetrahedra/surface_pushes.h"

namespace sinew {

void SurfacePushes::set(std::span<const Poke> pokes) {
  force_.clear();
  if (pokes.empty()) return;
  const FleshDescription& d = body_.description;
  if (points_.size() == 0) points_ = surface_points(d.mesh, d.embedding.points);
  force_.resize(d.mesh.positions.size());
  for (const Poke& poke : pokes) add_poke(points_, d.mesh.positions, poke, force_);
}

void SurfacePushes::add_to(const VertexFrames& frames, double factor, std::span<double> local) const {
  if (force_.empty()) return;
  for (std::size_t f = 0; f < body_.free_vertex.size(); ++f) {
    const auto v = static_cast<std::size_t>(body_.free_vertex[f]);
    const Vec3 own = factor * transpose_times(frames.rotation[v], force_[v]);
    for (std::size_t k = 0; k < 3; ++k) local[3 * f + k] += own[k];
  }
}

}  // namespace sinew
