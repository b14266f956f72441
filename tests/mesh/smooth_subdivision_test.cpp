// The smooth schemes against known answers: B-splines, and the limits of Catmull and Clark's surfaces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/cell_complex.h"
#include "sinew/mesh/control_lattice/subdivision.h"
#include "tests/mesh/lattices.h"
#include "tests/rounding.h"

namespace sinew::test {
namespace {

// The uniform cubic B-spline, centred, of support (-2, 2).
double b_spline(double t) {
  t = std::abs(t);
  return t < 1 ? 2.0 / 3 - t * t + t * t * t / 2 : t < 2 ? (2 - t) * (2 - t) * (2 - t) / 6 : 0;
}

// Values at the vertices of a box of hexahedral_box() that is refined, by their position.
class BoxValues {
 public:
  BoxValues(const std::vector<Vec3>& places, const std::vector<double>& values, int steps) : steps_(steps) {
    for (std::size_t v = 0; v < places.size(); ++v) value_[key(places[v])] = values[v];
  }
  // The limit of subdivision there, by the mask (1/6, 4/6, 1/6) in each direction, which B-splines have.
  double limit(const Vec3& p, const std::vector<Vec3>& directions) const {
    if (directions.empty()) return value_.at(key(p));
    const std::vector<Vec3> others(directions.begin() + 1, directions.end());
    const Vec3 step = directions[0] / steps_;
    return (limit(p - step, others) + 4 * limit(p, others) + limit(p + step, others)) / 6;
  }

 private:
  std::array<long, 3> key(const Vec3& p) const {
    return {std::lround(p.x * steps_), std::lround(p.y * steps_), std::lround(p.z * steps_)};
  }
  int steps_;
  std::map<std::array<long, 3>, double> value_;
};

std::vector<double> function_of_vertex(const SubdividedLattice& fine, int vertex) {
  std::vector<double> control(index(fine.vertices[0]), 0.0), values(index(fine.vertices.back()));
  control[index(vertex)] = 1;
  multiply(nodal_basis(fine, 0), control, values);
  return values;
}

TEST(SmoothSubdivision, FunctionsInARegularGridAreTricubicBSplines) {
  const ControlLattice box = hexahedral_box(5, 4, 4);
  const int centre = 2 + 6 * (2 + 5 * 2);
  const std::vector<Vec3> places = subdivide(box, SubdivisionScheme::trilinear, 3).positions;
  for (SubdivisionScheme scheme : {SubdivisionScheme::mlca, SubdivisionScheme::maccracken_joy}) {
    const SubdividedLattice fine = subdivide(box, scheme, 3);
    const BoxValues values(places, function_of_vertex(fine, centre), 8);
    int compared = 0;
    for (const Vec3& p : places) {
      if (std::min({p.x, p.y, p.z, 5 - p.x, 4 - p.y, 4 - p.z}) < 0.01) continue;
      const double expected = b_spline(p.x - 2) * b_spline(p.y - 2) * b_spline(p.z - 2);
      ASSERT_NEAR(values.limit(p, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), expected, 1e-13);
      ++compared;
    }
    EXPECT_EQ(compared, 39 * 31 * 31);
  }
}

TEST(SmoothSubdivision, FunctionsOnARegularBoundaryAreBicubicBSplines) {
  const ControlLattice box = hexahedral_box(4, 4, 2);
  const int centre = 2 + 5 * 2;
  const std::vector<Vec3> places = subdivide(box, SubdivisionScheme::trilinear, 3).positions;
  for (SubdivisionScheme scheme : {SubdivisionScheme::mlca, SubdivisionScheme::maccracken_joy}) {
    const SubdividedLattice fine = subdivide(box, scheme, 3);
    const BoxValues values(places, function_of_vertex(fine, centre), 8);
    for (const Vec3& p : places) {
      if (p.z > 0.01 || std::min({p.x, p.y, 4 - p.x, 4 - p.y}) < 0.01) continue;
      ASSERT_NEAR(values.limit(p, {{1, 0, 0}, {0, 1, 0}}), b_spline(p.x - 2) * b_spline(p.y - 2), 1e-13);
    }
  }
}

// A crease that goes straight through two edges is a cubic B-spline, inside as on the boundary.
TEST(SmoothSubdivision, CreasesAreCubicBSplines) {
  for (int row : {0, 1}) {  // along the box's edge, and through its middle
    ControlLattice box = hexahedral_box(4, 2, 2);
    const auto at = [&](int i) { return i + 5 * (row + 3 * row); };
    for (int i = 0; i < 4; ++i) box.sharp_edges.push_back({at(i), at(i + 1)});
    const std::vector<Vec3> places = subdivide(box, SubdivisionScheme::trilinear, 3).positions;
    for (SubdivisionScheme scheme : {SubdivisionScheme::mlca, SubdivisionScheme::maccracken_joy}) {
      const SubdividedLattice fine = subdivide(box, scheme, 3);
      const BoxValues values(places, function_of_vertex(fine, at(2)), 8);
      for (int i = 1; i < 32; ++i) {
        const Vec3 p{i / 8.0, double(row), double(row)};
        ASSERT_NEAR(values.limit(p, {{1, 0, 0}}), b_spline(p.x - 2), 1e-13);
      }
    }
  }
}

// Section 5.1: what moves the ends of a bone's edge rigidly moves the edge rigidly, wherever all other vertices go.
TEST(SmoothSubdivision, BonesMapLinearly) {
  ControlLattice bar = prism_bar(3, 5);
  bar.sharp_edges.push_back({1, 2});
  std::mt19937 random(3);
  std::uniform_real_distribution<> anywhere(-3, 3);
  for (SubdivisionScheme scheme : {SubdivisionScheme::mlca, SubdivisionScheme::maccracken_joy}) {
    const SubdividedLattice fine = subdivide(bar, scheme, 3);
    std::vector<Vec3> posed(bar.positions.size()), positions(fine.positions.size());
    for (Vec3& p : posed) p = {anywhere(random), anywhere(random), anywhere(random)};
    multiply(nodal_basis(fine, 0), posed, positions);
    for (std::size_t edge = 0; edge < 3; ++edge) {
      const Vec3 a = posed[index(bar.bones[0].vertices[edge])], b = posed[index(bar.bones[0].vertices[edge + 1])];
      for (std::size_t k = 0; k <= 8; ++k)
        EXPECT_LT(norm(positions[index(fine.bones[0][8 * edge + k])] - (a + (b - a) * (double(k) / 8))), 1e-14);
    }
  }
}

// Catmull and Clark's rules on the boundary of a lattice, written for surfaces alone.
struct Surface {
  std::vector<std::vector<int>> faces;
  std::map<int, Vec3> positions;
};

struct Ring {
  Vec3 edge_neighbours, diagonal_neighbours;  // sums; diagonals of quadrilaterals
  int valence = 0;
};

std::map<int, Ring> rings(const Surface& surface) {
  std::map<int, Ring> ring;
  for (const std::vector<int>& face : surface.faces)
    for (std::size_t k = 0; k < 4; ++k) {
      Ring& r = ring[face[k]];
      ++r.valence;
      r.edge_neighbours += surface.positions.at(face[(k + 1) % 4]);  // each edge once: surfaces are oriented
      r.diagonal_neighbours += surface.positions.at(face[(k + 2) % 4]);
    }
  return ring;
}

std::map<int, Vec3> limits(const Surface& surface) {
  std::map<int, Vec3> limit;
  for (const auto& [v, r] : rings(surface)) {
    const double n = r.valence;
    limit[v] = (n * n * surface.positions.at(v) + 4 * r.edge_neighbours + r.diagonal_neighbours) / (n * (n + 5));
  }
  return limit;
}

Surface boundary(const SubdividedLattice& fine) {
  const CellComplex complex = cell_complex(sides_of(fine.vertices.back(), fine.hexahedra));
  Surface surface;
  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    if (!complex.boundary_face[f]) continue;
    surface.faces.emplace_back(complex.faces[f].begin(), complex.faces[f].end());
    for (int v : complex.faces[f]) surface.positions[v] = fine.positions[index(v)];
  }
  return surface;
}

// The closed form of the limit is the same at every level where, and only where, all rules of the boundary are Catmull
// and Clark's: valences 3, 4, 5 and 6 occur, and faces of three, four and five corners in the first step.
TEST(SmoothSubdivision, BoundaryOfMacCrackenJoyHasCatmullClarkLimits) {
  std::mt19937 random(11);
  std::uniform_real_distribution<> noise(-0.2, 0.2);
  std::map<int, int> valences;
  for (ControlLattice lattice : {hexahedral_box(3, 2, 1), tetrahedral_box(2, 1, 1), prism_bar(2, 5), prism_bar(2, 6),
                                 mixed_lattice(), polygonal_prism(5)}) {
    lattice.bones.clear();
    for (Vec3& p : lattice.positions) p += {noise(random), noise(random), noise(random)};
    const std::map<int, Vec3> coarse = limits(boundary(subdivide(lattice, SubdivisionScheme::maccracken_joy, 1)));
    const Surface surface = boundary(subdivide(lattice, SubdivisionScheme::maccracken_joy, 3));
    const std::map<int, Vec3> fine = limits(surface);
    for (const auto& [v, r] : rings(surface)) ++valences[r.valence];
    for (const auto& [v, limit] : coarse) EXPECT_LT(norm(limit - fine.at(v)), 1e-13);
  }
  for (int valence : {3, 4, 5, 6}) EXPECT_GT(valences[valence], 0) << valence;
}

// The first step on a cube whose corners are known: points of faces, edges and corners by hand.
TEST(SmoothSubdivision, FirstStepOfACubeByHand) {
  const SubdividedLattice fine = subdivide(hexahedral_box(1, 1, 1), SubdivisionScheme::maccracken_joy, 1);
  // Corner at the origin: n = 3, so a third of the mean of three face centroids and two thirds of that of three
  // middles.
  const double corner = (1.0 / 3) * (1.0 / 3) + (2.0 / 3) * (1.0 / 6);
  // Means of up to eight corners, and means of these.
  const double rounding = test::rounding_of(1, 8 + 6);
  EXPECT_LT(norm(fine.positions[0] - Vec3{corner, corner, corner}), rounding);
  // The edge from the origin along x is the first: half its middle, half the mean of the two faces'.
  EXPECT_LT(norm(fine.positions[8] - Vec3{0.5, 0.125, 0.125}), rounding);
  EXPECT_LT(norm(fine.positions[26] - Vec3{0.5, 0.5, 0.5}), rounding);
  // MLCA there: the mean of the centroids of the three quarters of faces at the corner.
  const SubdividedLattice mlca = subdivide(hexahedral_box(1, 1, 1), SubdivisionScheme::mlca, 1);
  const double mean = (0.25 + 0.25 + 0) / 3;
  EXPECT_LT(norm(mlca.positions[0] - Vec3{mean, mean, mean}), rounding);
}

}  // namespace
}  // namespace sinew::test
