// What hangs in flesh: tails, ears and soft ends, found from weights and shapes alone.
#include "sinew/cook/rig_space/choose_controls.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "sinew/gltf/read/read_character.h"
#include "tests/anatomy/figures.h"
#include "tests/mesh/shapes.h"

namespace sinew {
namespace {

using namespace test;

std::set<int> hanging(const Figure& figure) {
  std::set<int> bones;
  for (const HangingBone& found : controls_in_flesh(figure.surface)) bones.insert(found.bone);
  return bones;
}

// Of five links, from the hips backwards.
std::vector<int> add_tail(Person& p) {
  std::vector<int> links;
  for (int k = 0; k < 5; ++k)
    links.push_back(p.figure.bone(k == 0 ? p.hips : links.back(), {0, 0.1, -0.25 - 0.15 * k}));
  p.figure.piece(capsule({0, 0.1, -0.2}, {0, 0.1, -0.95}, 0.04), [links, hips = p.hips](const Vec3& x) {
    const double along = (-0.25 - x.z) / 0.15;
    if (along < 0) return between(hips, links[0], along + 1);
    const int k = std::min(static_cast<int>(along), 4);
    return k == 0
               ? on(links[0])
               : between(links[static_cast<std::size_t>(k) - 1], links[static_cast<std::size_t>(k)], 0.5 + along - k);
  });
  return links;
}

// A flat ear to each side of the head.
std::vector<int> add_ears(Person& p) {
  std::vector<int> ears;
  for (const double s : {1.0, -1.0}) {
    ears.push_back(p.figure.bone(p.head, {0.15 * s, 1.6, 0}));
    TriangleMesh ear = sphere({0, 0, 0}, 0.1);
    for (Vec3& x : ear.positions) x = Vec3{0.15 * s, 1.68, 0} + Vec3{0.6 * x.x, 1.3 * x.y, 0.1 * x.z};
    p.figure.piece(ear, [p, bone = ears.back()](const Vec3& x) { return between(p.head, bone, (x.y - 1.58) / 0.1); });
  }
  return ears;
}

// Seen from another side, and mirrored.
Figure turned_figure(Figure figure) {
  for (Vec3& x : figure.surface.rest.positions) x = {x.z, x.y, x.x};
  for (Triangle& t : figure.surface.rest.triangles) std::swap(t[1], t[2]);
  for (Bone& bone : figure.surface.bones) {
    const Vec3 joint = inverse(bone.rest_to_joint).translation;
    bone.rest_to_joint = Affine{Mat3::identity(), -1.0 * Vec3{joint.z, joint.y, joint.x}};
  }
  return figure;
}

TEST(ControlsInFlesh, LimbsAndHeadsAreNone) {
  const Person p = person();
  EXPECT_TRUE(hanging(p.figure).empty());
  EXPECT_TRUE(hanging(turned_figure(p.figure)).empty());
  // Those that carry most come first, and the root, which moves everything, is none of them.
  const std::vector<int> names = bones_to_name(p.figure.surface, 3);
  ASSERT_EQ(names.size(), 3u);
  for (const int b : names) EXPECT_NE(b, p.hips);
}

TEST(ControlsInFlesh, ATailAndEarsTurn) {
  Person p = person();
  const std::vector<int> tail = add_tail(p), ears = add_ears(p);
  std::set<int> expected(tail.begin(), tail.end());
  expected.insert(ears.begin(), ears.end());
  EXPECT_EQ(hanging(p.figure), expected);
  EXPECT_EQ(hanging(turned_figure(p.figure)), expected);
  for (const HangingBone& found : controls_in_flesh(p.figure.surface)) EXPECT_FALSE(found.translates) << found.because;
}

// A belly that nowhere carries most of its skin, and one that carries some but shares it.
TEST(ControlsInFlesh, HelpersAndSoftEndsShiftToo) {
  for (const bool helper : {true, false}) {
    Person p = person();
    const int belly = p.figure.bone(p.spine, {0, 0.6, 0.15});
    p.figure.surface.bones.back().helper = helper;
    for (std::size_t v = 0; v < p.figure.surface.influences.size(); ++v) {
      const Vec3& x = p.figure.surface.rest.positions[v];
      const double near = 1 - distance(x, Vec3{0, 0.6, 0.22}) / 0.25;
      if (near <= 0 || std::abs(x.x) > 0.24) continue;
      p.figure.surface.influences[v] = between(p.spine, belly, (helper ? 0.45 : 0.58) * std::min(1.0, 2 * near));
    }
    const std::vector<HangingBone> found = controls_in_flesh(p.figure.surface);
    ASSERT_EQ(found.size(), 1u) << helper;
    EXPECT_EQ(found[0].bone, belly);
    EXPECT_TRUE(found[0].translates);
  }
}

// A tail of metal does not hang in flesh, nor does a body that is like no mirror image of itself.
TEST(ControlsInFlesh, RigidPartsAreNone) {
  Person p = person();
  const std::vector<int> spike{p.figure.bone(p.hips, {0, 0.1, -0.3})};
  p.figure.piece(capsule({0, 0.1, -0.3}, {0, 0.1, -0.9}, 0.03), spike[0]);
  EXPECT_TRUE(hanging(p.figure).empty());
}

// Real animals, whose bones' names, which nobody looked at, say that tails and ears were found; people and robots have
// none.
TEST(ControlsInFlesh, OfRealCharactersAreTailsAndEars) {
  const std::filesystem::path folder = characters();
  if (folder.empty()) return;
  const auto names = [&](const std::string& file) {
    std::set<std::string> result;
    const std::filesystem::path path = folder / "more" / (file + ".glb");
    if (!std::filesystem::exists(path)) return result;
    const SimulationSurface surface = simulation_surface(read_character(path));
    for (const HangingBone& found : controls_in_flesh(surface))
      result.insert(surface.bones[static_cast<std::size_t>(found.bone)].name);
    return result;
  };
  for (const char* file :
       {"animals_pack_bull", "animals_pack_deer", "animals_pack_donkey", "animals_pack_husky", "animals_pack_stag",
        "animals_pack_wolf", "dinosaurs_pack_apatosaurus", "dinosaurs_pack_stegosaurus"}) {
    if (!std::filesystem::exists(folder / "more" / (std::string(file) + ".glb"))) continue;
    const std::set<std::string> found = names(file);
    EXPECT_TRUE(found.count("Tail3")) << file;
    for (const std::string& name : found)
      EXPECT_TRUE(name.starts_with("Tail") || name.starts_with("Ear")) << file << ": " << name;
  }
  for (const char* file : {"modular_men_farmer", "modular_women_formal", "mech_pack_mike", "tank_pack_tank", "mage",
                           "single_knight_pack_knightcharacter"})
    EXPECT_TRUE(names(file).empty()) << file;
}

TEST(ListedParameters, AxesTogetherWhereAllAreThere) {
  std::vector<RigParameter> parameters;
  for (const char* name :
       {"a.rotation.x", "a.rotation.y", "a.rotation.z", "b.translation.x", "b.translation.y", "smile"})
    parameters.push_back({.name = name, .control = ""});
  EXPECT_EQ(listed_parameters(parameters, std::vector<int>{0, 1, 2, 3, 4, 5}),
            "'a.rotation.*', 'b.translation.x', 'b.translation.y', 'smile'");
  EXPECT_EQ(listed_parameters(parameters, std::vector<int>{1, 2}), "'a.rotation.y', 'a.rotation.z'");
}

}  // namespace
}  // namespace sinew
