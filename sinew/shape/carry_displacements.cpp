#include "sinew/shape/carry_displacements.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/control_lattice/point_values.h"
#include "sinew/mesh/embedding.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface/vertex_areas.h"

namespace sinew {
namespace {

constexpr std::size_t skin_grain = 64;
// An ellipsoid is sampled at so many points to each side of its middle, along each axis. Where the determinant of their
// covariance is below this share of a ball's, because few of them lie in cells, the map at the middle is taken.
constexpr int region_points = 4;
constexpr double least_covariance = 1e-3;

// Distance of a point from the cell that carries it; 0 inside.
double beyond(const TetrahedralMesh& mesh, const EmbeddedPoint& point, const Vec3& p) {
  const std::array<Vec3, 4> corners = corners_of(mesh, index(point.tetrahedron));
  Vec3 carried;
  for (std::size_t c = 0; c < 4; ++c) carried += point.weights[c] * corners[c];
  return std::max(std::max(distance_outside(corners, p), 0.0), distance(carried, p));
}

// The mean of the map's gradients at a cell's corners, as linear in between.
Mat3 jacobian_at(const RetargetedLattice& lattice, std::span<const Mat3> at_vertices, const EmbeddedPoint& point) {
  Mat3 jacobian = Mat3::zero();
  for (std::size_t c = 0; c < 4; ++c)
    jacobian += at_vertices[index(lattice.source.tetrahedra[index(point.tetrahedron)][c])] * point.weights[c];
  return jacobian;
}

// Weighted sums over points y of a unit ball and where they are mapped.
struct BallSums {
  double weight = 0;
  Vec3 place, mapped;
  Mat3 squares = Mat3::zero(), products = Mat3::zero();

  void add(double w, const Vec3& y, const Vec3& to) {
    weight += w;
    place += w * y;
    mapped += w * to;
    squares += w * outer(y, y);
    products += w * outer(to, y);
  }
  Mat3 covariance() const { return (1 / weight) * squares - outer(place / weight, place / weight); }
};

}  // namespace

TissueRegion carried_region(const RetargetedLattice& lattice, const TissueRegion& region) {
  std::vector<Vec3> inside{{}}, points{region.centre};
  for (int i = -region_points; i <= region_points; ++i)
    for (int j = -region_points; j <= region_points; ++j)
      for (int k = -region_points; k <= region_points; ++k) {
        const Vec3 y = Vec3{1.0 * i, 1.0 * j, 1.0 * k} / region_points;
        if (norm(y) >= 1 || y == Vec3{}) continue;
        inside.push_back(y);
        points.push_back(region.centre + region.axes * y);
      }
  const Embedding embedding = embed_points(lattice.source, points);
  const std::vector<Vec3> mapped = embedded_positions(embedding, lattice.target, lattice.target.positions);
  BallSums all, sums;
  const double rounding = 1e-9 * frobenius_norm(region.axes);
  for (std::size_t p = 0; p < points.size(); ++p) {
    const double weight = bell(norm(inside[p]), 1);
    all.add(weight, inside[p], {});
    if (beyond(lattice.source, embedding.points[p], points[p]) <= rounding) sums.add(weight, inside[p], mapped[p]);
  }
  if (!(sums.weight > 0) || !(determinant(sums.covariance()) > least_covariance * determinant(all.covariance())))
    return {mapped.front(), jacobian_at(lattice, lattice_jacobians(lattice), embedding.points.front()) * region.axes};
  const Vec3 mean = sums.place / sums.weight, to = sums.mapped / sums.weight;
  const Mat3 axes = ((1 / sums.weight) * sums.products - outer(to, mean)) * inverse(sums.covariance());
  return {to - axes * mean, axes};
}

std::vector<Mat3> lattice_jacobians(const RetargetedLattice& lattice) {
  const std::size_t n = lattice.source.positions.size();
  std::vector<Mat3> product(n, Mat3::zero()), squares(n, Mat3::zero());
  for (const auto& [a, b] : lattice_edges(lattice.source)) {
    const Vec3 from = lattice.source.positions[index(b)] - lattice.source.positions[index(a)],
               to = lattice.target.positions[index(b)] - lattice.target.positions[index(a)];
    for (const int v : {a, b}) {
      product[index(v)] += outer(to, from);
      squares[index(v)] += outer(from, from);
    }
  }
  // Every vertex has a cell, and so three edges in independent directions.
  for (std::size_t v = 0; v < n; ++v) product[v] = product[v] * inverse(squares[v]);
  return product;
}

Origins origins_in_lattice(const RetargetedLattice& lattice, std::span<const Vec3> target) {
  const Embedding embedding = embed_points(lattice.target, target);
  Origins origins{embedded_positions(embedding, lattice.source, lattice.source.positions), {}};
  for (std::size_t k = 0; k < target.size(); ++k)
    origins.distance.push_back(beyond(lattice.target, embedding.points[k], target[k]));
  return origins;
}

Origins origins_on_skin(const TriangleMesh& source, const LimbSurface& carried, const TriangleMesh& target,
                        std::span<const int> limb, double reach) {
  const std::vector<Vec3> normal = vertex_area_vectors(target.positions, target.triangles);
  Origins origins{std::vector<Vec3>(normal.size()), std::vector<double>(normal.size(), reach)};
  parallel_for(normal.size(), skin_grain, [&](std::size_t v) {
    const ClosestPoint nearest =
        carried.closest_facing(target.positions[v], normal[v], limb.empty() ? -1 : limb[v], reach);
    if (nearest.triangle < 0) return;
    const Triangle& corners = source.triangles[index(nearest.triangle)];
    for (std::size_t c = 0; c < 3; ++c)
      origins.point[v] += nearest.barycentric[c] * source.positions[index(corners[c])];
    origins.distance[v] = std::sqrt(nearest.squared_distance);
  });
  return origins;
}

CarriedDisplacements::CarriedDisplacements(const RetargetedLattice& lattice, const TetrahedralMesh& source,
                                           const Origins& origins)
    : weights_(embedding_rows(embed_points(source, origins.point), source)) {
  const std::vector<Mat3> at_vertices = lattice_jacobians(lattice);
  const Embedding embedding = embed_points(lattice.source, origins.point);
  for (std::size_t k = 0; k < origins.point.size(); ++k)
    jacobian_.push_back(jacobian_at(lattice, at_vertices, embedding.points[k]));
}

std::vector<Vec3> CarriedDisplacements::carry(std::span<const Vec3> displacement) const {
  std::vector<Vec3> carried(jacobian_.size());
  for (std::size_t k = 0; k < carried.size(); ++k) carried[k] = jacobian_[k] * row_times(weights_, k, displacement);
  return carried;
}

}  // namespace sinew
