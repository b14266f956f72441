#include "studio/server/cook/method_settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/cook/methods.h"
#include "sinew/files/settings_json.h"
#include "tests/jobs/files.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using OrderedJson = nlohmann::ordered_json;

const Folders nowhere({});

const FleshSettings& flesh(const MethodChoice& choice) { return choice.as<FleshMethod>().values; }

TEST(StudioSettings, APathLeadsToEverySettingAndBack) {
  std::string settings;
  for (const char* method : {"flesh", "mixed", "linear", "springs"}) {
    settings.clear();
    const MethodChoice usual = method_named(method);
    for (const Setting& setting : usual->settings().table) {
      const OrderedJson values = OrderedJson::parse(table_json(usual->settings()));
      if (!values.contains(setting.key)) continue;
      settings = with_value(method, settings, setting.key, values[setting.key].dump());
      EXPECT_EQ(OrderedJson::parse(settings)[setting.key], values[setting.key]) << setting.key;
    }
  }
}

TEST(StudioSettings, ItemsOfListsComeAndGo) {
  std::string settings = with_value("flesh", "", "joints[0]", R"({"joints": "arm*"})");
  settings = with_value("flesh", settings, "joints[1]", R"({"joints": "leg*", "stiffness": 2})");
  settings = with_value("flesh", settings, "joints[0].damping", "3");
  MethodChoice choice = choice_from("flesh", settings, nowhere);
  ASSERT_EQ(flesh(choice).joints.size(), 2u);
  EXPECT_EQ(flesh(choice).joints[0].damping, 3);
  EXPECT_EQ(flesh(choice).joints[0].stiffness, 1);
  settings = without_value("flesh", settings, "joints[0]");
  settings = without_value("flesh", settings, "joints[0].stiffness");
  choice = choice_from("flesh", settings, nowhere);
  ASSERT_EQ(flesh(choice).joints.size(), 1u);
  EXPECT_EQ(flesh(choice).joints[0].joints, "leg*");
  EXPECT_EQ(flesh(choice).joints[0].stiffness, 1);
}

TEST(StudioSettings, SeveralAtOnceAreOneAct) {
  const std::string settings =
      with_value("flesh", with_value("flesh", "", "core", "0.3"), "", R"({"look": "lively", "damping": 0.2})");
  const MethodChoice choice = choice_from("flesh", settings, nowhere);
  EXPECT_EQ(flesh(choice).look, Look::lively);
  EXPECT_EQ(flesh(choice).damping, 0.2);
  EXPECT_EQ(flesh(choice).core, 0.3);
  EXPECT_THROW(with_value("flesh", "", "", "7"), Error);
}

TEST(StudioSettings, ResetGivesTheDefault) {
  const std::string changed = with_value("flesh", "", "lattice", "\"auto\"");
  EXPECT_EQ(choice_from("flesh", changed, nowhere).as<FleshMethod>().values.lattice.file, auto_lattice);
  EXPECT_EQ(
      choice_from("flesh", without_value("flesh", changed, "lattice"), nowhere).as<FleshMethod>().values.lattice.file,
      "");
}

TEST(StudioSettings, PathsThatLeadNowhereAreSentences) {
  for (const char* path : {".", "..", "joints[", "joints[]", "joints[x]", "joints[5]", "joints[99999999999999999999]",
                           "joints[0]x", "joints[0]..stiffness", "look.more", "a.b.c.d.e.f", "[0]"})
    EXPECT_THROW(with_value("flesh", "", path, "1"), Error) << path;
  EXPECT_THROW(without_value("flesh", "", "nothing"), Error);
  EXPECT_THROW(choice_from("flesh", with_value("flesh", "", "nothing", "1"), nowhere), Error);
}

TEST(StudioSettings, FilesOutsideTheFoldersAreRefused) {
  for (const char* key : {"lattice", "anatomy"})
    EXPECT_THROW(choice_from("flesh", with_value("flesh", "", key, "\"/etc/passwd\""), nowhere), Error);
  EXPECT_THROW(choice_from("surface", with_model("surface", "", "/etc/passwd"), nowhere), Error);
  const std::filesystem::path folder = test::scratch_files(), inside = folder / "in";
  std::filesystem::create_directories(inside);
  for (const std::filesystem::path& file : {folder / "out.obj", inside / "box.obj"}) write_text_file(file, "v 0 0 0\n");
  const Folders folders({inside});
  const auto with_mesh = [](const std::string& file) {
    return with_value("flesh", "", "colliders", OrderedJson::array({{{"shape", "mesh"}, {"file", file}}}).dump());
  };
  for (const std::string& file :
       {std::string("/etc/hostname"), std::string("../out.obj"), (folder / "out.obj").string()})
    EXPECT_THROW(choice_from("flesh", with_mesh(file), folders), Error) << file;
  // Names are relative to a folder of the studio, wherever the server was started.
  EXPECT_EQ(flesh(choice_from("flesh", with_mesh("box.obj"), folders)).colliders.at(0).file,
            (std::filesystem::canonical(inside) / "box.obj").string());
}

TEST(StudioSettings, PagesLearnWhatEachSettingIs) {
  const OrderedJson rows = describe_settings(method_named("flesh"), {{"young", 1234.0}});
  const auto row = [&](const std::string& key) {
    for (const OrderedJson& each : rows)
      if (each["key"] == key) return each;
    return OrderedJson();
  };
  EXPECT_EQ(row("look")["kind"], "choice");
  EXPECT_EQ(row("look")["words"], OrderedJson({"subtle", "natural", "lively"}));
  EXPECT_EQ(row("look")["level"], "stiffness");
  EXPECT_EQ(row("tetrahedra")["least"], 20);
  EXPECT_EQ(row("young")["unit"], "Pa");
  EXPECT_TRUE(row("young")["value"].is_null());
  EXPECT_EQ(row("young")["now"], 1234.0);
  EXPECT_EQ(row("joints")["kind"], "list");
  EXPECT_EQ(row("joints")["item"][1]["key"], "stiffness");
  EXPECT_EQ(row("gravity")["kind"], "vector");
  EXPECT_EQ(row("lattice")["default"], "");  // as on the command line
}

}  // namespace
