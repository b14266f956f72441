// Control lattices of real characters: valid, around every point of the surface, with all bones that are inside.
#include <gtest/gtest.h>

#include <filesystem>
#include <iostream>

#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/build_lattice_check.h"
#include "sinew/jobs/open_character.h"
#include "sinew/mesh/control_lattice/validity.h"
#include "sinew/mesh/quality.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

struct Built {
  SimulationSurface surface;
  BuiltLattice lattice;
};

Built built_for(const fs::path& path, int cells) {
  Character character = open_any_character(path).character;
  adopt_missing_skeleton(character);
  Built built;
  built.surface = simulation_surface(character);
  built.lattice = build_lattice(character, built.surface, {cells});
  return built;
}

void expect_fit(const Built& built) {
  const LatticeValidity validity = check_lattice(built.lattice.lattice);
  EXPECT_FALSE(validity.defects.any()) << validity.defects.sentences[0];
  if (validity.defects.any()) return;
  const LatticeFit fit = check_fit(built.lattice.lattice, built.surface);
  EXPECT_FALSE(fit.defects.any()) << fit.defects.sentences[0];
  EXPECT_EQ(built.lattice.measures.points_outside, 0);
  EXPECT_GT(built.lattice.measures.smallest_angle, 1);
  EXPECT_FALSE(built.lattice.lattice.bones.empty());
}

TEST(LatticesOfCharacters, SamplesHaveSnugOnes) {
  struct Sample {
    const char* name;
    double most_volume;  // relative to the body's
  };
  for (const Sample& sample : {Sample{"tube", 1.2}, {"sumo", 1.6}, {"elephant", 1.6}}) {
    SCOPED_TRACE(sample.name);
    const Built built = built_for(fs::path(SINEW_SOURCE_DIR) / "samples" / (std::string(sample.name) + ".glb"), 400);
    expect_fit(built);
    const LatticeMeasures& m = built.lattice.measures;
    EXPECT_EQ(m.components, 1);
    EXPECT_GE(m.cells, 300u);
    EXPECT_LE(m.cells, 550u);
    EXPECT_LT(m.volume, sample.most_volume * m.body_volume);
    int helpers = 0;
    for (const Bone& bone : built.surface.bones) helpers += bone.helper;
    EXPECT_EQ(m.bones_followed, m.bones - helpers);
  }
}

TEST(LatticesOfCharacters, RealOnesHaveValidOnes) {
  const fs::path folder = test::characters();
  if (folder.empty()) return;
  // A biped, a hand, plates that do not touch, an open and inverted insect, clothes in layers, hinged boxes.
  for (const char* name : {"gltf/cesium_man/CesiumMan.glb", "gltf/webxr_hand_left/webxr_hand_left.glb",
                           "gltf/boxman/boxman.glb", "gltf/quat_koi/Koi.glb", "gltf/kaykit_knight/Knight.glb"}) {
    SCOPED_TRACE(name);
    expect_fit(built_for(folder / name, 300));
  }
}

// Fingers less than a cell apart: the vertices that carry one carry no other, except where they join the palm.
TEST(LatticesOfCharacters, FingersAreApart) {
  const fs::path folder = test::characters();
  if (folder.empty()) return;
  const Built built = built_for(folder / "gltf/webxr_hand_left/webxr_hand_left.glb", 400);
  // The tips, by the bones that move them.
  std::vector<std::vector<int>> vertices;
  for (const char* finger : {"index", "middle", "ring", "pinky"}) {
    std::vector<int> used;
    for (std::size_t v = 0; v < built.surface.influences.size(); ++v) {
      const Influences& list = built.surface.influences[v];
      if (list.count == 0 || list.weight[0] < 0.9) continue;
      const std::string& bone = built.surface.bones[static_cast<std::size_t>(list.joint[0])].name;
      if (bone.find(finger) == std::string::npos || bone.find("distal") == std::string::npos) continue;
      const auto cell = static_cast<std::size_t>(built.lattice.embedding.points[v].tetrahedron);
      for (int w : built.lattice.mesh.tetrahedra[cell]) used.push_back(w);
    }
    std::sort(used.begin(), used.end());
    used.erase(std::unique(used.begin(), used.end()), used.end());
    EXPECT_FALSE(used.empty()) << finger;
    vertices.push_back(used);
  }
  for (std::size_t a = 0; a < vertices.size(); ++a)
    for (std::size_t b = a + 1; b < vertices.size(); ++b) {
      std::vector<int> both;
      std::set_intersection(vertices[a].begin(), vertices[a].end(), vertices[b].begin(), vertices[b].end(),
                            std::back_inserter(both));
      EXPECT_TRUE(both.empty()) << "fingers " << a << " and " << b;
    }
}

}  // namespace
}  // namespace sinew
