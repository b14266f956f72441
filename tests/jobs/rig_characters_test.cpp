// Rigs of whole files: the samples, and real characters where they are there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "sinew/base/error.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/files/rig_file.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/open_character.h"
#include "sinew/rig/rig_differences.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "tests/contract/folder.h"
#include "tests/rig/rig_checks.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

double height_of(const std::vector<Vec3>& positions) {
  double lower = positions[0].y, upper = lower;
  for (const Vec3& x : positions) {
    lower = std::min(lower, x.y);
    upper = std::max(upper, x.y);
  }
  return std::max(upper - lower, 1e-3);
}

// Every clip at some times: the rig's surface is what a viewer shows. Returns the number of poses compared.
int compare_with_viewer(const fs::path& file) {
  const Character character = open_any_character(file).character;
  SimulationSurface surface;
  try {
    surface = simulation_surface(character);
  } catch (const Error&) {
    return 0;  // nothing that could get flesh
  }
  if (!surface.weighted) return 0;
  // Joints of singular bind matrices lend their vertices to others (character/simulation_surface.h).
  for (const int part : surface.parts)
    for (const Affine& bind :
         character.skins[static_cast<std::size_t>(character.parts[static_cast<std::size_t>(part)].skin)].inverse_bind)
      if (!is_invertible(bind)) return 0;
  CharacterRig rig(character, surface);
  const double height = height_of(surface.rest.positions);
  std::vector<Vec3> s(rig.vertices());
  int poses = 0;
  const auto compare = [&](const std::vector<double>& p, const Pose& pose, const std::string& what) {
    rig.evaluate(p, s);
    ++poses;
    for (std::size_t k = 0; k < surface.parts.size(); ++k) {
      const std::vector<Vec3> shown =
          posed_positions(character, character.parts[static_cast<std::size_t>(surface.parts[k])], pose);
      double error = 0, size = height;
      for (std::size_t v = 0; v < shown.size(); ++v) {
        const Vec3 world = shown[v] * character.metres_per_unit;
        size = std::max(size, norm(world));
        error = std::max(error, distance(s[static_cast<std::size_t>(surface.vertex_of[k][v])], world));
      }
      // Vertices weld within 1e-6 of the surface's diagonal.
      EXPECT_LE(error, 3e-6 * size) << file << " " << what << " part " << k;
    }
  };
  compare(test::rest_parameters(rig), sample(character.skeleton, nullptr, 0), "rest");
  for (const Clip& clip : character.clips) {
    std::unique_ptr<ClipAnimation> animation;
    try {
      animation = std::make_unique<ClipAnimation>(rig, clip);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("scales node"), std::string::npos) << error.what();
      continue;
    }
    std::vector<double> p = test::rest_parameters(rig);
    for (const double share : {0.0, 0.37, 0.8, 1.0}) {
      const double time = clip.start + share * (clip.end - clip.start);
      animation->sample(time, p);
      compare(p, sample(character.skeleton, &clip, time), clip.name + " at " + std::to_string(time));
    }
  }
  return poses;
}

// Against the surface itself, in which nothing is welded away: to rounding.
void compare_with_linear_blend(const fs::path& file) {
  const Character character = open_any_character(file).character;
  const SimulationSurface surface = simulation_surface(character);
  CharacterRig rig(character, surface);
  std::vector<Vec3> s(rig.vertices());
  const double height = height_of(surface.rest.positions);
  for (const Clip& clip : character.clips) {
    const ClipAnimation animation(rig, clip);
    std::vector<double> p = test::rest_parameters(rig);
    for (double time = clip.start; time <= clip.end; time += 0.11) {
      animation.sample(time, p);
      for (std::size_t i = 0; i < p.size(); ++i)
        if (rig.node_parameters()[i].kind == NodeParameterKind::weight) p[i] = 0;
      rig.evaluate(p, s);
      const std::vector<Affine> bones = bone_transforms(character, surface, sample(character.skeleton, &clip, time));
      for (std::size_t v = 0; v < s.size(); ++v) {
        const Influences& on = surface.influences[v];
        Vec3 sum;
        for (std::size_t k = 0; k < static_cast<std::size_t>(on.count); ++k)
          sum += on.weight[k] * (bones[static_cast<std::size_t>(on.joint[k])] * surface.rest.positions[v]);
        ASSERT_LE(distance(s[v], sum), 1e-12 * height)
            << file << " " << clip.name << " at " << time << ", vertex " << v;
      }
    }
  }
}

TEST(RigCharacters, SamplesFollowTheirClips) {
  for (const char* name : {"tube.glb", "sumo.glb", "elephant.glb"}) {
    const fs::path file = fs::path(SINEW_SOURCE_DIR) / "samples" / name;
    compare_with_linear_blend(file);
    EXPECT_GE(compare_with_viewer(file), 5) << name;
  }
}

// Wires over a real body: nothing moves before a control does, and both ways to derivatives agree in poses of a clip.
TEST(RigCharacters, TheElephantsWires) {
  const fs::path folder = fs::path(SINEW_SOURCE_DIR) / "samples/rigs";
  const Character character = read_character(folder / "elephant.glb");
  const SimulationSurface surface = simulation_surface(character);
  const RigFile file = read_rig_file(folder / "elephant.rig.json");
  CharacterRig plain(character, surface), rig(character, surface);
  add_layers(file, rig);
  std::set<std::string> names;
  for (const auto& layer : file.layers)
    for (const RigFileWires::Wire& wire : std::get<RigFileWires>(layer).wires)
      names.insert(wire.controls.begin(), wire.controls.end());
  std::vector<int> columns;
  for (std::size_t i = 0; i < rig.parameters().size(); ++i)
    if (names.count(rig.parameters()[i].control) > 0 && rig.parameters()[i].free_by_default)
      columns.push_back(static_cast<int>(i));
  ASSERT_EQ(columns.size(), 3 * names.size());
  ASSERT_GE(columns.size(), 12u);
  const Clip& clip = character.clips.front();
  const ClipAnimation animation(rig, clip);
  std::vector<double> p = test::rest_parameters(rig);
  for (const double share : {0.0, 0.4, 0.7}) {
    animation.sample(clip.start + share * (clip.end - clip.start), p);
    for (const int c : columns) p[static_cast<std::size_t>(c)] = 0;
    EXPECT_EQ(test::evaluated(rig, p), test::evaluated(plain, p));
    for (std::size_t i = 0; i < columns.size(); ++i)
      p[static_cast<std::size_t>(columns[i])] = 0.03 * std::sin(static_cast<double>(i) + share);
    RigJacobian exact, found;
    ASSERT_TRUE(rig.jacobian(p, columns, exact));
    RigDifferences differences(rig, columns, p);
    differences.jacobian(p, found);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const std::vector<Vec3> a = test::dense_column(exact, c, rig.vertices());
      double size = 0;
      for (const Vec3& v : a) size = std::max(size, norm(v));
      EXPECT_GT(size, 0.1);
      EXPECT_LE(test::largest_distance(a, test::dense_column(found, c, rig.vertices())), 1e-7 * size);
    }
  }
}

TEST(RigCharacters, RealOnesFollowTheirClips) {
  const fs::path folder = test::characters_folder();
  if (folder.empty()) return;
  int characters = 0;
  for (const fs::path& file : test::gltf_files_below(folder / "gltf")) characters += compare_with_viewer(file) > 0;
  for (const fs::path& file : test::gltf_files_below(folder / "vrm")) characters += compare_with_viewer(file) > 0;
  EXPECT_GE(characters, 10);
}

}  // namespace
}  // namespace sinew
