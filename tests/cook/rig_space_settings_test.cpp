// Settings of rig-space physics as JSON: there and back, and a sentence for what is wrong.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "sinew/cook/rig_space/rig_space_settings.h"
#include "sinew/files/settings_json.h"
#include "tests/base/refusal.h"

namespace sinew {
namespace {

using RigSpaceJson = nlohmann::json;

// No field has its default.
RigSpaceSettings unusual() {
  RigSpaceSettings s;
  s.free = {"belly*", "cheek_l.translation.?"};
  s.along = "along.json";
  s.rig = "rigs/wires.json";
  s.look = Look::lively;
  s.reference = Reference::elastic;
  s.material = HyperelasticLaw::corotated;
  s.young = 12345.5;
  s.poisson = 0.31;
  s.density = 950;
  s.damping = 0.125;
  s.gravity = true;
  s.tetrahedra = 4321;
  s.cell_size = 0.0625;
  s.color_stiffness = true;
  s.step = 0.005;
  s.adaptive = true;
  s.inside = InteriorVertices::equilibrium;
  s.deferred = false;
  s.predictor = false;
  s.linearity = 3e-4;
  s.limit = 7;
  s.skinning = SkinningKind::dual_quaternion;
  s.interior = "tube.vskin";
  s.poses = 17;
  s.candidates = 31;
  s.key_error = 1e-3;
  s.whole_clip = true;
  s.keys = "keys.json";
  s.controls = {{"belly_l", 2.5, 0.5}, {"chest*", 0.25, std::nullopt}};
  return s;
}

// What older versions wrote under the key that is now the kind of skinning.
TEST(RigSpaceSettingsJson, TakesTheFileOfTheInteriorByItsOlderName) {
  const auto read = [](const char* text) { return settings_from_json<RigSpaceSettings>(text, "settings.json"); };
  EXPECT_EQ(read(R"({"skinning": "tube.vskin"})").interior, "tube.vskin");
  EXPECT_EQ(read(R"({"skinning": "tube.vskin"})").skinning, SkinningKind::linear);
  EXPECT_EQ(read(R"({"skinning": "tube.vskin", "interior": ""})").interior, "tube.vskin");
  EXPECT_EQ(read(R"({"skinning": "", "interior": "own.vskin"})").interior, "own.vskin");
  EXPECT_EQ(read(R"({"skinning": "dualquat"})").interior, "");
  EXPECT_EQ(read(R"({"skinning": "dualquat"})").skinning, SkinningKind::dual_quaternion);
  RigSpaceSettings settings;
  for (const SkinningKind kind : {SkinningKind::volume, SkinningKind::implicit}) {
    settings.skinning = kind;
    EXPECT_NE(first_complaint(settings_of(settings)).find("choose linear or dualquat"), std::string::npos);
  }
}

TEST(RigSpaceSettingsJson, ReadsWhatItWrites) {
  for (const RigSpaceSettings& settings : {RigSpaceSettings{}, unusual()}) {
    const std::string text = settings_json(settings);
    // Onto settings that have it all otherwise.
    const RigSpaceSettings base = settings.free.empty() ? unusual() : RigSpaceSettings{};
    const RigSpaceSettings read = settings_from_json<RigSpaceSettings>(text, "settings.json", base);
    EXPECT_EQ(settings_json(read), text);
    EXPECT_EQ(read.free, settings.free);
    EXPECT_EQ(read.rig, settings.rig);
    EXPECT_EQ(read.skinning, settings.skinning);
    EXPECT_EQ(read.interior, settings.interior);
    EXPECT_EQ(read.keys, settings.keys);
    EXPECT_EQ(read.look, settings.look);
    EXPECT_EQ(read.reference, settings.reference);
    EXPECT_EQ(read.material, settings.material);
    EXPECT_EQ(read.young, settings.young);
    EXPECT_EQ(read.damping, settings.damping);
    EXPECT_EQ(read.cell_size, settings.cell_size);
    EXPECT_EQ(read.inside, settings.inside);
    EXPECT_EQ(read.adaptive, settings.adaptive);
    EXPECT_EQ(read.deferred, settings.deferred);
    EXPECT_EQ(read.predictor, settings.predictor);
    EXPECT_EQ(read.linearity, settings.linearity);
    EXPECT_EQ(read.key_error, settings.key_error);
    EXPECT_EQ(read.whole_clip, settings.whole_clip);
    ASSERT_EQ(read.controls.size(), settings.controls.size());
    for (std::size_t i = 0; i < read.controls.size(); ++i) {
      EXPECT_EQ(read.controls[i].controls, settings.controls[i].controls);
      EXPECT_EQ(read.controls[i].stiffness, settings.controls[i].stiffness);
      EXPECT_EQ(read.controls[i].range, settings.controls[i].range);
    }
  }
  // Everything that is written differs, so that nothing was forgotten.
  const RigSpaceJson usual = RigSpaceJson::parse(settings_json(RigSpaceSettings{})),
                     other = RigSpaceJson::parse(settings_json(unusual()));
  for (const auto& [key, value] : usual.items()) EXPECT_NE(other[key], value) << key;
}

TEST(RigSpaceSettingsJson, WhatIsMissingStays) {
  const RigSpaceSettings read = settings_from_json<RigSpaceSettings>(R"({"step": 0.02})", "settings.json", unusual());
  RigSpaceSettings expected = unusual();
  expected.step = 0.02;
  EXPECT_EQ(settings_json(read), settings_json(expected));
}

TEST(RigSpaceSettingsJson, MistakesAreOneSentence) {
  const auto said = [](const char* text) {
    return test::refusal(ErrorKind::input, [&] { settings_from_json<RigSpaceSettings>(text, "settings.json"); });
  };
  for (const auto& [text, words] : std::initializer_list<std::pair<const char*, const char*>>{
           {"{", "settings.json"},
           {"[]", "settings.json"},
           {R"({"sept": 0.01})", "'sept'"},
           {R"({"step": "fast"})", "step"},
           {R"({"free": "belly"})", "free"},
           {R"({"free": [7]})", "free"},
           {R"({"look": "wobbly"})", "subtle"},
           {R"({"material": "rubber"})", "modified-stvk"},
           {R"({"inside": "hollow"})", "equilibrium"},
           {R"({"controls": [{"stiffness": 2}]})", "controls"},
           {R"({"controls": [{"controls": "a", "stifness": 2}]})", "stifness"},
           {R"({"poses": 2.5})", "poses"}}) {
    const std::string sentence = said(text);
    EXPECT_NE(sentence.find("settings.json"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
  }
}

TEST(RigSpaceSettingsValues, AreChecked) {
  EXPECT_NO_THROW(check_settings(settings_of(unusual())));
  EXPECT_NO_THROW(check_settings(settings_of(RigSpaceSettings{})));
  EXPECT_NE(test::refusal(ErrorKind::usage, [] { check_any_free({}); }).find("--free"), std::string::npos);
  using Change = void (*)(RigSpaceSettings&);
  for (const auto& [change, name] : std::initializer_list<std::pair<Change, const char*>>{
           {[](RigSpaceSettings& s) { s.young = 0; }, "young"},
           {[](RigSpaceSettings& s) { s.young = HUGE_VAL; }, "young"},
           {[](RigSpaceSettings& s) { s.poisson = 0.5; }, "poisson"},
           {[](RigSpaceSettings& s) { s.density = -1; }, "density"},
           {[](RigSpaceSettings& s) { s.damping = -0.1; }, "damping"},
           {[](RigSpaceSettings& s) { s.gravity = true; }, "gravity"},
           {[](RigSpaceSettings& s) { s.tetrahedra = 10; }, "tetrahedra"},
           {[](RigSpaceSettings& s) { s.cell_size = -0.1; }, "cell_size"},
           {[](RigSpaceSettings& s) { s.step = 0; }, "step"},
           {[](RigSpaceSettings& s) { s.step = std::nan(""); }, "step"},
           {[](RigSpaceSettings& s) { s.linearity = 0; }, "linearity"},
           {[](RigSpaceSettings& s) { s.limit = -1; }, "limit"},
           {[](RigSpaceSettings& s) { s.poses = 1; }, "poses"},
           {[](RigSpaceSettings& s) { s.candidates = 3; }, "candidates"},
           {[](RigSpaceSettings& s) { s.key_error = 2; }, "key_error"},
           {[](RigSpaceSettings& s) {
              s.controls = {{"belly", 0, std::nullopt}};
            },
            "'belly'"},
           {[](RigSpaceSettings& s) {
              s.controls = {{"belly", 1, -1.0}};
            },
            "'belly'"}}) {
    RigSpaceSettings settings;
    change(settings);
    const std::string sentence = test::refusal(ErrorKind::usage, [&] { check_settings(settings_of(settings)); });
    EXPECT_NE(sentence.find(name), std::string::npos) << sentence;
  }
}

}  // namespace
}  // namespace sinew
