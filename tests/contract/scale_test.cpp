// Clause 4: a character in another unit moves as the same one in metres, to 1e-6 of its height, by every method.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "folder.h"
#include "in_unit.h"
#include "sinew/character/size.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "sinew/cook/rig_space/learn_skinning.h"
#include "sinew/cook/rig_space/prepare_rig_space.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "tests/bake/bake_cooked.h"

namespace sinew {
namespace {

Character sample_character(const std::string& name) {
  return read_character(std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / (name + ".glb"));
}

BakeOptions a_third_of_a_second() {
  BakeOptions options;
  options.clip = 0;
  options.end = 0.34;
  return options;
}

struct Motion {
  Recording recording;
  double height = 0;  // metres
};

// Largest distance of a vertex in metres from where it is in another unit, as a share of the height; `moved`, of any
// vertex from the rig.
double largest_difference(const Motion& a, const Motion& b, double& moved) {
  double most = 0;
  moved = 0;
  EXPECT_EQ(a.recording.times.size(), b.recording.times.size());
  for (std::size_t p = 0; p < a.recording.parts.size(); ++p) {
    const std::vector<float>&x = a.recording.parts[p].displacement, &y = b.recording.parts[p].displacement;
    EXPECT_EQ(x.size(), y.size());
    for (std::size_t k = 0; k < std::min(x.size(), y.size()); ++k) {
      most = std::max(most, std::abs(double(x[k]) - double(y[k])) / a.height);
      moved = std::max(moved, std::abs(double(x[k])) / a.height);
    }
  }
  return most;
}

template <class Move>
void expect_the_same_in_every_unit(const std::string& name, const Move& move, double share = 1e-6,
                                   std::initializer_list<double> units = {0.01, 100.0}) {
  const Character metres = sample_character(name);
  const Motion first = move(metres);
  for (const double unit : units) {
    double moved = 0;
    EXPECT_LT(largest_difference(first, move(test::in_unit(metres, unit)), moved), share) << name << ' ' << unit;
    EXPECT_GT(moved, 1e-3) << name;
  }
}

Motion in_flesh(const Character& character, const FleshSettings& settings) {
  CookedFlesh scene = prepare_flesh(character, settings);
  if (!settings.lattice.file.empty())
    scene.lattice =
        prepare_lattice(scene, build_lattice(character, scene.surface, {settings.lattice.cells}).lattice, settings);
  return {test::bake_flesh(character, scene, settings, a_third_of_a_second()).recording, scene.height};
}

Motion in_mixed(const Character& character) {
  MixedSettings settings;
  settings.tetrahedra = 800;
  const CookedMixed scene = prepare_mixed(character, settings);
  return {test::bake_mixed(character, scene, settings, a_third_of_a_second()).recording, scene.height};
}

FleshSettings in_lattice(Reference reference) {
  FleshSettings settings;
  settings.tetrahedra = 800;
  settings.reference = reference;
  settings.lattice.file = auto_lattice;
  settings.lattice.cells = 80;
  return settings;
}

TEST(Scale, Tetrahedra) {
  for (const Reference reference : {Reference::rig, Reference::elastic}) {
    FleshSettings settings;
    settings.tetrahedra = 800;
    settings.reference = reference;
    for (const char* name : {"elephant", "tube", "sumo"})
      expect_the_same_in_every_unit(name, [&](const Character& c) { return in_flesh(c, settings); });
  }
}

// As many as the program takes: among a thousand corners drawn in to the skin are some that barely may be.
TEST(Scale, TetrahedraByTheThousand) {
  FleshSettings settings;
  settings.reference = Reference::elastic;
  expect_the_same_in_every_unit("sumo", [&](const Character& c) { return in_flesh(c, settings); }, 1e-6, {100.0});
}

TEST(Scale, Ground) {
  FleshSettings settings;
  settings.tetrahedra = 800;
  settings.ground = 0.0;
  expect_the_same_in_every_unit("sumo", [&](const Character& c) { return in_flesh(c, settings); });
}

// A lattice built in each unit is one lattice: what ties in one unit ties in all.
void expect_one_lattice(Character metres, const LatticeSettings& options = {}) {
  SCOPED_TRACE(metres.file);
  metres.metres_per_unit = decide_size(metres, {}, {}).metres_per_unit;
  const BuiltLattice first = build_lattice(metres, simulation_surface(metres), options);
  for (const double unit : {0.01, 100.0}) {
    const Character other = test::in_unit(metres, unit);
    const BuiltLattice again = build_lattice(other, simulation_surface(other), options);
    EXPECT_EQ(again.mesh.tetrahedra.size(), first.mesh.tetrahedra.size()) << unit;
    ASSERT_EQ(again.mesh.positions.size(), first.mesh.positions.size()) << unit;
    double most = 0, reach = 0;
    for (std::size_t v = 0; v < first.mesh.positions.size(); ++v) {
      most = std::max(most, distance(again.mesh.positions[v], first.mesh.positions[v]));
      reach = std::max(reach, distance(first.mesh.positions[v], first.mesh.positions[0]));
    }
    EXPECT_LT(most, 1e-5 * reach) << unit;
  }
}

TEST(Scale, OneLatticeInEveryUnit) { expect_one_lattice(sample_character("tube"), {100}); }

TEST(Scale, OneLatticeOfARealCharacter) {
  const std::filesystem::path folder = test::characters_folder();
  if (folder.empty()) return;
  expect_one_lattice(read_character(folder / "gltf/cesium_man/CesiumMan.glb"));
}

// Units that are a power of two round no number of the file, and change no bit of any method's motion: nothing in
// reading, cooking and stepping knows the unit. What differs in other units is what the file's own rounding makes of
// it.
template <class Move>
void expect_the_same_bits(const std::string& name, const Move& move,
                          std::initializer_list<double> units = {1.0 / 128, 128.0}) {
  const Character metres = sample_character(name);
  const Motion first = move(metres);
  for (const double unit : units) {
    double moved = 0;
    EXPECT_EQ(largest_difference(first, move(test::in_unit(metres, unit)), moved), 0) << name << ' ' << unit;
    EXPECT_GT(moved, 1e-3) << name;
  }
}

TEST(Scale, PowersOfTwoChangeNoBitOfTetrahedra) {
  for (const Reference reference : {Reference::rig, Reference::elastic})
    for (const char* name : {"sumo", "tube"}) {
      FleshSettings settings;
      settings.tetrahedra = 800;
      settings.reference = reference;
      settings.ground = 0.0;
      expect_the_same_bits(name, [&](const Character& c) { return in_flesh(c, settings); });
    }
}

TEST(Scale, PowersOfTwoChangeNoBitOfLattices) {
  for (const int levels : {1, 2}) {
    FleshSettings settings = in_lattice(Reference::elastic);
    settings.lattice.levels = levels;
    settings.lattice.cells = 50;
    expect_the_same_bits("tube", [&](const Character& c) { return in_flesh(c, settings); }, {1.0 / 128});
  }
}

TEST(Scale, PowersOfTwoChangeNoBitOfMixed) {
  expect_the_same_bits("tube", [](const Character& c) { return in_mixed(c); });
}

// Functions of the finer level that hardly reach into flesh are where a solution that is not exact differs first.
TEST(Scale, TwoLevels) {
  FleshSettings settings = in_lattice(Reference::rig);
  settings.lattice.cells = 80;
  settings.lattice.levels = 2;
  expect_the_same_in_every_unit("elephant", [&](const Character& c) { return in_flesh(c, settings); }, 3e-6, {100.0});
}

TEST(Scale, AnAutomaticLattice) {
  expect_the_same_in_every_unit("tube", [&](const Character& c) { return in_flesh(c, in_lattice(Reference::rig)); });
}

TEST(Scale, Mixed) {
  expect_the_same_in_every_unit("tube", [](const Character& c) { return in_mixed(c); });
}

TEST(Scale, RigSpace) {
  expect_the_same_in_every_unit("tube", [&](const Character& c) -> Motion {
    RigSpaceSettings settings;
    settings.tetrahedra = 1000;
    settings.poses = 8;
    settings.free = {"upper.translation.*", "upper.scale.*"};
    CookedRigSpace scene = prepare_rig_space(c, settings, [&c](std::span<const int> vertices) {
      return make_rig(nullptr, c, simulation_surface(c), vertices);
    });
    learn_skinning(scene, make_examples(scene, {}, settings), settings);
    correct_interior(scene, settings);
    decide_rig_space_material(scene, settings);
    const ClipAnimation animation(dynamic_cast<const CharacterRig&>(*scene.whole_rig), c.clips[0]);
    return {test::bake_rig_space(c, scene, settings, &animation, a_third_of_a_second()).recording, scene.height};
  });
}

}  // namespace
}  // namespace sinew
