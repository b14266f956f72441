// Files of anatomy: written, corrected, read; and refused with a sentence where they are of something else.
#include "sinew/files/anatomy_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sinew/anatomy/accessories.h"
#include "sinew/base/error.h"
#include "tests/anatomy/figures.h"
#include "tests/character/two_bones.h"

namespace sinew {
namespace {

using namespace test;

struct WithAnEye {
  Person person = test::person();
  WithAnEye() { person.figure.piece(sphere({0.08, 1.5, 0.17}, 0.04, 12), person.head); }
  const SimulationSurface& surface() const { return person.figure.surface; }
  Tissue of(const Anatomy& anatomy, int bone) const { return anatomy.bones[static_cast<std::size_t>(bone)].tissue; }
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string complaint(const WithAnEye& figure, const std::string& text) {
  try {
    find_anatomy(figure.surface(), anatomy_from_json(text, "eye.json"));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "";
}

TEST(AnatomyFile, AsItWasWrittenItChangesNothing) {
  const WithAnEye figure;
  const Anatomy found = find_anatomy(figure.surface());
  const Anatomy again =
      find_anatomy(figure.surface(), anatomy_from_json(anatomy_json({}, figure.surface(), found), "eye.json"));
  ASSERT_EQ(again.rigid.size(), 1u);
  EXPECT_EQ(again.rigid[0].vertices, found.rigid[0].vertices);
  for (std::size_t b = 0; b < found.bones.size(); ++b) EXPECT_EQ(again.bones[b].tissue, found.bones[b].tissue);
}

TEST(AnatomyFile, WhatIsCorrectedThereIsObeyed) {
  const WithAnEye figure;
  std::string text = anatomy_json({}, figure.surface(), find_anatomy(figure.surface()));
  text = replaced(text, "\"tissue\": \"rigid\"", "\"tissue\": \"flesh\"");
  text = replaced(text, "\"bone\": \"bone 3\",\n      \"tissue\": \"skull\"",
                  "\"bone\": \"bone 3\",\n      \"tissue\": \"flesh\"");
  text = replaced(text, "\"bone\": \"bone 0\",\n      \"tissue\": \"flesh\"",
                  "\"bone\": \"bone 0\",\n      \"tissue\": \"skull\"");
  const Anatomy anatomy = find_anatomy(figure.surface(), anatomy_from_json(text, "eye.json"));
  EXPECT_TRUE(anatomy.rigid.empty());
  EXPECT_EQ(figure.of(anatomy, figure.person.head), Tissue::flesh);
  EXPECT_EQ(figure.of(anatomy, figure.person.hips), Tissue::skull);
  EXPECT_EQ(figure.of(anatomy, figure.person.hand[0]), Tissue::skull);
}

TEST(AnatomyFile, OfAnotherCharacterOrBrokenItIsRefused) {
  const WithAnEye figure;
  const std::string text = anatomy_json({}, figure.surface(), find_anatomy(figure.surface()));
  EXPECT_NE(complaint(figure, replaced(text, "bone 0", "tail")).find("'tail'"), std::string::npos);
  EXPECT_NE(complaint(figure, replaced(text, "\"vertices\": ", "\"vertices\": 1")).find("not those of this character"),
            std::string::npos);
  EXPECT_NE(complaint(figure, replaced(text, "\"skull\"", "\"bone\"")).find("bones[3].tissue"), std::string::npos);
  EXPECT_NE(complaint(figure, "{\"bones\": []}").find("\"things\""), std::string::npos);
  EXPECT_NE(complaint(figure, "{").find("eye.json"), std::string::npos);
}

TEST(AnatomyFile, WhatIsSaidTwiceIsRefusedAndWhatIsLeftOutIsNamed) {
  const WithAnEye figure;
  const std::string text = anatomy_json({}, figure.surface(), find_anatomy(figure.surface()));
  const std::string bone = "{\n      \"bone\": \"bone 0\",\n      \"tissue\": \"flesh\"\n    },";
  const std::string twice = replaced(text, bone, bone + replaced(bone, "flesh", "skull"));
  EXPECT_NE(complaint(figure, twice).find("eye.json: says 2 times what bone 'bone 0' is"), std::string::npos)
      << complaint(figure, twice);
  EXPECT_TRUE(find_anatomy(figure.surface(), anatomy_from_json(text, "eye.json")).unlisted_bones.empty());
  const AnatomyOverrides fewer = anatomy_from_json(replaced(text, bone, ""), "eye.json");
  EXPECT_EQ(find_anatomy(figure.surface(), fewer).unlisted_bones, std::vector<std::string>{"bone 0"});
  const AnatomyOverrides none = anatomy_from_json(R"({"bones": [], "things": []})", "eye.json");
  EXPECT_TRUE(find_anatomy(figure.surface(), none).unlisted_bones.empty());
}

// A cape of one layer behind the back: written, and laid on flesh by hand. Files without sheets say nothing of them.
TEST(AnatomyFile, SheetsAreWrittenAndObeyed) {
  Person p = person();
  const int low = p.figure.bone(p.chest, {0, 0.6, -0.3});
  p.figure.piece(test::sheet(12,
                             [](double u, double v) {
                               return Vec3{0.9 * (v - 0.5), 1 - 0.9 * u, -0.3 - 0.3 * u * u};
                             }),
                 [&](const Vec3& x) { return between(low, p.chest, (x.y - 0.5) / 0.4); });
  const SimulationSurface& surface = p.figure.surface;
  const Anatomy found = find_anatomy(surface);
  ASSERT_EQ(found.shells.size(), 1u);
  std::string text = anatomy_json({}, surface, found);
  EXPECT_NE(text.find("\"kind\": \"other\""), std::string::npos) << text;
  EXPECT_EQ(find_anatomy(surface, anatomy_from_json(text, "cape.json")).shells.size(), 1u);
  const std::string flat = replaced(text, "\"tissue\": \"sheet\"", "\"tissue\": \"flesh\"");
  EXPECT_TRUE(find_anatomy(surface, anatomy_from_json(flat, "cape.json")).shells.empty());
  EXPECT_THROW(anatomy_from_json(replaced(text, "\"tissue\": \"sheet\"", "\"tissue\": \"skull\""), "cape.json"), Error);
  const std::string fewer = replaced(text, "\"vertices\": 169", "\"vertices\": 168");
  EXPECT_THROW(find_anatomy(surface, anatomy_from_json(fewer, "cape.json")), Error);
  EXPECT_EQ(find_anatomy(surface, anatomy_from_json(R"({"bones": [], "things": []})", "cape.json")).shells.size(), 1u);
}

// A hat on a tube: written, and told to stay with the rig.
TEST(AnatomyFile, AccessoriesAreWrittenAndObeyed) {
  Character character = two_bone_tube(40, 24, 1, 0.12, [](double y) { return std::clamp(10 * y - 4.5, 0.0, 1.0); });
  Part hat;
  hat.joint = static_cast<int>(character.skeleton.joints.size());
  hat.surface = upright_tube(8, 24, 0.3, 0.14);
  character.parts.push_back(hat);
  character.skeleton.joints.push_back({.name = "hat", .parent = 2, .rest = {}, .rest_matrix = {}, .rest_weights = {}});
  character.skeleton.parents_first.push_back(hat.joint);
  const SimulationSurface surface = simulation_surface(character);
  const std::string text = anatomy_json(character, surface, find_anatomy(surface));
  const std::string stays = replaced(text, "\"tissue\": \"accessory\"", "\"tissue\": \"rig\"");
  for (const auto& [said, expected] : {std::pair{text, 1}, {stays, 0}}) {
    character.anatomy = anatomy_from_json(said, "hat.json");
    EXPECT_EQ(find_accessories(character, surface).size(), static_cast<std::size_t>(expected));
  }
  EXPECT_THROW(anatomy_from_json(replaced(text, "\"accessory\"", "\"skull\""), "hat.json"), Error);
}

}  // namespace
}  // namespace sinew
