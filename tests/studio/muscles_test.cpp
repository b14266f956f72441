// Muscles in the studio: placed, held, moved, removed, undone, kept, drawn, recorded, and baked to the bytes of the
// command line; and hostile messages about them.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "tests/jobs/method_values.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;

// Actions on the key `muscles` of a studio that plays some character.
class StudioWithMuscles : public StudioInFolder {
 protected:
  Json muscles() { return state()["muscles"]; }
  Json muscle(const std::string& name) {
    const Json now = muscles();
    for (const Json& one : now["list"])
      if (one["name"] == name) return one;
    ADD_FAILURE() << "there is no " << name;
    return nullptr;
  }
  void edit(const std::string& action, Json more = Json::object()) {
    more["action"] = action;
    ask("muscle", more);
  }
  std::string refused_edit(const std::string& action, Json more = Json::object()) {
    more["action"] = action;
    return refused("muscle", more);
  }
};

class StudioMuscles : public StudioWithMuscles {
 protected:
  StudioMuscles() {
    begin_with(copy_sample("tube.glb", 400));
    ask("set", {{"path", "muscles"}, {"value", flexor()}});
  }

  static Json end(const char* joint, double height) { return {{"joint", joint}, {"place", {0.0, height, 0.03}}}; }
  static Json flexor() {
    return {{"version", 1},
            {"muscles",
             {{{"name", "flexor"},
               {"radius", 0.04},
               {"origin", end("lower", 0.15)},
               {"insertion", end("upper", 0.85)},
               {"path", {{0.0, 0.5, 0.05}}}},
              {{"name", "other"},
               {"radius", 0.03},
               {"origin", end("lower", 0.2)},
               {"insertion", end("upper", 0.8)},
               {"path", {{0.0, 0.5, -0.05}}},
               {"activation", 0.25}}}}};
  }
  std::string saved_project() { return saved("tube.studio.json"); }
};

TEST_F(StudioMuscles, AnActivationIsHeldGivenBackUndoneAndKept) {
  EXPECT_EQ(muscle("flexor")["by"], "angle");
  EXPECT_EQ(muscle("other")["by"], "file");
  EXPECT_EQ(muscle("other")["value"], 0.25);
  const std::string before = saved_project();
  for (const double value : {0.2, 0.5, 0.75}) edit("hold", {{"name", "flexor"}, {"value", value}, {"stroke", 3}});
  EXPECT_EQ(muscle("flexor")["by"], "hand");
  EXPECT_EQ(muscle("flexor")["value"], 0.75);
  const std::string held = saved_project();
  ask("undo");  // the whole stroke
  EXPECT_EQ(muscle("flexor")["by"], "angle");
  EXPECT_EQ(saved_project(), before);
  ask("redo");
  EXPECT_EQ(saved_project(), held);
  begin_with(folder_ / "tube.glb");
  EXPECT_EQ(muscle("flexor")["value"], 0.75);
  edit("hold", {{"name", "flexor"}, {"value", nullptr}});
  EXPECT_EQ(muscle("flexor")["by"], "angle");
  EXPECT_EQ(saved_project(), before);
}

// A pattern of a file that has fixed a muscle gives way to the muscle's own source; a control stays.
TEST_F(StudioMuscles, GivingBackEndsNumbersAndKeepsControls) {
  ask("set",
      {{"path", "activation"},
       {"value",
        {{"version", 1},
         {"controls", {{{"name", "flex"}, {"keys", {{0, 0}, {1, 1}}}}}},
         {"muscles",
          {{{"name", "*"}, {"activation", 0.5}}, {{"name", "other"}, {"activation", {{"control", "flex"}}}}}}}}});
  EXPECT_EQ(muscle("flexor")["by"], "hand");
  EXPECT_EQ(muscle("other")["by"], "control");
  EXPECT_EQ(muscle("other")["control"], "flex");
  edit("hold", {{"name", "other"}, {"value", 1}});
  EXPECT_EQ(muscle("other")["value"], 1);
  edit("hold", {{"name", "other"}, {"value", nullptr}});
  EXPECT_EQ(muscle("other")["by"], "control");
  edit("hold", {{"name", "flexor"}, {"value", nullptr}});
  EXPECT_EQ(muscle("flexor")["by"], "angle");
}

TEST_F(StudioMuscles, AnEndMovesAlongItsBoneAndStaysInTheBody) {
  const Json before = muscle("flexor");
  edit("move", {{"name", "flexor"}, {"end", "insertion"}, {"to", {0.0, 0.7, 0.02}}});
  Json now = muscle("flexor");
  EXPECT_EQ(now["insertion"]["place"], (Json{0.0, 0.7, 0.02}));
  EXPECT_EQ(now["insertion"]["joint"], before["insertion"]["joint"]);
  EXPECT_EQ(now["origin"], before["origin"]);
  EXPECT_LT(double(now["length"]), double(before["length"]) - 0.1);
  edit("move", {{"name", "flexor"}, {"end", "origin"}, {"to", {0.0, 0.3, 0.25}}});
  now = muscle("flexor");
  EXPECT_NEAR(double(now["origin"]["place"][1]), 0.3, 0.01);
  EXPECT_LT(double(now["origin"]["place"][2]), 0.25) << "in the body";
  EXPECT_GT(double(now["origin"]["place"][2]), 0.02) << "near where it was dragged";
  ask("undo");
  ask("undo");
  EXPECT_EQ(muscle("flexor"), before);
}

TEST_F(StudioMuscles, OneIsRemovedWithItsActivationThenAll) {
  edit("hold", {{"name", "flexor"}, {"value", 1}});
  edit("hold", {{"name", "other"}, {"value", 1}});
  edit("remove", {{"name", "flexor"}});
  ASSERT_EQ(muscles()["list"].size(), 1u);
  EXPECT_EQ(muscle("other")["value"], 1);
  EXPECT_EQ(saved_project().find("flexor"), std::string::npos);
  edit("remove");
  EXPECT_TRUE(muscles().is_null());
  ask("undo");
  ask("undo");
  EXPECT_EQ(muscles()["list"].size(), 2u);
  EXPECT_EQ(muscle("flexor")["value"], 1);
}

// In the rest pose the points are where the file has them, but for what the muscles' own weights in the flesh do.
TEST_F(StudioMuscles, FramesHaveTheirPlacesAndActivationWhileTheyAreShown) {
  ask("play", {{"clip", ""}});
  ask("pause");
  EXPECT_TRUE(page_->settled().activation.empty());
  edit("hold", {{"name", "other"}, {"value", 0}});
  ask("show", {{"muscles", true}});
  ReadFrame now = page_->settled();
  ASSERT_EQ(now.activation, (std::vector<float>{0, 0}));
  ASSERT_EQ(now.muscle_places.size(), 2u * 13u);
  EXPECT_LT(distance(now.muscle_places[0], {0, 0.15, 0.03}), 2e-3);
  EXPECT_LT(distance(now.muscle_places[6], {0, 0.5, 0.05}), 5e-3);
  EXPECT_LT(distance(now.muscle_places[12], {0, 0.85, 0.03}), 2e-3);
  edit("hold", {{"name", "flexor"}, {"value", 1}});
  now = page_->settled();
  EXPECT_EQ(now.activation, (std::vector<float>{1, 0}));
  double length = 0;
  for (std::size_t k = 4; k < 8; ++k) length += distance(now.muscle_places[k], now.muscle_places[k + 1]);
  EXPECT_LT(length, 0.97 * 4 / 12 * double(muscle("flexor")["length"])) << "its middle is shorter";
  ask("show", {{"muscles", false}});
  EXPECT_TRUE(page_->frame().activation.empty());
}

TEST_F(StudioMuscles, WhileATakeIsRecordedTheTakeHasIt) {
  ask("take", {{"action", "record"}});
  edit("hold", {{"name", "flexor"}, {"value", 0.5}});
  EXPECT_EQ(muscle("flexor")["by"], "angle");
  ask("take", {{"action", "stop"}});
  const Json takes = state()["takes"];
  ASSERT_EQ(takes.size(), 1u);
  ASSERT_EQ(takes[0]["marks"].size(), 1u);
  EXPECT_EQ(takes[0]["marks"][0][1], "activation");
  EXPECT_EQ(muscle("flexor")["by"], "angle");
}

TEST_F(StudioMuscles, ABakeHasTheBytesOfTheCommandLine) {
  edit("hold", {{"name", "flexor"}, {"value", 0.8}});
  edit("move", {{"name", "other"}, {"end", "origin"}, {"to", {0.0, 0.25, -0.03}}});
  const std::string clip = state_["clips"][0]["name"];
  ask("bake", {{"output", "flexed.glb"}, {"clip", clip}, {"from", 0.0}, {"to", 0.1}});
  page_->event("baked");
  AnimateJob job;
  job.input = folder_ / "tube.glb";
  job.output = folder_ / "again.glb";
  test::flesh(job.method) =
      settings_from_json<FleshSettings>(read_text_file(folder_ / "flexed.settings.json"), "settings");
  EXPECT_NE(test::flesh(job.method).muscles.find("other"), std::string::npos);
  EXPECT_NE(test::flesh(job.method).activation.find("0.8"), std::string::npos);
  job.clip = clip;
  job.begin = 0;
  job.end = 0.1;
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "flexed.glb"), bytes_of(folder_ / "again.glb"));
  test::flesh(job.method).activation.clear();
  job.output = folder_ / "slack.glb";
  animate_file(job);
  EXPECT_NE(bytes_of(folder_ / "flexed.glb"), bytes_of(folder_ / "slack.glb"));
}

TEST_F(StudioMuscles, HostileMessagesGetASentence) {
  const std::string before = saved_project();
  EXPECT_NE(refused_edit("hold", {{"name", "fexor"}, {"value", 1}}).find("no muscle 'fexor'"), std::string::npos);
  EXPECT_NE(refused_edit("move", {{"name", "fexor"}, {"end", "origin"}, {"to", {0, 0, 0}}}).find("no muscle"),
            std::string::npos);
  EXPECT_NE(refused_edit("remove", {{"name", "fexor"}}).find("no muscle"), std::string::npos);
  EXPECT_NE(refused_edit("place").find("remove them"), std::string::npos);
  EXPECT_NE(refused_edit("flex").find("place, remove, hold or move"), std::string::npos);
  const Json name{{"name", "flexor"}};
  for (Json wrong :
       {Json{{"action", 1}}, Json::object(), Json{{"action", "hold"}, {"value", 1}}, Json{{"action", "move"}},
        Json{{"action", "place"}, {"name", "flexor"}}, Json{{"action", "remove"}, {"name", 7}},
        Json{{"action", "remove"}, {"name", std::string(2000, 'a')}}})
    EXPECT_TRUE(page_->ask("muscle", wrong).contains("error")) << wrong;
  for (const Json& value : {Json(-0.1), Json(1.1), Json(1e300), Json("1"), Json(true), Json(Json::array())}) {
    Json message = name;
    message["value"] = value;
    EXPECT_NE(refused_edit("hold", message).find("value"), std::string::npos) << value;
  }
  EXPECT_NE(refused_edit("hold", name).find("value"), std::string::npos);
  for (const Json& to : {Json{0, 0}, Json{0, 0, 1e300}, Json{0, 0, nullptr}, Json("here")}) {
    Json message = name;
    message["end"] = "origin";
    message["to"] = to;
    EXPECT_NE(refused_edit("move", message).find("to"), std::string::npos) << to;
  }
  Json message = name;
  message["to"] = {0, 0.2, 0};
  message["end"] = "middle";
  EXPECT_NE(refused_edit("move", message).find("origin or insertion"), std::string::npos);
  // The ends one on the other: what cannot be cooked is taken back.
  message["end"] = "insertion";
  message["to"] = muscle("other")["origin"]["place"];
  message["name"] = "other";
  Json straight = flexor();
  straight["muscles"][1].erase("path");
  ask("set", {{"path", "muscles"}, {"value", straight}, {"stroke", 9}});
  EXPECT_NE(refused_edit("move", message).find("'other'"), std::string::npos);
  ask("undo");
  EXPECT_EQ(saved_project(), before);
}

TEST_F(StudioMuscles, TooManyAndWrongJointsAreRefused) {
  Json many = flexor();
  Json one = many["muscles"][0];
  for (int k = 0; k < 5000; ++k) {
    one["name"] = "m" + std::to_string(k);
    many["muscles"].push_back(one);
  }
  EXPECT_NE(refused("set", {{"path", "muscles"}, {"value", many}}).find("thousand"), std::string::npos);
  Json wrong = flexor();
  wrong["muscles"][0]["origin"]["joint"] = "lowr";
  EXPECT_NE(refused("set", {{"path", "muscles"}, {"value", wrong}}).find("did you mean 'lower'"), std::string::npos);
  EXPECT_EQ(muscles()["list"].size(), 2u);
}

TEST_F(StudioMuscles, OtherBodiesAreToldWhatToDo) {
  edit("remove");
  ask("set", {{"path", "elasticity"}, {"value", "linear"}});
  EXPECT_NE(refused_edit("place").find("set elasticity to nonlinear"), std::string::npos);
  ask("undo");
  ask("set", {{"path", "lattice"}, {"value", "auto"}});
  EXPECT_NE(refused_edit("place").find("lattice"), std::string::npos);
  ask("undo");
  EXPECT_NE(refused_edit("place").find("no arms, legs or neck"), std::string::npos) << "of a tube";
  EXPECT_NE(refused_edit("remove").find("no muscles"), std::string::npos);
  EXPECT_NE(refused_edit("hold", {{"name", "flexor"}, {"value", 1}}).find("place them first"), std::string::npos);
  ask("method", {{"name", "linear"}});
  for (const char* action : {"place", "remove"}) EXPECT_NE(refused_edit(action).find("Flesh"), std::string::npos);
}

// Changes that nobody waits for, while frames have the muscles of whichever scene plays and a take is recorded.
TEST_F(StudioMuscles, ChangesInQuickSuccessionLeaveASoundState) {
  ask("show", {{"muscles", true}});
  ask("take", {{"action", "record"}});
  int last = 0;
  for (int k = 0; k < 40; ++k) {
    page_->say("muscle", {{"action", "hold"}, {"name", k % 2 ? "flexor" : "other"}, {"value", k / 40.0}});
    page_->say("muscle",
               {{"action", "move"}, {"name", "flexor"}, {"end", "insertion"}, {"to", {0.0, 0.6 + k / 200.0, 0.0}}});
    if (k % 5 == 0) page_->say("muscle", {{"action", "remove"}, {"name", k % 2 ? "flexor" : "other"}});
    if (k % 7 == 0) page_->say("muscle", {{"action", "remove"}});
    for (const char* step : {"undo", "redo", "undo"}) last = page_->say(step);
    page_->frame();
  }
  page_->answer_to(last);
  ask("take", {{"action", "stop"}});
  ask("set", {{"path", "muscles"}, {"value", flexor()}, {"stroke", 5}});
  EXPECT_EQ(muscles()["list"].size(), 2u);
  std::size_t shown = 0;
  for (int frame = 0; frame < 200 && shown != 2; ++frame) shown = page_->frame().activation.size();
  EXPECT_EQ(shown, 2u);
}

class StudioMusclesOfSumo : public StudioWithMuscles {
 protected:
  StudioMusclesOfSumo() { begin_with(copy_sample("sumo.glb", 1500)); }
};

TEST_F(StudioMusclesOfSumo, AreFoundAndBecomeTheProjectsOwnOnceOneIsMoved) {
  EXPECT_TRUE(state_["muscles"].is_null());
  edit("place");
  const Json placed = muscles();
  ASSERT_GT(placed["list"].size(), 8u);
  for (const Json& one : placed["list"]) EXPECT_EQ(one["by"], "angle");
  EXPECT_NE(saved("sumo.studio.json").find("\"auto\""), std::string::npos);
  const std::string clip = state_["clips"][0]["name"];
  ask("bake", {{"output", "flexed.glb"}, {"clip", clip}, {"from", 0.3}, {"to", 0.4}});
  page_->event("baked");
  AnimateJob job;
  job.input = folder_ / "sumo.glb";
  job.output = folder_ / "again.glb";
  test::flesh(job.method) =
      settings_from_json<FleshSettings>(read_text_file(folder_ / "flexed.settings.json"), "settings");
  EXPECT_EQ(test::flesh(job.method).muscles, "auto");
  job.clip = clip;
  job.begin = 0.3;
  job.end = 0.4;
  animate_file(job);
  EXPECT_EQ(bytes_of(folder_ / "flexed.glb"), bytes_of(folder_ / "again.glb"));
  const Json biceps = muscle("biceps.L");
  Json to = biceps["insertion"]["place"];
  to[0] = double(to[0]) - 0.03;
  edit("hold", {{"name", "triceps.L"}, {"value", 0.5}});
  edit("move", {{"name", "biceps.L"}, {"end", "insertion"}, {"to", to}});
  EXPECT_EQ(muscles()["list"].size(), placed["list"].size());
  EXPECT_LT(double(muscle("biceps.L")["length"]), double(biceps["length"]));
  EXPECT_EQ(muscle("triceps.L")["value"], 0.5);
  ask("undo");
  EXPECT_EQ(muscle("biceps.L"), biceps);
}

}  // namespace
