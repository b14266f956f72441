// Edits of lattices by hand: what they conserve, what undoes them, and what they refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/mesh/control_lattice/cell_shapes.h"
#include "sinew/mesh/control_lattice/validity.h"
#include "sinew/mesh/lattice_editing/chains_and_creases.h"
#include "sinew/mesh/lattice_editing/change_cells.h"
#include "sinew/mesh/lattice_editing/collapse_edges.h"
#include "sinew/mesh/lattice_editing/grid_lattice.h"
#include "sinew/mesh/lattice_editing/lattice_problems.h"
#include "sinew/mesh/lattice_editing/merge_layers.h"
#include "sinew/mesh/lattice_editing/move_vertices.h"
#include "sinew/mesh/lattice_editing/split_edges.h"
#include "tests/mesh/lattices.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using Edge = std::array<int, 2>;

// Volume of the cells as the trilinear scheme subdivides them, which does not depend on the edits' code.
double volume_of_lattice(const ControlLattice& lattice) {
  const LatticeTetrahedra pieces = cut_into_tetrahedra(subdivide(lattice, SubdivisionScheme::trilinear, 2));
  double sum = 0;
  for (const auto& t : pieces.mesh.tetrahedra) {
    const std::vector<Vec3>& p = pieces.mesh.positions;
    sum +=
        dot(cross(p[index(t[1])] - p[index(t[0])], p[index(t[2])] - p[index(t[0])]), p[index(t[3])] - p[index(t[0])]) /
        6;
  }
  return sum;
}

bool same_bytes(const ControlLattice& a, const ControlLattice& b) {
  const auto bones = [](const ControlLattice& lattice) {
    std::vector<std::pair<std::string, std::vector<int>>> list;
    for (const LatticeBone& bone : lattice.bones) list.emplace_back(bone.name, bone.vertices);
    return list;
  };
  return a.positions == b.positions && a.cell_start == b.cell_start && a.face_start == b.face_start &&
         a.corner == b.corner && bones(a) == bones(b) && a.sharp_edges == b.sharp_edges &&
         a.sharp_vertices == b.sharp_vertices && a.stiffness == b.stiffness && a.damping == b.damping &&
         a.density == b.density;
}

void expect_sound(const ControlLattice& lattice) {
  const LatticeDefects defects = structural_defects(lattice, 1);
  EXPECT_FALSE(defects.any()) << (defects.any() ? defects.sentences[0] : "");
  EXPECT_TRUE(folded_cells(lattice).empty());
}

// Every lattice that the other tests use, each with a bone along an edge, a crease and painted values.
std::vector<ControlLattice> lattices_to_edit() {
  std::vector<ControlLattice> all{test::hexahedral_box(3, 2, 2), test::tetrahedral_box(2, 2, 2), test::prism_bar(3, 6),
                                  test::mixed_lattice()};
  for (ControlLattice& lattice : all) {
    lattice = in_standard_form(lattice);
    const CellComplex complex = cell_complex(sides_of(lattice));
    lattice.bones.push_back({"bone", {complex.edges[1][0], complex.edges[1][1]}});
    lattice.sharp_edges.push_back(complex.edges[3]);
    lattice.sharp_vertices.push_back(2);
    for (std::size_t v = 0; v < lattice.positions.size(); ++v)
      lattice.stiffness.push_back(1 + 0.25 * static_cast<double>(v));
  }
  return all;
}

template <class Function>
std::string sentence_of_edit(const Function& function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    return error.what();
  }
  return "";
}

TEST(LatticeEditing, StandardFormKeepsCells) {
  for (const ControlLattice& lattice : lattices_to_edit()) {
    EXPECT_TRUE(same_bytes(in_standard_form(lattice), lattice));
    expect_sound(lattice);
  }
  // Whatever corner a cell began with.
  ControlLattice turned = test::hexahedral_box(1, 1, 1);
  set_cells(turned, {});
  add_hexahedron(turned, {5, 1, 0, 4, 7, 3, 2, 6});
  EXPECT_TRUE(same_bytes(in_standard_form(turned), test::hexahedral_box(1, 1, 1)));
}

TEST(LatticeEditing, SplitConservesVolumeAndStaysConforming) {
  int split = 0, refused = 0;
  for (const ControlLattice& lattice : lattices_to_edit()) {
    const double volume = volume_of_lattice(lattice);
    for (const Edge& edge : cell_complex(sides_of(lattice)).edges) {
      ControlLattice after;
      if (const std::string why = sentence_of_edit([&] { after = split_edge(lattice, edge).lattice; }); !why.empty()) {
        ++refused;
        continue;
      }
      ++split;
      expect_sound(after);
      EXPECT_GT(after.cells(), lattice.cells());
      EXPECT_NEAR(volume_of_lattice(after), volume, 1e-12 * volume);
      EXPECT_TRUE(lattice_hinges(after).edges.empty());
      EXPECT_EQ(after.stiffness.size(), after.positions.size());
    }
  }
  EXPECT_GT(split, 200);
  EXPECT_LT(refused, 40);
}

TEST(LatticeEditing, SplitThenMergeGivesIdenticalBytes) {
  int merged = 0;
  for (const ControlLattice& lattice : lattices_to_edit())
    for (const Edge& edge : cell_complex(sides_of(lattice)).edges) {
      ControlLattice after;
      if (!sentence_of_edit([&] { after = split_edge(lattice, edge).lattice; }).empty()) continue;
      // The new vertex in the middle of the edge.
      const Vec3 middle = 0.5 * (lattice.positions[index(edge[0])] + lattice.positions[index(edge[1])]);
      const auto found = std::find(after.positions.begin() + static_cast<std::ptrdiff_t>(lattice.positions.size()),
                                   after.positions.end(), middle);
      ASSERT_NE(found, after.positions.end());
      const int vertex = static_cast<int>(found - after.positions.begin());
      EXPECT_TRUE(same_bytes(merge_layers(after, {edge[0], vertex, edge[1]}).lattice, lattice));
      ++merged;
    }
  EXPECT_GT(merged, 200);
}

TEST(LatticeEditing, SplitOfHexahedraIsALayer) {
  const ControlLattice box = test::hexahedral_box(3, 2, 2);
  const ControlLattice after = split_edge(box, {0, 1}).lattice;  // along x: the first of three layers of 2 x 2 cells
  EXPECT_EQ(after.cells(), 16U);
  EXPECT_EQ(after.positions.size(), box.positions.size() + 9);
  for (std::size_t c = 0; c < after.cells(); ++c) EXPECT_EQ(plain_cell(after, c).shape, CellShape::hexahedron);
}

TEST(LatticeEditing, MergeOfCellsTakesTheirLayers) {
  const ControlLattice box = in_standard_form(test::hexahedral_box(3, 2, 2));
  const LatticeEdit edit = merge_cells(box, 0, 1);
  EXPECT_EQ(edit.lattice.cells(), 8U);
  EXPECT_NEAR(volume_of_lattice(edit.lattice), 12, 1e-12);
  expect_sound(edit.lattice);
  EXPECT_NE(sentence_of_edit([&] { merge_cells(box, 0, 5); }).find("share no face"), std::string::npos);
  // Two tetrahedra make no cell in which every vertex has three edges, but along the straight edges of the box.
  const ControlLattice tetrahedra = test::tetrahedral_box(2, 2, 2);
  const CellComplex complex = cell_complex(sides_of(tetrahedra));
  int refused = 0;
  for (std::size_t f = 0; f < complex.faces.size(); ++f) {
    if (complex.boundary_face[f]) continue;
    const int a = complex.side_cell[index(complex.face_sides[f][0])];
    const int b = complex.side_cell[index(complex.face_sides[f][1])];
    ControlLattice merged;
    const std::string why = sentence_of_edit([&] { merged = merge_cells(tetrahedra, a, b).lattice; });
    refused += !why.empty();
    if (!why.empty()) {
      EXPECT_NE(why.find("cannot be merged"), std::string::npos);
      continue;
    }
    expect_sound(merged);
    EXPECT_NEAR(volume_of_lattice(merged), 8, 1e-12);
  }
  EXPECT_GT(refused, 50);
  EXPECT_NE(sentence_of_edit([&] { merge_cells(box, 0, 99); }).find("no cell 99"), std::string::npos);
}

TEST(LatticeEditing, MergeRefusesBonesInTheLayer) {
  ControlLattice box = in_standard_form(test::hexahedral_box(2, 1, 1));
  box.bones.push_back({"spine", {0, 1}});  // ends in the layer at x = 1
  EXPECT_NE(sentence_of_edit([&] { merge_layers(box, {0, 1, 2}); }).find("spine"), std::string::npos);
  box.bones[0].vertices = {0, 1, 2};  // goes through it
  EXPECT_EQ(merge_layers(box, {0, 1, 2}).lattice.bones[0].vertices, (std::vector<int>{0, 1}));
}

TEST(LatticeEditing, CollapseRemovesALayer) {
  const ControlLattice box = test::hexahedral_box(3, 2, 2);
  const LatticeEdit edit = collapse_edge(box, {1, 2});
  EXPECT_EQ(edit.lattice.cells(), 8U);
  EXPECT_NEAR(volume_of_lattice(edit.lattice), 12, 1e-12);  // the neighbours take the space
  expect_sound(edit.lattice);
  EXPECT_EQ(edit.new_vertex[1], edit.new_vertex[2]);
  EXPECT_NE(sentence_of_edit([&] {
              collapse_edge(test::hexahedral_box(1, 1, 1), {0, 1});
            }).find("no cell"),
            std::string::npos);
}

TEST(LatticeEditing, CollapseKeepsTopologyOrRefuses) {
  int collapsed = 0;
  for (const ControlLattice& lattice : lattices_to_edit())
    for (const Edge& edge : cell_complex(sides_of(lattice)).edges) {
      ControlLattice after;
      if (!sentence_of_edit([&] { after = collapse_edge(lattice, edge).lattice; }).empty()) continue;
      expect_sound(after);
      EXPECT_LT(after.cells(), lattice.cells());
      EXPECT_TRUE(lattice_hinges(after).vertices.empty());
      ++collapsed;
    }
  EXPECT_GT(collapsed, 40);
}

TEST(LatticeEditing, AddedCellsHaveTheirVolume) {
  const ControlLattice box = test::hexahedral_box(2, 1, 1);
  const std::vector<std::vector<int>> ends{{0, 3, 6, 9}}, top{{6, 7, 10, 9}, {7, 8, 11, 10}};
  EXPECT_NEAR(volume_of_lattice(add_cells(box, ends, 0.5).lattice), 2.5, 1e-12);
  const LatticeEdit both = add_cells(box, top, 2);
  EXPECT_NEAR(volume_of_lattice(both.lattice), 6, 1e-12);
  EXPECT_EQ(both.lattice.positions.size(), box.positions.size() + 6);  // the two share an edge above
  expect_sound(both.lattice);
  const ControlLattice tetrahedron = test::tetrahedral_box(1, 1, 1);
  const CellComplex complex = cell_complex(sides_of(tetrahedron));
  const auto free = static_cast<std::size_t>(std::find(complex.boundary_face.begin(), complex.boundary_face.end(), 1) -
                                             complex.boundary_face.begin());
  const std::vector<std::vector<int>> face{{complex.faces[free].begin(), complex.faces[free].end()}};
  EXPECT_NEAR(volume_of_lattice(add_cells(tetrahedron, face, 1, true).lattice), 1 + 1.0 / 6, 1e-12);
  EXPECT_NEAR(volume_of_lattice(add_cells(tetrahedron, face, 1).lattice), 1.5, 1e-12);
}

TEST(LatticeEditing, AddRefusesInnerFacesAndWrongHeights) {
  const ControlLattice box = test::hexahedral_box(2, 1, 1);
  const std::vector<std::vector<int>> inner{{1, 4, 7, 10}}, none{{0, 1, 2, 3}}, end{{0, 3, 6, 9}};
  EXPECT_NE(sentence_of_edit([&] { add_cells(box, inner, 1); }).find("both sides"), std::string::npos);
  EXPECT_NE(sentence_of_edit([&] { add_cells(box, none, 1); }).find("no face"), std::string::npos);
  for (const double height : {0.0, -1.0, 1e9, std::nan(""), std::numeric_limits<double>::infinity()})
    EXPECT_NE(sentence_of_edit([&] { add_cells(box, end, height); }).find("height"), std::string::npos);
}

TEST(LatticeEditing, CellsBetweenFaces) {
  // A U of five cubes: the gap between its arms is closed by one.
  ControlLattice box = test::hexahedral_box(3, 2, 1);
  const ControlLattice u = delete_cells(box, std::vector<int>{4}).lattice;
  EXPECT_NEAR(volume_of_lattice(u), 5, 1e-12);
  const auto at = [&](double x, double y, double z) {
    return static_cast<int>(std::find(u.positions.begin(), u.positions.end(), Vec3{x, y, z}) - u.positions.begin());
  };
  const std::vector<int> left{at(1, 1, 0), at(1, 2, 0), at(1, 1, 1), at(1, 2, 1)};
  const std::vector<int> right{at(2, 1, 0), at(2, 2, 0), at(2, 1, 1), at(2, 2, 1)};
  const ControlLattice closed = add_cell_between(u, left, right).lattice;
  EXPECT_NEAR(volume_of_lattice(closed), 6, 1e-12);
  expect_sound(closed);
  // The corner between an arm and the base is filled by a prism.
  const std::vector<int> base{at(1, 1, 0), at(2, 1, 0), at(1, 1, 1), at(2, 1, 1)};
  const ControlLattice filled = add_cell_between(u, left, base).lattice;
  EXPECT_NEAR(volume_of_lattice(filled), 5.5, 1e-12);
  expect_sound(filled);
  EXPECT_NE(sentence_of_edit([&] { add_cell_between(u, left, left); }).find("share one edge"), std::string::npos);
}

TEST(LatticeEditing, DeleteKeepsTheRestAndCutsChains) {
  ControlLattice box = test::hexahedral_box(3, 1, 1);
  box.bones.push_back({"spine", {0, 1, 2, 3}});
  box.sharp_edges.push_back({1, 2});
  const LatticeEdit edit = delete_cells(box, std::vector<int>{1});
  EXPECT_EQ(edit.lattice.cells(), 2U);
  ASSERT_EQ(edit.lattice.bones.size(), 2U);
  EXPECT_EQ(edit.lattice.bones[0].vertices, (std::vector<int>{0, 1}));
  EXPECT_EQ(edit.lattice.bones[1].vertices, (std::vector<int>{2, 3}));
  EXPECT_TRUE(edit.lattice.sharp_edges.empty());
  expect_sound(edit.lattice);
  const LatticeEdit end = delete_cells(box, std::vector<int>{0});
  EXPECT_EQ(end.new_vertex[0], -1);
  EXPECT_EQ(end.lattice.positions.size(), box.positions.size() - 4);
  EXPECT_NE(sentence_of_edit([&] {
              delete_cells(box, std::vector<int>{0, 1, 2});
            }).find("all it has"),
            std::string::npos);
  EXPECT_NE(sentence_of_edit([&] { delete_cells(box, std::vector<int>{-1}); }).find("no cell -1"), std::string::npos);
}

TEST(LatticeEditing, MovesFallOffAlongEdges) {
  const ControlLattice box = test::hexahedral_box(4, 1, 1);
  const std::vector<double> shares = move_shares(box, std::vector<int>{0}, 2);
  EXPECT_EQ(shares[0], 1);
  EXPECT_NEAR(shares[1], std::pow(1 - 0.25, 2), 1e-15);  // one edge away
  EXPECT_EQ(shares[2], 0);                               // two edges
  const ControlLattice moved = moved_vertices(box, {{0}, {0, 0, -1}, 2, std::nullopt});
  EXPECT_EQ(moved.positions[0], (Vec3{0, 0, -1}));
  EXPECT_NEAR(moved.positions[1].z, -0.5625, 1e-15);
  EXPECT_EQ(moved.positions[2], box.positions[2]);
}

TEST(LatticeEditing, MirroredMovesStayMirrored) {
  ControlLattice box = test::hexahedral_box(4, 2, 2);
  for (Vec3& p : box.positions) p.x -= 2;
  const SymmetryPlane plane{0, 0};
  const std::vector<int> partners = mirror_partners(box, plane);
  for (std::size_t v = 0; v < partners.size(); ++v) ASSERT_EQ(partners[index(partners[v])], static_cast<int>(v));
  ControlLattice moved = box;
  moved = moved_vertices(moved, {{0, 7}, {0.11, -0.07, 0.13}, 1.7, plane});
  moved = moved_vertices(moved, {{2, 20, 24}, {-0.05, 0.09, 0.031}, 2.3, plane});
  for (std::size_t v = 0; v < partners.size(); ++v)
    EXPECT_EQ(mirrored(moved.positions[v], plane), moved.positions[index(partners[v])]) << v;
  EXPECT_NE(moved.positions[0], box.positions[0]);
}

TEST(LatticeEditing, MovesTellJacobianSigns) {
  const ControlLattice box = test::hexahedral_box(2, 1, 1);
  EXPECT_TRUE(lattice_problems(box, nullptr).one_to_one);
  // The corner of the first cell goes through the opposite side.
  const ControlLattice folded = moved_vertices(box, {{0}, {1.5, 0, 0}, 0, std::nullopt});
  const LatticeProblems problems = lattice_problems(folded, nullptr);
  ASSERT_FALSE(problems.problems.empty());
  EXPECT_EQ(problems.problems[0].kind, LatticeProblem::Kind::folded);
  EXPECT_EQ(problems.problems[0].cells, std::vector<int>{0});
  EXPECT_FALSE(problems.one_to_one);
  EXPECT_FALSE(problems.usable);
  // Moved back, it has the bytes of before.
  EXPECT_TRUE(same_bytes(moved_vertices(folded, {{0}, {-1.5, 0, 0}, 0, std::nullopt}), box));
}

TEST(LatticeEditing, MovesRefuseWhatIsNotThere) {
  const ControlLattice box = test::hexahedral_box(1, 1, 1);
  const double nan = std::nan("");
  EXPECT_NE(sentence_of_edit([&] {
              moved_vertices(box, {{8}, {}, 0, std::nullopt});
            }).find("no vertex 8"),
            std::string::npos);
  EXPECT_NE(sentence_of_edit([&] { moved_vertices(box, {{0}, {nan, 0, 0}, 0, std::nullopt}); }), "");
  EXPECT_NE(sentence_of_edit([&] { moved_vertices(box, {{0}, {1e300, 0, 0}, 0, std::nullopt}); }), "");
  EXPECT_NE(sentence_of_edit([&] { moved_vertices(box, {{0}, {}, nan, std::nullopt}); }), "");
}

TEST(LatticeEditing, SnapsToBones) {
  const ControlLattice box = test::hexahedral_box(2, 1, 1);
  const Vec3 head{0.2, 0.3, 0.4}, tail{1.7, 0.3, 0.4};
  const ControlLattice on = snapped_to_segment(box, std::vector<int>{0, 1, 2}, head, tail);
  EXPECT_EQ(on.positions[0], head);
  EXPECT_NEAR(distance(on.positions[1], {1, 0.3, 0.4}), 0, 1e-15);
  EXPECT_NEAR(distance(on.positions[2], tail), 0, 1e-15);
  const ControlLattice chained = with_bone_chain(on, "spine", std::vector<int>{2, 0, 1}, head, tail);
  ASSERT_EQ(chained.bones.size(), 1U);
  EXPECT_EQ(chained.bones[0].vertices, (std::vector<int>{0, 1, 2}));
  expect_sound(chained);
  EXPECT_NE(sentence_of_edit([&] {
              with_bone_chain(on, "spine", std::vector<int>{0, 2}, head, tail);
            }).find("no edge"),
            std::string::npos);
  const ControlLattice apart = without_bones_at(chained, std::vector<int>{1});
  ASSERT_EQ(apart.bones.size(), 2U);
  EXPECT_EQ(apart.bones[1].vertices, std::vector<int>{2});
  ControlLattice crooked = box;
  crooked.positions[1].y = 0.3;
  const ControlLattice parallel = made_parallel_to_segment(crooked, std::vector<int>{0, 1, 2}, head, tail);
  for (const int v : {0, 1, 2}) EXPECT_NEAR(parallel.positions[index(v)].y, 0.1, 1e-15);
}

TEST(LatticeEditing, SharpEdgesAreSetAndCleared) {
  const ControlLattice box = test::hexahedral_box(1, 1, 1);
  const std::vector<Edge> edges{{0, 1}, {1, 3}}, reversed{{1, 0}, {3, 1}}, none{{0, 7}};
  const ControlLattice sharp = with_sharp_edges(box, edges, true);
  EXPECT_EQ(sharp.sharp_edges, edges);
  EXPECT_TRUE(same_bytes(with_sharp_edges(sharp, reversed, true), sharp));
  EXPECT_TRUE(same_bytes(with_sharp_edges(sharp, reversed, false), box));
  EXPECT_NE(sentence_of_edit([&] { with_sharp_edges(box, none, true); }).find("no edge"), std::string::npos);
  EXPECT_TRUE(same_bytes(
      with_sharp_vertices(with_sharp_vertices(box, std::vector<int>{5}, true), std::vector<int>{5}, false), box));
}

TEST(LatticeEditing, ProblemsNameTheSkinOutside) {
  const ControlLattice box = test::hexahedral_box(1, 1, 1);
  TriangleMesh skin{{{0.2, 0.2, 0.2}, {0.8, 0.2, 0.2}, {0.5, 1.25, 0.5}}, {{0, 1, 2}}};
  const LatticeProblems problems = lattice_problems(box, &skin);
  ASSERT_EQ(problems.count, 1U);
  EXPECT_EQ(problems.problems[0].kind, LatticeProblem::Kind::outside);
  EXPECT_EQ(problems.problems[0].place, skin.positions[2]);
  EXPECT_TRUE(problems.one_to_one);
  EXPECT_FALSE(problems.usable);
  skin.positions[2].y = 1;
  EXPECT_TRUE(lattice_problems(box, &skin).usable);
}

TEST(LatticeEditing, GridsHoldTheSurfaceAndAreSymmetric) {
  const TriangleMesh ball = test::sphere({0, 0, 0}, 1);
  const SymmetryPlane plane{0, 0};
  const ControlLattice grid = grid_lattice(ball, 5, plane);
  EXPECT_TRUE(lattice_problems(grid, &ball).usable);
  EXPECT_TRUE(lattice_problems(grid, &ball).one_to_one);
  for (const int partner : mirror_partners(grid, plane)) EXPECT_GE(partner, 0);
  EXPECT_LT(grid.cells(), 6U * 5 * 5);  // corners of the bounds are left out
  for (std::size_t c = 0; c < grid.cells(); ++c) ASSERT_EQ(plain_cell(grid, c).shape, CellShape::hexahedron);
  for (const int across : {0, -1, 41}) EXPECT_NE(sentence_of_edit([&] { grid_lattice(ball, across); }), "");
}

}  // namespace
}  // namespace sinew
