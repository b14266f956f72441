#include "sinew/mesh/control_lattice/validity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "sinew/base/threads/parallel.h"
#include "sinew/mesh/barycentric.h"
#include "sinew/mesh/control_lattice/tetrahedra_overlap.h"
#include "tests/mesh/lattices.h"

namespace sinew::test {
namespace {

using Pairs = std::vector<std::array<int, 2>>;

// The one sentence about a lattice that has one defect.
std::string only_defect(const ControlLattice& lattice) {
  const LatticeValidity validity = check_lattice(lattice);
  EXPECT_EQ(validity.defects.count, 1u);
  return validity.defects.sentences.empty() ? "" : validity.defects.sentences[0];
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void append(ControlLattice& lattice, const ControlLattice& other, const Vec3& offset) {
  const int vertices = static_cast<int>(lattice.positions.size());
  for (const Vec3& p : other.positions) lattice.positions.push_back(p + offset);
  for (std::size_t c = 0; c < other.cells(); ++c) {
    std::vector<std::vector<int>> faces;
    for (int f = other.cell_start[c]; f < other.cell_start[c + 1]; ++f) {
      faces.emplace_back();
      for (int v : other.face(static_cast<std::size_t>(f))) faces.back().push_back(vertices + v);
    }
    add_polyhedron(lattice, faces);
  }
}

TEST(LatticeValidity, GoodLatticesHaveNoDefects) {
  for (const ControlLattice& lattice : {hexahedral_box(3, 2, 2), tetrahedral_box(2, 2, 2), prism_bar(3, 5),
                                        prism_bar(3, 3), mixed_lattice(), polygonal_prism(7)}) {
    const LatticeValidity validity = check_lattice(lattice, 2);
    EXPECT_FALSE(validity.defects.any()) << validity.defects.sentences[0];
    EXPECT_TRUE(validity.overlapping_cells.empty());
    EXPECT_TRUE(validity.hinge_edges.empty());
    EXPECT_TRUE(validity.hinge_vertices.empty());
  }
}

TEST(LatticeValidity, NamesWhatIsBroken) {
  ControlLattice lattice = hexahedral_box(2, 1, 1);
  lattice.positions[7].y = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(contains(only_defect(lattice), "vertex 7 of the lattice has a position"));

  lattice = hexahedral_box(2, 1, 1);
  lattice.corner[24 + 5] = -1;
  EXPECT_TRUE(contains(only_defect(lattice), "face 1 of cell 1 of the lattice names vertex -1"));

  lattice = hexahedral_box(2, 1, 1);
  lattice.face_start.back() = 1000;
  EXPECT_TRUE(contains(only_defect(lattice), "do not fit together"));

  lattice = hexahedral_box(2, 1, 1);
  lattice.positions.push_back({5, 5, 5});
  EXPECT_TRUE(contains(only_defect(lattice), "vertex 12 of the lattice is in no cell"));

  lattice = hexahedral_box(2, 1, 1);
  lattice.bones = {{"spine", {0, 1, 2}}, {"arm", {0, 1, 0}}};
  EXPECT_TRUE(contains(only_defect(lattice), "bone \"arm\" of the lattice comes to vertex 0 twice"));

  lattice = hexahedral_box(2, 1, 1);
  lattice.sharp_edges = {{0, 2}};
  EXPECT_TRUE(contains(only_defect(lattice), "sharp edge 0 of the lattice goes from vertex 0 to vertex 2"));

  lattice = hexahedral_box(2, 1, 1);
  lattice.stiffness.assign(12, 1);
  lattice.stiffness[3] = -1;
  EXPECT_TRUE(contains(only_defect(lattice), "the painted stiffness of vertex 3"));
  lattice.stiffness.pop_back();
  EXPECT_TRUE(contains(only_defect(lattice), "11 painted values of stiffness for 12 vertices"));

  EXPECT_TRUE(contains(only_defect({}), "has no cells"));
}

TEST(LatticeValidity, NamesCellsThatDoNotFitTogether) {
  // A third cell on the face between two.
  ControlLattice lattice = hexahedral_box(2, 1, 1);
  for (const Vec3& p : {Vec3{1.5, 0, 0}, Vec3{1.5, 1, 0}, Vec3{1.5, 0, 1}, Vec3{1.5, 1, 1}})
    lattice.positions.push_back(p);
  add_hexahedron(lattice, {1, 12, 13, 4, 7, 14, 15, 10});
  EXPECT_TRUE(contains(only_defect(lattice), "cells 0 and 1 of the lattice share a face at vertex 1 with cell 2"));

  // Both cells on one side: the second is the first one's mirror image, given inside out.
  lattice = hexahedral_box(1, 1, 1);
  for (const Vec3& p : {Vec3{2, 0, 0}, Vec3{2, 1, 0}, Vec3{2, 0, 1}, Vec3{2, 1, 1}}) lattice.positions.push_back(p);
  add_hexahedron(lattice, {8, 1, 3, 9, 10, 5, 7, 11});
  EXPECT_TRUE(contains(only_defect(lattice), "cells 0 and 1 of the lattice lie on the same side"));

  // A cube against six tetrahedra.
  lattice = tetrahedral_box(1, 1, 1);
  for (const Vec3& p : {Vec3{2, 0, 0}, Vec3{2, 1, 0}, Vec3{2, 0, 1}, Vec3{2, 1, 1}}) lattice.positions.push_back(p);
  add_hexahedron(lattice, {1, 8, 9, 3, 5, 10, 11, 7});
  EXPECT_TRUE(contains(only_defect(lattice), "cell 6 of the lattice has a face of four corners"));
}

TEST(LatticeValidity, NamesFoldedCells) {
  ControlLattice lattice = hexahedral_box(3, 1, 1);
  std::swap(lattice.positions[3], lattice.positions[2]);  // the last two along an edge change places
  const LatticeValidity validity = check_lattice(lattice);
  ASSERT_GE(validity.defects.count, 1u);
  EXPECT_TRUE(contains(validity.defects.sentences.back(), "cell 2 of the lattice is folded"));

  ControlLattice turned = hexahedral_box(1, 1, 1);
  for (Vec3& p : turned.positions) p.x = -p.x;
  EXPECT_TRUE(contains(only_defect(turned), "cell 0 of the lattice is folded or inside out"));
}

TEST(LatticeValidity, FindsOverlappingCells) {
  ControlLattice lattice = hexahedral_box(2, 1, 1);
  append(lattice, hexahedral_box(1, 1, 1), {2, 0, 0});  // touches only
  append(lattice, hexahedral_box(1, 1, 1), {-0.5, 0.5, 0.25});
  append(lattice, hexahedral_box(1, 1, 1), {1.2, 0.999, 0});
  LatticeValidity validity = check_lattice(lattice);
  EXPECT_FALSE(validity.defects.any());
  EXPECT_EQ(validity.overlapping_cells, (Pairs{{0, 3}, {1, 4}, {2, 4}}));

  // One cell wholly inside another: no faces cross.
  lattice = hexahedral_box(1, 1, 1);
  ControlLattice small = hexahedral_box(1, 1, 1);
  for (Vec3& p : small.positions) p = p * 0.01;
  append(lattice, small, {0.7, 0.2, 0.6});
  EXPECT_EQ(check_lattice(lattice).overlapping_cells, (Pairs{{0, 1}}));
}

// Tetrahedra are taken whole, other cells in pieces.
TEST(LatticeValidity, FindsOverlapOfAllKindsOfCells) {
  ControlLattice lattice = tetrahedral_box(1, 1, 1);
  append(lattice, tetrahedral_box(1, 1, 1), {1, 0, 0});
  append(lattice, hexahedral_box(1, 1, 1), {0, 0, 1});
  append(lattice, prism_bar(1, 3, 0.2), {0, 1.5, 0.5});
  LatticeValidity validity = check_lattice(lattice);
  EXPECT_FALSE(validity.defects.any());
  EXPECT_TRUE(validity.overlapping_cells.empty());
  append(lattice, tetrahedral_box(1, 1, 1), {1.75, 0.25, 0.25});
  validity = check_lattice(lattice);
  for (const std::array<int, 2>& pair : validity.overlapping_cells) {
    EXPECT_GE(pair[0], 6);
    EXPECT_LT(pair[0], 12);
    EXPECT_GE(pair[1], 16);
  }
  EXPECT_GT(validity.overlapping_cells.size(), 6u);

  lattice = tetrahedral_box(1, 1, 1);
  lattice.positions[1] = {-0.2, 0, 0};
  EXPECT_TRUE(check_lattice(lattice).defects.any());
}

TEST(LatticeValidity, AnyNumberOfThreadsFindsTheSame) {
  ControlLattice lattice = hexahedral_box(3, 3, 3);
  std::mt19937 random(8);
  for (Vec3& p : lattice.positions)
    for (std::size_t k = 0; k < 3; ++k) p[k] += std::uniform_real_distribution<>(-0.6, 0.6)(random);
  set_thread_count(1);
  const LatticeValidity one = check_lattice(lattice);
  set_thread_count(3);
  const LatticeValidity three = check_lattice(lattice);
  set_thread_count(0);
  EXPECT_GT(one.overlapping_cells.size(), 3u);
  EXPECT_EQ(one.overlapping_cells, three.overlapping_cells);
  EXPECT_EQ(one.defects.sentences, three.defects.sentences);
}

// Eight wedges of 60 degrees about one edge: the seventh lies on the first, and each has positive volume.
TEST(LatticeValidity, FindsCellsThatWindTwiceAroundAnEdge) {
  ControlLattice lattice;
  for (int s = 0; s < 2; ++s) {
    lattice.positions.push_back({double(s), 0, 0});
    for (int a = 0; a <= 7; ++a) {
      const double angle = std::numbers::pi / 3 * a;
      lattice.positions.push_back({double(s), std::cos(angle), std::sin(angle)});
    }
  }
  for (int a = 0; a < 7; ++a) add_prism(lattice, {0, a + 2, a + 1, 9, a + 11, a + 10});
  EXPECT_EQ(check_lattice(lattice).overlapping_cells, (Pairs{{0, 6}}));
}

TEST(LatticeValidity, FindsHinges) {
  ControlLattice lattice = hexahedral_box(1, 1, 1);
  for (const Vec3& p : {Vec3{1, 2, 0}, Vec3{2, 1, 0}, Vec3{2, 2, 0}, Vec3{1, 2, 1}, Vec3{2, 1, 1}, Vec3{2, 2, 1}})
    lattice.positions.push_back(p);
  add_hexahedron(lattice, {3, 9, 10, 8, 7, 12, 13, 11});  // along the upright edge from 3 to 7
  const LatticeValidity validity = check_lattice(lattice);
  EXPECT_FALSE(validity.defects.any());
  EXPECT_EQ(validity.hinge_edges, (Pairs{{3, 7}}));
  EXPECT_EQ(validity.hinge_vertices, (std::vector<int>{3, 7}));
}

// Against points: where a point lies deep in both, they overlap; where they do not overlap, no point lies in both.
TEST(LatticeValidity, TetrahedraOverlapWhereTheyShareInnerPoints) {
  std::mt19937 random(5);
  std::uniform_real_distribution<> at(-1, 1), weight(0, 1);
  int overlapping = 0, apart = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    std::array<std::array<Vec3, 4>, 2> t;
    for (auto& corners : t)
      for (Vec3& p : corners) p = {at(random), at(random), at(random)};
    const int shared = trial % 3;  // corners in common
    for (int k = 0; k < shared; ++k) t[1][static_cast<std::size_t>(k)] = t[0][static_cast<std::size_t>(k)];
    for (auto& corners : t)
      if (volume(corners[0], corners[1], corners[2], corners[3]) < 0) std::swap(corners[2], corners[3]);
    bool common = false;
    for (int sample = 0; sample < 400 && !common; ++sample) {
      std::array<double, 4> w;
      double sum = 0;
      for (double& x : w) sum += x = -std::log(weight(random) + 1e-12);
      Vec3 p;
      for (std::size_t k = 0; k < 4; ++k) p += w[k] / sum * t[0][k];
      const std::array<double, 4> other = barycentric_weights(t[1], p);
      common =
          *std::min_element(other.begin(), other.end()) > 0.01 && *std::min_element(w.begin(), w.end()) / sum > 0.01;
    }
    const bool overlap = tetrahedra_overlap(t[0], t[1], 1e-9);
    EXPECT_EQ(overlap, tetrahedra_overlap(t[1], t[0], 1e-9));
    EXPECT_TRUE(overlap || !common);
    overlapping += common;
    apart += !overlap;
  }
  EXPECT_GT(overlapping, 300);
  EXPECT_GT(apart, 300);
}

}  // namespace
}  // namespace sinew::test
