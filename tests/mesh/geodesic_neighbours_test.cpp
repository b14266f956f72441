// Ways through a solid, and the boundary vertices that are near along it.
#include "sinew/mesh/geodesic_neighbours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <set>
#include <vector>

#include "sinew/mesh/boundary_surface.h"
#include "tests/base/refusal.h"
#include "tests/base/same_bits.h"
#include "tests/elastic/blocks.h"

namespace sinew {
namespace {

using test::at;

std::vector<double> distances_from(const GeodesicGraph& graph, int source) {
  std::vector<double> distance(graph.start.size() - 1, -1.0);
  GeodesicSearch search(graph);
  search.begin(source);
  for (int v = search.next(); v >= 0; v = search.next()) distance[at(v)] = search.distance();
  return distance;
}

// Of all pairs of vertices that are not linked to one place: how many times as long as the straight line, at most.
double worst_detour(const TetrahedralMesh& mesh, bool through_faces) {
  const GeodesicGraph graph = geodesic_graph(mesh, through_faces);
  double worst = 0;
  for (std::size_t source = 0; source < mesh.positions.size(); source += 7) {
    const std::vector<double> length = distances_from(graph, static_cast<int>(source));
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const double straight = distance(mesh.positions[source], mesh.positions[v]);
      EXPECT_GE(length[v], straight * (1 - 1e-12));
      if (straight > 0) worst = std::max(worst, length[v] / straight);
    }
  }
  return worst;
}

TEST(GeodesicGraph, LinksThroughFacesKnowMoreDirections) {
  const TetrahedralMesh lattice = test::lattice_block({6, 6, 6}, {1, 1, 1});
  const TetrahedralMesh cubes = test::block({6, 6, 6}, {1, 1, 1}).mesh;
  const double lattice_edges = worst_detour(lattice, false), lattice_faces = worst_detour(lattice, true);
  const double cube_edges = worst_detour(cubes, false), cube_faces = worst_detour(cubes, true);
  std::cout << "body-centred lattice " << lattice_edges << " by edges, " << lattice_faces << " through faces; cubes "
            << cube_edges << ", " << cube_faces << '\n';
  EXPECT_NEAR(lattice_edges, 1.24, 0.01);  // as the header says
  EXPECT_NEAR(lattice_faces, 1.13, 0.01);
  // Of the cube's four long diagonals three are no links: one side and the diagonal of another face.
  EXPECT_LT(cube_faces, (1 + std::sqrt(2.0)) / std::sqrt(3.0) + 1e-9);
  EXPECT_GT(lattice_edges, lattice_faces + 0.05);
  EXPECT_GT(cube_edges, cube_faces + 0.05);
}

// Two legs of a U, one cell apart, that meet at the far end only: cubes i in [0, 8), j in {0, 1, 2} without the middle
// row of the first seven.
TetrahedralMesh u_shape(std::array<int, 3> per_cube = {2, 2, 2}) {
  const std::array<int, 3> cells{8 * per_cube[0], 3 * per_cube[1], per_cube[2]};
  test::Block whole = test::block(cells, {8, 3, 1});
  TetrahedralMesh mesh;
  std::vector<int> number(whole.mesh.positions.size(), -1);
  for (const Tetrahedron& t : whole.mesh.tetrahedra) {
    Vec3 centre;
    for (const int v : t) centre += whole.mesh.positions[at(v)] / 4;
    if (centre.x < 7 && centre.y > 1 && centre.y < 2) continue;
    Tetrahedron kept = t;
    for (int& v : kept) {
      if (number[at(v)] < 0) {
        number[at(v)] = static_cast<int>(mesh.positions.size());
        mesh.positions.push_back(whole.mesh.positions[at(v)]);
      }
      v = number[at(v)];
    }
    mesh.tetrahedra.push_back(kept);
  }
  return mesh;
}

int vertex_at(const TetrahedralMesh& mesh, const Vec3& x) {
  for (std::size_t v = 0; v < mesh.positions.size(); ++v)
    if (distance(mesh.positions[v], x) < 1e-9) return static_cast<int>(v);
  ADD_FAILURE() << "no vertex at " << x.x << ' ' << x.y << ' ' << x.z;
  return 0;
}

// The way around the two inner corners is known: straight lines between them.
TEST(GeodesicGraph, GoesAroundWhatIsOutside) {
  const TetrahedralMesh mesh = u_shape();
  const GeodesicGraph graph = geodesic_graph(mesh);
  const int from = vertex_at(mesh, {3, 0.5, 0.5}), to = vertex_at(mesh, {3, 2.5, 0.5});
  // By symmetry over the middle of the inner edges, at x = 7 and y = 1 and 2.
  const double exact = 2 * distance(Vec3{3, 0.5, 0.5}, Vec3{7, 1, 0.5}) + 1;
  const double found = distances_from(graph, from)[at(to)];
  EXPECT_GE(found, exact * (1 - 1e-12));
  EXPECT_LT(found, 1.15 * exact);
  EXPECT_DOUBLE_EQ(distances_from(graph, to)[at(from)], found);
}

// Against Bellman and Ford: every link until nothing changes.
TEST(GeodesicGraph, SearchFindsTheShortestWaysInOrder) {
  const test::Block body = test::perturbed_unit_cells({4, 3, 3}, 0.2, 5);
  const GeodesicGraph graph = geodesic_graph(body.mesh);
  const std::size_t n = body.mesh.positions.size();
  for (const int source : {0, 31, 50}) {
    std::vector<double> length(n, std::numeric_limits<double>::infinity());
    length[at(source)] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t v = 0; v < n; ++v)
        for (int k = graph.start[v]; k < graph.start[v + 1]; ++k) {
          double& there = length[at(graph.neighbour[at(k)])];
          if (length[v] + graph.length[at(k)] < there) {
            there = length[v] + graph.length[at(k)];
            changed = true;
          }
        }
    }
    GeodesicSearch search(graph);
    search.begin(7);
    search.next();
    search.begin(source);
    double last = 0;
    std::size_t visited = 0;
    for (int v = search.next(); v >= 0; v = search.next(), ++visited) {
      EXPECT_NEAR(search.distance(), length[at(v)], 1e-12);
      EXPECT_GE(search.distance(), last);
      last = search.distance();
    }
    EXPECT_EQ(visited, n);
  }
}

struct Inside {
  std::vector<int> boundary, interior;
};

Inside split(const TetrahedralMesh& mesh) {
  std::vector<char> outer(mesh.positions.size(), 0);
  for (const Triangle& t : boundary_surface(mesh).triangles)
    for (const int v : t) outer[at(v)] = 1;
  Inside result;
  for (std::size_t v = 0; v < outer.size(); ++v)
    (outer[v] ? result.boundary : result.interior).push_back(static_cast<int>(v));
  return result;
}

// In space the other leg is as near as the own one's far side.
TEST(GeodesicNeighbours, StayInTheirOwnLeg) {
  const TetrahedralMesh mesh = u_shape();
  const Inside parts = split(mesh);
  for (const bool surround : {false, true}) {
    const GeodesicNeighbours found =
        geodesic_neighbours(mesh, parts.interior, parts.boundary, {.count = 16, .surround = surround, .search = 4});
    for (std::size_t i = 0; i < parts.interior.size(); ++i) {
      const Vec3& x = mesh.positions[at(parts.interior[i])];
      if (x.x > 4) continue;
      for (int k = found.start[i]; k < found.start[i + 1]; ++k) {
        const Vec3& y = mesh.positions[at(parts.boundary[at(found.target[at(k)])])];
        EXPECT_EQ(x.y < 1.5, y.y < 1.5);
      }
    }
  }
}

TEST(GeodesicNeighbours, AreTheNearestWhereTheyNeedNotSurround) {
  const test::Block body = test::perturbed_unit_cells({6, 5, 5}, 0.2, 9);
  const Inside parts = split(body.mesh);
  const GeodesicNeighbours found =
      geodesic_neighbours(body.mesh, parts.interior, parts.boundary, {.count = 11, .surround = false});
  const GeodesicGraph graph = geodesic_graph(body.mesh);
  for (std::size_t i = 0; i < parts.interior.size(); ++i) {
    const std::vector<double> length = distances_from(graph, parts.interior[i]);
    std::vector<double> sorted;
    for (const int v : parts.boundary) sorted.push_back(length[at(v)]);
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(found.start[i + 1] - found.start[i], 11);
    for (std::size_t k = 0; k < 11; ++k) EXPECT_DOUBLE_EQ(found.distance[at(found.start[i]) + k], sorted[k]);
  }
}

// A slab: everything that is nearest to a vertex under one face lies in that face. It is surrounded by taking
// neighbours from every side.
TEST(GeodesicNeighbours, SurroundWhatTheNearestDoNot) {
  const TetrahedralMesh mesh = test::block({10, 10, 6}, {10, 10, 9}).mesh;
  const Inside parts = split(mesh);
  const auto outside = [&](const GeodesicNeighbourOptions& options) {
    const GeodesicNeighbours found = geodesic_neighbours(mesh, parts.interior, parts.boundary, options);
    double worst = 0;
    int count = 0;
    for (std::size_t i = 0; i < parts.interior.size(); ++i) {
      EXPECT_EQ(found.start[i + 1] - found.start[i], options.count);
      std::set<int> different(found.target.begin() + found.start[i], found.target.begin() + found.start[i + 1]);
      EXPECT_EQ(different.size(), static_cast<std::size_t>(options.count));
      EXPECT_TRUE(std::is_sorted(found.distance.begin() + found.start[i], found.distance.begin() + found.start[i + 1]));
      worst = std::max(worst, found.gap[i]);
      count += found.gap[i] > 1e-9;
    }
    std::cout << options.count << (options.surround ? " around: " : " nearest: ") << count << " of "
              << parts.interior.size() << " vertices outside, by up to " << worst << '\n';
    return count;
  };
  EXPECT_GT(outside({.count = 20, .surround = false}), 100);
  EXPECT_EQ(outside({.count = 20}), 0);
  EXPECT_EQ(outside({.count = 4}), 0);  // by replacing alone
}

TEST(GeodesicNeighbours, GapIsTheDistanceToTheHull) {
  // Three corners of a tetrahedron see its fourth from outside.
  TetrahedralMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.25, 0.25, 0.5}}, {{0, 1, 2, 3}}};
  const std::vector<int> source{3}, targets{2, 0, 1};
  const GeodesicNeighbours found = geodesic_neighbours(mesh, source, targets);
  EXPECT_EQ(found.start.back(), 3);
  EXPECT_NEAR(found.gap[0], 0.5, 1e-12);
  EXPECT_EQ(found.target[0], 1);  // the nearest: vertex 0
}

TEST(GeodesicNeighbours, PiecesWithoutTargetsHaveNone) {
  TetrahedralMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {5, 0, 0}, {6, 0, 0}, {5, 1, 0}, {5, 0, 1}},
                       {{0, 1, 2, 3}, {4, 5, 6, 7}}};
  const std::vector<int> sources{3, 7}, targets{0, 1, 2};
  const GeodesicNeighbours found = geodesic_neighbours(mesh, sources, targets);
  EXPECT_EQ(found.start, (std::vector<int>{0, 3, 3}));
}

TEST(GeodesicNeighbours, AreTheSameForAnyNumberOfThreads) {
  const test::Block body = test::perturbed_unit_cells({8, 7, 6}, 0.2, 2);
  const Inside parts = split(body.mesh);
  test::expect_same_bits([&] {
    const GeodesicNeighbours found = geodesic_neighbours(body.mesh, parts.interior, parts.boundary);
    std::vector<double> all(found.target.begin(), found.target.end());
    all.insert(all.end(), found.distance.begin(), found.distance.end());
    all.insert(all.end(), found.gap.begin(), found.gap.end());
    return all;
  });
}

TEST(GeodesicNeighbours, RefusesWhatDoesNotExist) {
  const TetrahedralMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 2, 3}}};
  const std::vector<int> source{0}, wrong{4}, twice{1, 2, 1}, some{1, 2};
  const auto ask = [&](const std::vector<int>& from, const std::vector<int>& to,
                       const GeodesicNeighbourOptions& options = {}) {
    return test::refusal(ErrorKind::usage, [&] { geodesic_neighbours(mesh, from, to, options); });
  };
  EXPECT_NE(ask(source, wrong).find("vertex 4"), std::string::npos);
  EXPECT_NE(ask(wrong, some).find("vertex 4"), std::string::npos);
  EXPECT_NE(ask(source, twice).find("twice"), std::string::npos);
  ask(source, some, {.count = 0});
  const TetrahedralMesh broken{mesh.positions, {{0, 1, 2, 9}}};
  EXPECT_NE(test::refusal(ErrorKind::usage, [&] { geodesic_graph(broken); }).find("vertex 9"), std::string::npos);
}

}  // namespace
}  // namespace sinew
