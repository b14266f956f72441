// Force rigs in dynamics, from the file to the displayed skin.
#include <gtest/gtest.h>

#include <filesystem>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/session/session.h"
#include "tests/base/scratch.h"

namespace sinew {
namespace {

constexpr double wanted = 0.02;  // metres

const char* breathing = R"({"version": 1, "character": {"name": "sumo.glb", "height": 1.72, "bones": 38},
  "controls": [{"name": "breathe"}],
  "rigs": [{"name": "breathing", "template": "radial", "guide": "bone", "bone": "chest", "controls": ["breathe"],
            "samples": [{"at": 0, "displacement": 0, "radius": 0.3}, {"at": 1, "displacement": 0.02, "radius": 0.3}]},
           {"name": "biceps", "template": "bulge", "guide": "bone", "bone": "upper_arm_l", "controls": ["forearm_l"],
            "samples": [{"at": 0, "amplitude": 0}, {"at": 180, "amplitude": 0}]}]})";

class Shapes : public testing::Test {
 protected:
  Shapes() : character_(read_character(std::string(SINEW_SOURCE_DIR) + "/samples/sumo.glb")) {
    character_.metres_per_unit = 1;
  }

  Scene scene_with(const std::string& json, std::vector<std::string> control, const char* lattice = "") {
    FleshMethod flesh;
    flesh.values.tetrahedra = 1500;
    flesh.values.lattice.file = lattice;
    if (*lattice) flesh.values.lattice.cells = 100;
    if (!json.empty()) {
      const std::string file = test::scratch_path("shapes.json").string();
      write_file(file, std::as_bytes(std::span(json)));
      flesh.values.shapes = file;
      flesh.values.control = std::move(control);
    }
    return cook(flesh, {character_, {}, false, {1, 1}}, cache_);
  }

  std::vector<Vec3> surface_after(const Scene& scene, const Playback& playback, int steps) {
    Session session(character_, scene, playback);
    for (int k = 0; k < steps; ++k) session.step();
    std::vector<Vec3> surface(scene.surface->rest.positions.size());
    session.surface(surface);
    return surface;
  }

  Character character_;
  CookCache cache_;  // lattices take seconds
};

TEST_F(Shapes, RigsThatDoNothingLeaveEveryBit) {
  for (const char* lattice : {"", "auto"}) {
    const Scene without = scene_with("", {}, lattice), with = scene_with(breathing, {"breathe=0"}, lattice);
    EXPECT_NE(with.fingerprint, without.fingerprint);
    const Playback clip = whole(character_.clips[0]);
    EXPECT_EQ(surface_after(with, clip, 30), surface_after(without, clip, 30));
  }
}

TEST_F(Shapes, AtRestTheSkinIsAsFarAsWasWantedAndStays) {
  for (const char* lattice : {"", "auto"}) {
    const Scene scene = scene_with(breathing, {"breathe=1"}, lattice);
    const std::vector<Vec3> rest = surface_after(scene_with("", {}, lattice), {}, 0),
                            begun = surface_after(scene, {}, 0), later = surface_after(scene, {}, 120);
    double most = 0, moved = 0;
    for (std::size_t v = 0; v < rest.size(); ++v) {
      most = std::max(most, distance(begun[v], rest[v]));
      moved = std::max(moved, distance(later[v], begun[v]));
    }
    EXPECT_NEAR(most, wanted, 0.1 * wanted) << lattice;
    EXPECT_LT(moved, 0.02 * wanted) << lattice;
  }
}

TEST_F(Shapes, WhatDoesNotExistIsNamed) {
  const auto says = [&](std::string json, const std::string& from, const std::string& to) -> std::string {
    json.replace(json.find(from), from.size(), to);
    try {
      scene_with(json, {});
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(says(breathing, "\"forearm_l\"", "\"knee\"").find("rig 'biceps'"), std::string::npos);
  EXPECT_NE(says(breathing, "\"bone\": \"chest\"", "\"bone\": \"wing\"").find("no bone 'wing'"), std::string::npos);
  EXPECT_NE(says(breathing, "\"bones\": 38", "\"bones\": 12").find("not for"), std::string::npos);
  EXPECT_THROW(scene_with(breathing, {"smile=1"}), Error);
}

}  // namespace
}  // namespace sinew
