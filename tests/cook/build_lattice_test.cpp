// Control lattices built for characters.
#include "sinew/cook/lattice/build_lattice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cook/lattice/build_lattice_check.h"
#include "sinew/mesh/control_lattice/validity.h"
#include "sinew/mesh/quality.h"
#include "tests/character/two_bones.h"

namespace sinew {
namespace {

// Stands on two joints, one unit high in metres.
Character tube(double unit = 1) {
  const double metre = 1 / unit;
  Character character = test::two_bone_tube(24, 16, metre, 0.12 * metre, [](double height) {
    const double t = std::clamp((height - 0.4) / 0.2, 0.0, 1.0);
    return t * t * (3 - 2 * t);
  });
  character.file = "tube";
  character.metres_per_unit = unit;
  return character;
}

BuiltLattice built_for(const Character& character, int cells, const Progress& progress = {}) {
  return build_lattice(character, simulation_surface(character), {cells}, progress);
}

TEST(BuildLattice, EnclosesTheSurfaceAndFollowsTheBones) {
  const Character character = tube();
  const SimulationSurface surface = simulation_surface(character);
  for (const int cells : {60, 200, 600}) {
    SCOPED_TRACE(cells);
    const BuiltLattice built = build_lattice(character, surface, {cells});
    EXPECT_NEAR(static_cast<double>(built.measures.cells), cells, 0.2 * cells);
    EXPECT_EQ(built.lattice.cells(), built.measures.cells);
    EXPECT_FALSE(check_lattice(built.lattice).defects.any());
    const LatticeFit fit = check_fit(built.lattice, surface);
    EXPECT_FALSE(fit.defects.any()) << fit.defects.sentences[0];
    EXPECT_EQ(fit.vertices_outside, 0);
    EXPECT_EQ(fit.bones_missing, 0);
    EXPECT_EQ(built.measures.points_outside, 0);
    // Of the cylinder pi r^2 h; the lattice is outside, and snug.
    const double body = test::pi * 0.12 * 0.12;
    EXPECT_NEAR(built.measures.body_volume, body, 0.05 * body);
    EXPECT_GT(built.measures.volume, body * 0.97);
    EXPECT_LT(built.measures.volume, body * (cells < 100 ? 1.5 : 1.25));
    EXPECT_GT(built.measures.smallest_angle, 5);
    // Both bones, and the joint between them is one vertex where the skeleton has it.
    ASSERT_EQ(built.lattice.bones.size(), 2u);
    EXPECT_EQ(built.lattice.bones[0].name, "lower");
    EXPECT_EQ(built.lattice.bones[1].name, "upper");
    const int joint = built.lattice.bones[0].vertices.back();
    EXPECT_EQ(joint, built.lattice.bones[1].vertices.front());
    EXPECT_LT(distance(built.lattice.positions[std::size_t(joint)], {0, 0.5, 0}), 1e-12);
    for (const LatticeBone& bone : built.lattice.bones)
      for (int v : bone.vertices) {
        EXPECT_NEAR(built.lattice.positions[std::size_t(v)].x, 0, 1e-9);
        EXPECT_NEAR(built.lattice.positions[std::size_t(v)].z, 0, 1e-9);
      }
  }
}

TEST(BuildLattice, TheEmbeddingReproducesTheSurface) {
  const Character character = tube();
  const SimulationSurface surface = simulation_surface(character);
  const BuiltLattice built = build_lattice(character, surface, {150});
  const std::vector<Vec3> carried = embedded_positions(built.embedding, built.mesh, built.mesh.positions);
  ASSERT_EQ(carried.size(), surface.rest.positions.size());
  for (std::size_t v = 0; v < carried.size(); ++v) {
    EXPECT_LT(distance(carried[v], surface.rest.positions[v]), 1e-12);
    for (double weight : built.embedding.points[v].weights) EXPECT_GT(weight, -1e-9);
  }
}

TEST(BuildLattice, SameBitsForAnyNumberOfThreads) {
  const Character character = tube();
  std::vector<BuiltLattice> results;
  for (int threads : {1, 2, 4}) {
    set_thread_count(threads);
    results.push_back(built_for(character, 150));
  }
  set_thread_count(0);
  for (const BuiltLattice& other : results) {
    EXPECT_EQ(other.lattice.positions, results[0].lattice.positions);
    EXPECT_EQ(other.lattice.corner, results[0].lattice.corner);
    ASSERT_EQ(other.lattice.bones.size(), results[0].lattice.bones.size());
    for (std::size_t b = 0; b < other.lattice.bones.size(); ++b)
      EXPECT_EQ(other.lattice.bones[b].vertices, results[0].lattice.bones[b].vertices);
  }
}

// Lengths in the file do not matter, only metres: the same cells up to how coordinates round. Where a rounding decides
// between two equal choices cells may differ, so what counts is compared.
TEST(BuildLattice, CentimetresAsMetres) {
  const BuiltLattice metres = built_for(tube(1), 150), centimetres = built_for(tube(0.01), 150);
  EXPECT_NEAR(static_cast<double>(centimetres.measures.cells), static_cast<double>(metres.measures.cells), 12);
  EXPECT_NEAR(centimetres.measures.volume, metres.measures.volume, 0.05 * metres.measures.volume);
  EXPECT_EQ(centimetres.lattice.bones.size(), metres.lattice.bones.size());
  EXPECT_EQ(centimetres.measures.points_outside, 0);
}

// Two fingers a hair's breadth apart, each with its bone, on one palm: they share no cell, and meet in the palm.
TEST(BuildLattice, FingersHaveCellsOfTheirOwn) {
  Character character = tube();
  Part& part = character.parts[0];
  const TriangleMesh one = part.surface;
  // A second tube beside the first, 0.01 m away, with the first tube's lower bone mirrored for it.
  const int shift = static_cast<int>(one.positions.size());
  for (const Vec3& p : one.positions) part.surface.positions.push_back(p + Vec3{0.25, 0, 0});
  for (const Triangle& t : one.triangles) part.surface.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  part.influences.insert(part.influences.end(), std::size_t(shift), test::between(0, 1, 0.0));
  const SimulationSurface surface = simulation_surface(character);
  const BuiltLattice built = build_lattice(character, surface, {150});
  EXPECT_EQ(built.measures.components, 2);
  EXPECT_FALSE(check_lattice(built.lattice).defects.any());
  std::vector<int> component;
  measure_quality(built.mesh, &component);
  for (std::size_t v = 0; v < surface.rest.positions.size(); ++v)
    EXPECT_EQ(component[std::size_t(built.embedding.points[v].tetrahedron)],
              component[std::size_t(
                  built.embedding.points[surface.rest.positions[v].x > 0.125 ? std::size_t(shift) : 0].tetrahedron)]);
  // No bone is in the second: a cell of it is held by the one that moves it, and a note says so.
  ASSERT_FALSE(built.notes.empty());
  EXPECT_NE(built.notes.back().find("'lower'"), std::string::npos) << built.notes.back();
}

TEST(BuildLattice, ChecksNameWhatDoesNotFit) {
  const Character character = tube();
  const SimulationSurface surface = simulation_surface(character);
  ControlLattice lattice = built_for(character, 100).lattice;
  lattice.bones.push_back({"wing", {lattice.bones[0].vertices[0]}});
  int highest = 0;
  for (std::size_t v = 0; v < lattice.positions.size(); ++v)
    if (lattice.positions[v].y > lattice.positions[std::size_t(highest)].y) highest = static_cast<int>(v);
  lattice.positions[std::size_t(highest)].y -= 0.05;
  const LatticeFit fit = check_fit(lattice, surface);
  ASSERT_GE(fit.defects.count, 2u);
  EXPECT_NE(fit.defects.sentences[0].find("'wing'"), std::string::npos);
  EXPECT_NE(fit.defects.sentences[1].find("cell "), std::string::npos);
  EXPECT_GT(fit.vertices_outside, 0);
  EXPECT_GT(fit.farthest_outside, 0.001);
}

TEST(BuildLattice, ImpossibleCountsAndStopping) {
  const Character character = tube();
  EXPECT_THROW(built_for(character, 3), Error);
  EXPECT_THROW(built_for(character, -5), Error);
  int reports = 0;
  EXPECT_THROW(built_for(character, 100, [&](const ProgressReport&) { return ++reports < 25; }), Stopped);
}

}  // namespace
}  // namespace sinew
