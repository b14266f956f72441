#include "sinew/deform/tetrahedra/flesh_surface.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/tetrahedra/flesh_state.h"

namespace sinew {

void scatter_displacements(const FleshBody& body, std::span<const double> free_displacement,
                           std::span<Vec3> per_vertex) {
  for (std::size_t v = 0; v < per_vertex.size(); ++v) {
    const int f = body.free_index[v];
    if (f < 0) {
      per_vertex[v] = {};
      continue;
    }
    const auto at = 3 * static_cast<std::size_t>(f);
    per_vertex[v] = {free_displacement[at], free_displacement[at + 1], free_displacement[at + 2]};
  }
}

void scatter_forces(const FleshBody& body, std::span<const PointForce> forces, std::vector<double>& local) {
  local.assign(3 * body.free_vertex.size(), 0.0);
  for (const PointForce& each : forces)
    if (const int f = body.free_index[static_cast<std::size_t>(each.point)]; f >= 0)
      for (std::size_t k = 0; k < 3; ++k) local[3 * static_cast<std::size_t>(f) + k] += each.force[k];
}

void outside_forces(const FleshBody& body, const VertexFrames& frames, std::span<double> local) {
  for (std::size_t f = 0; f < body.free_vertex.size(); ++f) {
    const Mat3& rotation = frames.rotation[static_cast<std::size_t>(body.free_vertex[f])];
    const Vec3 force = transpose_times(rotation, outside_force(body, f, rotation));
    for (std::size_t k = 0; k < 3; ++k) local[3 * f + k] = force[k];
  }
}

void surface_displacement(const FleshBody& body, const VertexFrames& frames, std::span<const Vec3> local_displacement,
                          std::span<Vec3> surface) {
  const auto& points = body.description.embedding.points;
  std::vector<Vec3> world(local_displacement.size());
  parallel_for(world.size(), 1024, [&](std::size_t v) { world[v] = frames.rotation[v] * local_displacement[v]; });
  parallel_for(points.size(), 1024, [&](std::size_t s) {
    Vec3 sum;
    if (points[s].tetrahedron >= 0) {
      const Tetrahedron& corner = body.description.mesh.tetrahedra[static_cast<std::size_t>(points[s].tetrahedron)];
      for (std::size_t k = 0; k < 4; ++k) {
        sum += points[s].weights[k] * world[static_cast<std::size_t>(corner[k])];
      }
    }
    surface[s] = sum;
  });
}

namespace {

class FleshCarrier final : public SurfaceCarrier {
 public:
  explicit FleshCarrier(std::shared_ptr<const FleshBody> body) : body_(std::move(body)) {}
  std::size_t points() const override { return body_->description.mesh.positions.size(); }
  std::size_t surface_vertices() const override { return body_->description.embedding.points.size(); }
  void displace(std::span<const Affine> bones, std::span<const Vec3> local, std::span<Vec3> surface) override {
    predict_frames(points_of(body_->description), bones, frames_);
    surface_displacement(*body_, frames_, local, surface);
  }

 private:
  std::shared_ptr<const FleshBody> body_;
  VertexFrames frames_;
};

}  // namespace

std::unique_ptr<SurfaceCarrier> surface_carrier(std::shared_ptr<const FleshBody> body) {
  return std::make_unique<FleshCarrier>(std::move(body));
}

void require_finite(std::span<const double> displacement) {
  for (std::size_t k = 0; k < displacement.size(); ++k)
    if (!std::isfinite(displacement[k]))
      throw simulation_error("the simulation lost free vertex " + std::to_string(k / 3) +
                             " of the body; check the clip for jumps there, or use a smaller --step.");
}

SparseRows surface_rows(const FleshDescription& description) {
  SparseRows rows;
  rows.columns = static_cast<int>(description.mesh.positions.size());
  for (const EmbeddedPoint& point : description.embedding.points) {
    if (point.tetrahedron >= 0) {
      const Tetrahedron& corner = description.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
      std::array<std::size_t, 4> order{0, 1, 2, 3};
      std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return corner[a] < corner[b]; });
      for (const std::size_t k : order) {
        rows.column.push_back(corner[k]);
        rows.value.push_back(point.weights[k]);
      }
    }
    rows.start.push_back(static_cast<int>(rows.column.size()));
  }
  return rows;
}

}  // namespace sinew
