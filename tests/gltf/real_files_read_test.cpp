// Real files: characters that must load, twins that must agree, broken files that must be refused.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <set>
#include <string>

#include "sinew/base/error.h"
#include "sinew/character/defects.h"
#include "sinew/character/size.h"
#include "sinew/gltf/read/read_character.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// The folder of real characters; empty, with one line, where it is not there.
fs::path characters_folder() {
  const char* named = std::getenv("SINEW_CHARACTERS");
  const fs::path folder = named != nullptr ? fs::path(named) : fs::path(SINEW_SOURCE_DIR) / "../shared/characters";
  if (fs::is_directory(folder)) return folder;
  std::cout << "Not tested: there are no characters in " << folder << " (set SINEW_CHARACTERS).\n";
  return {};
}

std::vector<fs::path> files_below(const fs::path& folder, const std::set<std::string>& extensions) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (extensions.count(entry.path().extension().string()) > 0) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

TEST(RealFiles, CharactersAndConformanceSetsLoadAndPose) {
  const fs::path folder = characters_folder();
  if (folder.empty()) return;
  int files = 0;
  for (const char* set : {"gltf", "vrm", "derived", "conformance", "research", "messy"})
    for (const fs::path& path : files_below(folder / set, {".glb", ".gltf", ".vrm", ".obj"})) {
      SCOPED_TRACE(path.string());
      ++files;
      Character character;
      ASSERT_NO_THROW(character = read_character(path));
      EXPECT_FALSE(character.parts.empty());
      for (const Defect& defect : find_defects(character)) EXPECT_FALSE(defect.fatal) << defect.name;
      const double height = decide_size(character, {}, {}).height_in_units;
      EXPECT_TRUE(std::isfinite(height));
      for (const Clip& clip : character.clips) {
        const Pose pose = sample(character.skeleton, &clip, clip.start + 0.37 * (clip.end - clip.start));
        for (const Affine& world : pose.world) ASSERT_TRUE(is_finite(world.translation)) << clip.name;
      }
    }
  EXPECT_GT(files, 80);
}

// Every vertex of `twin` has its counterpart in `original` by the rest pose (codecs reorder and weld
// vertices); returns the largest distance between counterparts at a time of a clip, over the height.
double largest_deviation(const Character& original, const Character& twin, int clip, double fraction) {
  const auto posed = [](const Character& character, const Pose& pose) {
    std::vector<Vec3> all;
    for (const Part& part : character.parts)
      for (const Vec3& x : posed_positions(character, part, pose)) all.push_back(x);
    return all;
  };
  const auto pose_at = [&](const Character& character) {
    if (clip < 0) return sample(character.skeleton, nullptr, 0);
    const Clip& played = character.clips.at(static_cast<std::size_t>(clip));
    return sample(character.skeleton, &played, played.start + fraction * (played.end - played.start));
  };
  const std::vector<Vec3> a_rest = posed(original, sample(original.skeleton, nullptr, 0));
  const std::vector<Vec3> b_rest = posed(twin, sample(twin.skeleton, nullptr, 0));
  const std::vector<Vec3> a = posed(original, pose_at(original)), b = posed(twin, pose_at(twin));
  const double height = decide_size(original, {}, {}).height_in_units;
  // Rest positions that quantisation cannot tell apart are all candidates: the best one counts.
  const double same = 1e-3 * height;
  double deviation = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t j = 0; j < a.size(); ++j)
      if (distance(a_rest[j], b_rest[i]) < same) best = std::min(best, distance(a[j], b[i]));
    deviation = std::max(deviation, best / height);
  }
  return deviation;
}

TEST(RealFiles, CompressedAndQuantisedTwinsAgreeWithTheirOriginals) {
  const fs::path folder = characters_folder();
  if (folder.empty()) return;
  struct Twin {
    const char *original, *twin;
    double tolerance;  // of the height, from the bits of the twin's encoding; see the comments
  };
  const Twin twins[] = {
      // Draco: positions of 14 bits in the extent, weights of 8 bits or more.
      {"gltf/rigged_figure/RiggedFigure.glb", "gltf/rigged_figure_draco/RiggedFigure.gltf", 1e-3},
      {"gltf/cesium_man/CesiumMan.glb", "gltf/cesium_man_draco/CesiumMan.gltf", 1e-3},
      // Positions of 14 bits and weights of 8 bits: half a step of a weight, 1/510, times the distance
      // that the vertex moves relative to the other joint, at most about half the height.
      {"gltf/cesium_man/CesiumMan.glb", "derived/cesium_man_quantized.glb", 2e-3},
      {"gltf/fox/Fox.glb", "derived/fox_meshopt.glb", 2e-3},
      {"gltf/mannequiny/mannequiny.glb", "derived/mannequiny_meshopt.glb", 2e-3},
      // Targets of 8 bits.
      {"gltf/animated_morph_cube/AnimatedMorphCube.glb", "gltf/animated_morph_cube_quantized/AnimatedMorphCube.gltf",
       4e-3},
  };
  for (const Twin& pair : twins) {
    SCOPED_TRACE(pair.twin);
    const Character original = read_character(folder / pair.original), twin = read_character(folder / pair.twin);
    ASSERT_EQ(original.clips.size(), twin.clips.size());
    double worst = largest_deviation(original, twin, -1, 0);
    for (const double fraction : {0.25, 0.6}) worst = std::max(worst, largest_deviation(original, twin, 0, fraction));
    RecordProperty(fs::path(pair.twin).stem().string(), std::to_string(worst));
    EXPECT_LT(worst, pair.tolerance);
  }
}

// Files of the collections of broken input that are sound in everything that Sinew reads: valid twins,
// and files that break only rules about texture coordinates, bounds, names or materials.
const std::set<std::string> loadable = {
    "assimp_bad/glTF2/BoxBadNormals-glTF-Binary/BoxBadNormals.glb",
    "assimp_bad/glTF2/TestNoRootNode/SceneWithoutNodes.gltf",
    "assimp_bad/glTF2/issue_3269/texcoord_crash.gltf",
    "assimp_bad/glTF2/wrongTypes/badExtension.gltf",
    "assimp_bad/glTF2/wrongTypes/badNumber.gltf",
    "assimp_bad/glTF2/wrongTypes/badString.gltf",
    "assimp_bad/glTF2/wrongTypes/badUint.gltf",
    "tinygltf_bad/models/SparseMorphTargets-issue280/singleBlendshapeCube_sparse.glb",
    "tinygltf_bad/models/regression/zero-sized-bin-chunk-issue-440.glb",
    "tinygltf_bad/tests/issue-492.glb",
    "validator_a/accessor/byteoffset_no_bufferview.gltf",
    "validator_a/accessor/custom_property.gltf",
    "validator_a/accessor/empty_array.gltf",
    "validator_a/accessor/float_normalized.gltf",
    "validator_a/accessor/valid.gltf",
    "validator_a/accessor_data/get_elements.gltf",
    "validator_a/accessor_data/get_elements_matrix.gltf",
    "validator_a/accessor_data/get_elements_sparse.gltf",
    "validator_a/accessor_data/invalid_elements_float.gltf",
    "validator_a/accessor_data/out_of_range_elements_float.gltf",
    "validator_a/accessor_data/out_of_range_elements_sint16.gltf",
    "validator_a/accessor_data/out_of_range_elements_sint8.gltf",
    "validator_a/accessor_data/out_of_range_elements_uint16.gltf",
    "validator_a/accessor_data/out_of_range_elements_uint32.gltf",
    "validator_a/accessor_data/out_of_range_elements_uint8.gltf",
    "validator_a/animation/channel_node_matrix.gltf",
    "validator_a/animation/channel_node_no_morphs.gltf",
    "validator_a/animation/custom_property.gltf",
    "validator_a/animation/empty_array.gltf",
    "validator_a/animation/sampler_input_no_bounds.gltf",
    "validator_a/animation/valid.gltf",
    "validator_a/buffer/custom_property.gltf",
    "validator_a/buffer/data_uri.glb",
    "validator_a/buffer/empty_array.gltf",
    "validator_a/buffer/extra_padding.glb",
    "validator_a/buffer/invalid_uri_data_mime.gltf",
    "validator_a/buffer/valid.glb",
    "validator_a/buffer/valid.gltf",
    "validator_a/buffer/valid_placeholder.glb",
    "validator_a/buffer/zero_bytelength.gltf",
    "validator_a/glb/bom.glb",
    "validator_a/glb/extra_data.glb",
    "validator_a/glb/two_images.glb",
    "validator_a/glb/valid.glb",
    "validator_a/glb/valid_buffer.glb",
    "validator_a/json/bom.gltf",
    "validator_a/json/integer_written_as_float.gltf",
    "validator_a/mesh/accessor_attribute_uint32.gltf",
    "validator_a/mesh/custom_property.gltf",
    "validator_a/mesh/empty_array.gltf",
    "validator_a/mesh/invalid_attribute.gltf",
    "validator_a/mesh/invalid_attribute_escaped_name.gltf",
    "validator_a/mesh/invalid_indexed_attribute.gltf",
    "validator_a/mesh/invalid_tangent.gltf",
    "validator_a/mesh/morph_attribute_no_base.gltf",
    "validator_a/mesh/morph_position_accessor_no_bounds.gltf",
    "validator_a/mesh/position_accessor_no_bounds.gltf",
    "validator_a/mesh/primitive_generated_tangent_space.gltf",
    "validator_a/mesh/primitive_incompatible_mode.gltf",
    "validator_a/mesh/primitive_no_position.gltf",
    "validator_a/mesh/uv.gltf",
    "validator_a/mesh/valid.gltf",
    "validator_a/skin/custom_property.gltf",
    "validator_a/skin/empty_array.gltf",
    "validator_a/skin/ignored_animated_transform.gltf",
    "validator_a/skin/ignored_local_transform.gltf",
    "validator_a/skin/ignored_parent_transform.gltf",
    "validator_a/skin/no_common_root.gltf",
    "validator_a/skin/no_joints_in_scene.gltf",
    "validator_a/skin/skeleton_invalid.gltf",
    "validator_a/skin/valid.gltf",
};

TEST(RealFiles, BrokenFilesGetASentenceAndTheirValidTwinsLoad) {
  const fs::path folder = characters_folder();
  if (folder.empty()) return;
  std::size_t loaded = 0, refused = 0;
  for (const fs::path& path : files_below(folder / "bad", {".glb", ".gltf", ".obj", ".off", ".ply"})) {
    const std::string name = fs::relative(path, folder / "bad").generic_string();
    SCOPED_TRACE(name);
    try {
      read_character(path);
      ++loaded;
      EXPECT_TRUE(loadable.count(name) > 0) << "was accepted";
    } catch (const Error& error) {
      ++refused;
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_TRUE(loadable.count(name) == 0) << error.what();
      EXPECT_EQ(std::string(error.what()).rfind(path.string() + ": ", 0), 0u) << error.what();
      EXPECT_EQ(std::string(error.what()).back(), '.') << error.what();
    }
  }
  EXPECT_EQ(loaded, loadable.size());
  EXPECT_GT(refused, 80u);
}

}  // namespace
}  // namespace sinew
