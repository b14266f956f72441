// A checkpoint of another run is refused: every setting that changes a run changes the scene's fingerprint, and none
// that does not.
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <vector>

#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/mixed/mixed_scene.h"
#include "sinew/cook/rig_space/open_rig_space.h"
#include "sinew/cook/rig_space/prepare_rig_space.h"
#include "sinew/cook/rig_space/rig_space_scene.h"
#include "sinew/deform/setting.h"
#include "sinew/files/rotations_file.h"
#include "sinew/gltf/read/read_character.h"
#include "tests/base/scratch.h"
#include "tests/deform/changed_setting.h"

namespace sinew {
namespace {

// `print`: fingerprint of settings, all of one cooked character.
template <class Struct, class Print>
void expect_each_to_count(const Struct& usual, const Print& print) {
  const std::uint64_t before = print(usual);
  EXPECT_EQ(print(Struct(usual)), before);
  for (const Setting& setting : table_of<Struct>()) {
    Struct changed = usual;
    const Settings settings = settings_of(changed);
    test::change(setting, settings);
    EXPECT_EQ(print(changed) != before, setting.recooks != Recooks::nothing) << setting.key;
    const auto* items = std::get_if<SettingList>(&setting.value);
    if (!items) continue;
    const std::uint64_t with_item = print(changed);
    for (const Setting& member : items->usual.table) {
      items->renew(settings, 1);
      const Settings item = items->item(settings, 0);
      if (!applies(member, item)) continue;
      test::change(member, item);
      EXPECT_EQ(print(changed) != with_item, member.recooks != Recooks::nothing) << setting.key << ' ' << member.key;
    }
  }
}

Character sample(const char* name) { return read_character(std::string(SINEW_SOURCE_DIR) + "/samples/" + name); }

TEST(SettingsFingerprint, OfFlesh) {
  FleshSettings settings;
  settings.tetrahedra = 300;
  const auto cooked = std::make_shared<const CookedFlesh>(prepare_flesh(sample("tube.glb"), settings));
  expect_each_to_count(settings, [&](const FleshSettings& s) { return flesh_scene(cooked, s).fingerprint; });
}

TEST(SettingsFingerprint, OfMixedElements) {
  MixedSettings settings;
  settings.tetrahedra = 300;
  const auto cooked = std::make_shared<const CookedMixed>(prepare_mixed(sample("tube.glb"), settings));
  const std::filesystem::path rotations = test::scratch_path("rotations");
  ElementRotations still;
  still.add(0, std::vector<Mat3>(cooked->mesh.tetrahedra.size(), Mat3::identity()));
  write_rotations_file(rotations, still);
  expect_each_to_count(settings, [&](MixedSettings s) {
    if (!s.rotations.empty()) s.rotations = rotations.string();
    if (!s.handles.empty()) s.handles = R"({"handles": [{"name": "middle", "place": [0, 0.5, 0]}]})";
    return mixed_scene(cooked, s).fingerprint;
  });
}

TEST(SettingsFingerprint, OfRigSpace) {
  RigSpaceSettings settings;
  settings.tetrahedra = 500;
  settings.free = {"belly*"};
  const Character character = read_character(std::string(SINEW_SOURCE_DIR) + "/samples/sumo.glb");
  const std::shared_ptr<const CookedRigSpace> cooked = open_rig_space(settings, character, {}).cooked;
  expect_each_to_count(settings, [&](const RigSpaceSettings& s) { return rig_space_scene(cooked, s).fingerprint; });
}

// The same lattice under two names is the same; another in the same file is not.
TEST(SettingsFingerprint, FilesCountByTheirContent) {
  FleshSettings settings;
  settings.tetrahedra = 300;
  const auto cooked = std::make_shared<const CookedFlesh>(prepare_flesh(sample("tube.glb"), settings));
  const auto print = [&](const std::string& name) {
    FleshSettings with_file = settings;
    with_file.lattice.file = name;
    return flesh_scene(cooked, with_file).fingerprint;
  };
  const std::string folder = std::string(SINEW_SOURCE_DIR) + "/samples/";
  EXPECT_EQ(print(folder + "tube.glb"), print(folder + "../samples/tube.glb"));
  EXPECT_NE(print(folder + "tube.glb"), print(folder + "sumo.glb"));
  EXPECT_NE(print("auto"), print(""));
}

}  // namespace
}  // namespace sinew
