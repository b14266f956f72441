#include "sinew/deform/lattice_flesh/ground_contact.h"

namespace sinew {
namespace {

constexpr int sweeps = 4;

}  // namespace

int hold_above_ground(const FleshBody& body, const VertexFrames& frames, std::span<double> displacement) {
  const auto& points = body.description.embedding.points;
  const double plane = body.dynamics.ground_height;
  int moved = 0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    moved = 0;
    for (const EmbeddedPoint& point : points) {
      if (point.tetrahedron < 0) continue;
      const Tetrahedron& corner = body.description.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
      double height = 0, goal_height = 0, compliance = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        const auto v = static_cast<std::size_t>(corner[k]);
        goal_height += point.weights[k] * frames.goal[v].y;
        const int f = body.free_index[v];
        if (f < 0) continue;
        const double* u = &displacement[3 * static_cast<std::size_t>(f)];
        height += point.weights[k] * dot(frames.rotation[v].row(1), Vec3{u[0], u[1], u[2]});
        compliance += point.weights[k] * point.weights[k] / body.mass[v];
      }
      const double depth = plane - (goal_height + height);
      if (goal_height < plane || depth <= 0 || compliance <= 0) continue;
      ++moved;
      for (std::size_t k = 0; k < 4; ++k) {
        const auto v = static_cast<std::size_t>(corner[k]);
        const int f = body.free_index[v];
        if (f < 0) continue;
        // World push along +Y, taken into the vertex's frame: R^T e_y is row 1 of R.
        const Vec3 push = frames.rotation[v].row(1) * (depth * point.weights[k] / (body.mass[v] * compliance));
        double* u = &displacement[3 * static_cast<std::size_t>(f)];
        u[0] += push.x;
        u[1] += push.y;
        u[2] += push.z;
      }
    }
    if (moved == 0) break;
  }
  return moved;
}

}  // namespace sinew
