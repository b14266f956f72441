#include "sinew/deform/lattice_flesh/ground_contact.h"

#include <algorithm>

namespace sinew {
namespace {

constexpr int sweeps = 4;

}  // namespace

int hold_above_ground(const FleshBody& body, const VertexFrames& frames, std::span<double> displacement,
                      std::span<char> touched) {
  const auto& points = body.description.embedding.points;
  const double plane = body.dynamics.ground_height;
  std::fill(touched.begin(), touched.end(), char{0});
  int held = 0;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    int moved = 0;
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
        if (point.weights[k] != 0) touched[static_cast<std::size_t>(f)] = 1;
      }
    }
    held = std::max(held, moved);
    if (moved == 0) break;
  }
  return held;
}

void settle_on_ground(const FleshBody& body, std::span<const char> touched, std::span<const Vec3> before, FleshState& state) {
  for (std::size_t f = 0; f < touched.size(); ++f) {
    if (!touched[f]) continue;
    state.velocity[f].y = (state.position[f].y - before[f].y) / body.method.step;
    state.acceleration[f].y = 0;
    state.force[f].y = 0;
  }
}

}  // namespace sinew
