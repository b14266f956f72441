#include "sinew/deform/rig_space/interior_correction.h"

#include <algorithm>
#include <array>
#include <map>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/rig_space/rig_space_body.h"
#include "sinew/deform/rig_space/static_interior.h"
#include "sinew/linalg/rotation.h"

namespace sinew {
namespace {

Vec3 entry(const ReducedBasis& basis, std::size_t e, std::size_t j) {
  const double* value = basis.value.data() + e * 3 * tile_width + j;
  return {value[0], value[tile_width], value[2 * tile_width]};
}

// visit(column, derivative) for a row of the basis.
template <class Visit>
void for_row(const ReducedBasis& basis, std::size_t vertex, const Visit& visit) {
  for (auto e = index(basis.start[vertex]); e < index(basis.start[vertex + 1]); ++e)
    for (std::size_t j = 0; j < tile_width; ++j) {
      const std::size_t column = index(basis.tile[e]) * tile_width + j;
      if (column < basis.columns) visit(column, entry(basis, e, j));
    }
}

std::vector<double> farthest_moves(const ReducedBasis& basis) {
  std::vector<double> farthest(basis.columns, 0.0);
  for (std::size_t v = 0; v < basis.vertices(); ++v)
    for_row(basis, v,
            [&](std::size_t column, const Vec3& d) { farthest[column] = std::max(farthest[column], norm(d)); });
  return farthest;
}

// Gradients of the linear shape functions of the tetrahedra around each interior vertex, their mean by volume.
void find_gradients(const RigSpaceBody& body, InteriorCorrection& correction) {
  const std::size_t boundary = body.boundary_vertices(), count = body.interior_vertices();
  std::vector<std::map<int, Vec3>> rows(count);
  std::vector<double> around(count, 0.0);
  for (const Tetrahedron& t : body.mesh.tetrahedra) {
    const auto edge = [&](std::size_t k) {
      return body.mesh.positions[index(t[k])] - body.mesh.positions[index(t[0])];
    };
    const double six_volumes = dot(edge(1), cross(edge(2), edge(3)));
    std::array<Vec3, 4> gradient;
    gradient[1] = cross(edge(2), edge(3)) / six_volumes;
    gradient[2] = cross(edge(3), edge(1)) / six_volumes;
    gradient[3] = cross(edge(1), edge(2)) / six_volumes;
    gradient[0] = -(gradient[1] + gradient[2] + gradient[3]);
    for (const int v : t) {
      if (index(v) < boundary) continue;
      const std::size_t i = index(v) - boundary;
      around[i] += six_volumes;
      for (std::size_t k = 0; k < 4; ++k) rows[i][t[k]] += gradient[k] * six_volumes;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (correction.rest.moves(i))
      for (const auto& [vertex, gradient] : rows[i]) {
        correction.vertex.push_back(vertex);
        correction.gradient.push_back(gradient / around[i]);
      }
    correction.start.push_back(static_cast<int>(correction.vertex.size()));
  }
}

}  // namespace

InteriorCorrection interior_correction(const RigSpaceBody& body, const ReducedBasis& boundary, double negligible) {
  TetrahedralEnergy energy(body.mesh, body.material);
  energy.activate(std::vector<char>(body.mesh.positions.size(), 1));
  const ReducedBasis answer = StaticInterior(body, energy).basis(body.mesh.positions, boundary);
  const std::vector<double> farthest = farthest_moves(answer);
  ReducedBasisBuilder builder(boundary.columns);
  const std::size_t outer = body.boundary_vertices();
  std::vector<Vec3> row(boundary.columns);
  for (std::size_t i = 0; i < body.interior_vertices(); ++i) {
    for_row(answer, outer + i, [&](std::size_t column, const Vec3& d) { row[column] = d; });
    for (auto k = index(body.interior.start[i]); k < index(body.interior.start[i + 1]); ++k)
      for_row(boundary, index(body.interior.column[k]),
              [&](std::size_t column, const Vec3& d) { row[column] -= d * body.interior.value[k]; });
    for (std::size_t column = 0; column < row.size(); ++column)
      if (norm(row[column]) > negligible * farthest[column]) builder.add(column, row[column]);
    builder.finish_row();
  }
  InteriorCorrection correction;
  correction.rest = builder.take();
  find_gradients(body, correction);
  return correction;
}

void interior_rotations(const InteriorCorrection& correction, std::span<const Vec3> x, std::span<Mat3> rotations) {
  parallel_for(rotations.size(), 64, [&](std::size_t i) {
    Mat3 gradient = Mat3::zero();
    for (auto k = index(correction.start[i]); k < index(correction.start[i + 1]); ++k)
      gradient += outer(x[index(correction.vertex[k])], correction.gradient[k]);
    rotations[i] = correction.rest.moves(i) ? closest_rotation(gradient) : Mat3::identity();
  });
}

void add_correction(const InteriorCorrection& correction, std::span<const Mat3> rotations, std::span<const double> away,
                    std::span<const Vec3> offset, std::span<Vec3> interior) {
  std::vector<Vec3> added(offset.size());
  displace(correction.rest, away, offset, added);
  for (std::size_t i = 0; i < interior.size(); ++i)
    if (correction.rest.moves(i)) interior[i] += rotations[i] * added[i];
}

}  // namespace sinew
