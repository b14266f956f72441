#include "sinew/shape/force_integral.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"

namespace sinew {
namespace {

// Longest edge of a tetrahedron that is integrated in one piece, relative to the field's detail: totals of the
// templates are then exact to 1e-5.
constexpr double piece_of_detail = 0.3;
constexpr std::size_t force_integral_grain = 4;

using Corners = std::array<Vec3, 4>;
using Weights = std::array<double, 4>;  // barycentric

// A part of a tetrahedron, by the whole one's barycentric coordinates.
using Piece = std::array<Weights, 4>;

struct QuadraturePoint {
  Weights place;
  double weight = 0;
};

// 14 points, degree 5, positive weights (Walkington 2000).
std::array<QuadraturePoint, 14> quadrature_points() {
  constexpr double near[2] = {0.31088591926330060980, 0.092735250310891226402};
  constexpr double weight[2] = {0.11268792571801585080, 0.073493043116361949544};
  constexpr double of_edge = 0.045503704125649649492, edge_weight = 0.042546020777081466438;
  std::array<QuadraturePoint, 14> points{};
  std::size_t n = 0;
  for (std::size_t g = 0; g < 2; ++g)
    for (std::size_t k = 0; k < 4; ++k) {
      points[n].place.fill(near[g]);
      points[n].place[k] = 1 - 3 * near[g];
      points[n++].weight = weight[g];
    }
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = i + 1; j < 4; ++j) {
      points[n].place.fill(of_edge);
      points[n].place[i] = points[n].place[j] = 0.5 - of_edge;
      points[n++].weight = edge_weight;
    }
  return points;
}

Vec3 place_in(const Corners& corners, const Weights& weights) {
  Vec3 sum;
  for (std::size_t k = 0; k < 4; ++k) sum += weights[k] * corners[k];
  return sum;
}

// Calls visit(barycentric coordinates, weight, point) for the points of a tetrahedron's pieces.
template <class Visit>
class TetrahedronPoints {
 public:
  TetrahedronPoints(const Vec3& centre, double radius, double detail, const Corners& corners, const Visit& visit)
      : centre_(centre), radius_(radius), longest_(piece_of_detail * detail), corners_(corners), visit_(visit) {}

  void find() {
    const Piece whole{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    add(whole, volume(corners_[0], corners_[1], corners_[2], corners_[3]));
  }

 private:
  void add(const Piece& piece, double piece_volume) {
    Corners at;
    for (std::size_t k = 0; k < 4; ++k) at[k] = place_in(corners_, piece[k]);
    if (squared_distance(centre_, bounds(at)) >= radius_ * radius_) return;
    std::size_t a = 0, b = 1;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = i + 1; j < 4; ++j)
        if (squared_norm(at[i] - at[j]) > squared_norm(at[a] - at[b])) a = i, b = j;
    if (distance(at[a], at[b]) <= longest_) return add_points(piece, piece_volume);
    Weights middle;
    for (std::size_t k = 0; k < 4; ++k) middle[k] = 0.5 * (piece[a][k] + piece[b][k]);
    for (const std::size_t end : {a, b}) {
      Piece half = piece;
      half[end] = middle;
      add(half, piece_volume / 2);
    }
  }

  void add_points(const Piece& piece, double piece_volume) {
    static const std::array<QuadraturePoint, 14> points = quadrature_points();
    for (const QuadraturePoint& point : points) {
      Weights place{};
      for (std::size_t c = 0; c < 4; ++c)
        for (std::size_t k = 0; k < 4; ++k) place[k] += point.place[c] * piece[c][k];
      visit_(place, point.weight * piece_volume, place_in(corners_, place));
    }
  }

  const Vec3& centre_;
  double radius_, longest_;
  const Corners& corners_;
  const Visit& visit_;
};

// The tetrahedra that a ball reaches.
struct Reached {
  std::vector<std::size_t> number;
  std::vector<Corners> corners;
};

Reached reached_tetrahedra(const TetrahedralMesh& mesh, std::span<const double> inside, const Vec3& centre,
                           double radius) {
  Reached reached;
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    Corners at;
    for (std::size_t k = 0; k < 4; ++k) at[k] = mesh.positions[index(mesh.tetrahedra[t][k])];
    if ((!inside.empty() && !(inside[t] > 0)) || squared_distance(centre, bounds(at)) >= radius * radius) continue;
    reached.number.push_back(t);
    reached.corners.push_back(at);
  }
  return reached;
}

}  // namespace

std::vector<PointForce> integrate_forces(const ForceField& field, const TetrahedralMesh& mesh,
                                         std::span<const double> inside) {
  const Reached reached = reached_tetrahedra(mesh, inside, field.centre, field.radius);
  std::vector<Corners> parts(reached.number.size());  // int f lambda_k dV at the four corners
  parallel_for(parts.size(), force_integral_grain, [&](std::size_t k) {
    const auto visit = [&](const Weights& place, double weight, const Vec3& x) {
      const Vec3 force = weight * field.density(x);
      for (std::size_t c = 0; c < 4; ++c) parts[k][c] += place[c] * force;
    };
    TetrahedronPoints(field.centre, field.radius, field.detail, reached.corners[k], visit).find();
  });
  std::vector<Vec3> sum(mesh.positions.size());
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const double share = inside.empty() ? 1 : inside[reached.number[k]];
    for (std::size_t c = 0; c < 4; ++c) sum[index(mesh.tetrahedra[reached.number[k]][c])] += share * parts[k][c];
  }
  return nonzero_forces(sum);
}

std::vector<double> integrate_work(const ForceDensities& fields, const TetrahedralMesh& mesh,
                                   std::span<const double> inside, std::span<const Vec3> u) {
  const Reached reached = reached_tetrahedra(mesh, inside, fields.centre, fields.radius);
  std::vector<double> parts(reached.number.size() * fields.count);
  parallel_for(reached.number.size(), force_integral_grain, [&](std::size_t k) {
    const std::size_t t = reached.number[k];
    Corners moved;
    for (std::size_t c = 0; c < 4; ++c) moved[c] = u[index(mesh.tetrahedra[t][c])];
    const double share = inside.empty() ? 1 : inside[t];
    const auto visit = [&](const Weights& place, double weight, const Vec3& x) {
      fields.add_work(x, place_in(moved, place), share * weight,
                      std::span(parts).subspan(k * fields.count, fields.count));
    };
    TetrahedronPoints(fields.centre, fields.radius, fields.detail, reached.corners[k], visit).find();
  });
  std::vector<double> sum(fields.count);
  for (std::size_t k = 0; k < parts.size(); ++k) sum[k % fields.count] += parts[k];
  return sum;
}

std::vector<PointForce> carry_forces(const SparseRows& surface, std::span<const Vec3> on_skin) {
  std::vector<Vec3> sum(index(surface.columns));
  for (std::size_t s = 0; s < on_skin.size(); ++s) {
    if (on_skin[s] == Vec3{}) continue;
    for (auto e = index(surface.start[s]); e < index(surface.start[s + 1]); ++e)
      sum[index(surface.column[e])] += surface.value[e] * on_skin[s];
  }
  return nonzero_forces(sum);
}

void add_forces(std::span<const PointForce> forces, double factor, std::span<Vec3> sum) {
  for (const PointForce& each : forces) sum[index(each.point)] += factor * each.force;
}

std::vector<PointForce> nonzero_forces(std::span<const Vec3> forces) {
  std::vector<PointForce> result;
  for (std::size_t f = 0; f < forces.size(); ++f)
    if (forces[f] != Vec3{}) result.push_back({static_cast<int>(f), forces[f]});
  return result;
}

}  // namespace sinew
