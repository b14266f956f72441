// The studio from end to end, as its page uses it: pages that come and go, files that are opened, settings that are
// refused.
#include "studio/server/studio.h"

#include <gtest/gtest.h>

#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>

#include "sinew/base/file.h"
#include "tests/studio/studio_session.h"

namespace {

using namespace sinew;
using namespace sinew::studio;
using namespace sinew::test;
using Json = nlohmann::json;

TEST_F(StudioSession, SettingsThatMakeNoSenseAreSentences) {
  for (const Json& wrong :
       {Json{{"path", "look"}, {"value", "wobbly"}}, Json{{"path", "loook"}, {"value", "lively"}},
        Json{{"path", "tetrahedra"}, {"value", 1}}, Json{{"path", "joints[7]"}, {"value", {{"joints", "*"}}}},
        Json{{"path", "joints[0]"}, {"value", {{"stiffness", 1}}}}, Json{{"path", "a.b.c"}, {"value", 1}},
        Json{{"path", "lattice"}, {"value", "/etc/passwd"}}, Json{{"path", "anatomy"}, {"value", "../../x.json"}},
        Json{{"path", "gravity"}, {"value", {0, 1}}}, Json{{"path", ""}, {"value", 1}},
        Json{{"path", ""}, {"value", {{"loook", 1}}}}}) {
    const Json answer = page_->ask("set", wrong);
    EXPECT_TRUE(answer.contains("error")) << wrong;
  }
  EXPECT_EQ(state()["history"]["undo"], 0);
  EXPECT_TRUE(page_->ask("paint", {{"channel", "stiffness"}, {"values", {{99999999, 1}}}}).contains("error"));
  EXPECT_TRUE(page_->ask("paint", {{"channel", "blue"}, {"values", {{0, 1}}}}).contains("error"));
  EXPECT_TRUE(page_->ask("method", {{"name", "magic"}}).contains("error"));
  EXPECT_TRUE(page_->ask("grab", {{"name", "a"}, {"at", {9999999, 0, 0}}}).contains("error"));
  EXPECT_TRUE(page_->ask("drag", {{"name", "nobody"}, {"target", {0, 0, 0}}}).contains("error"));
  EXPECT_GT(page_->frame().number, 0u);
}

TEST_F(StudioSession, TwoPagesSeeOneStudio) {
  PageClient second(studio_->port(), studio_->token());
  second.ask("hello", {{"version", 1}});
  ask("set", {{"path", "look"}, {"value", "subtle"}});
  bool told = false;
  for (int k = 0; k < 20 && !told; ++k) told = second.event("changed").contains("settings");
  EXPECT_TRUE(told);
  EXPECT_GT(second.frame().number, 0u);
  EXPECT_FALSE(second.ask("undo").contains("error"));
  EXPECT_EQ(state()["history"]["undo"], 0);
}

// The page comes later than the sentence, and the one who started the program may look at the terminal.
TEST_F(StudioSession, AFileThatCannotBeOpenedIsSaidToLaterPagesAndInTheTerminal) {
  page_.reset();
  studio_.reset();
  const std::string bytes = bytes_of(sample_file("tube.glb"));
  write_text_file(folder_ / "broken.glb", bytes.substr(0, 1000));
  StudioOptions options;
  options.file = folder_ / "broken.glb";
  options.folders = {folder_};
  std::promise<std::string> said;
  options.say = [&](const std::string& sentence) { said.set_value(sentence); };
  studio_ = std::make_unique<Studio>(options);
  const std::string sentence = said.get_future().get();
  EXPECT_NE(sentence.find("broken.glb"), std::string::npos) << sentence;
  PageClient late(studio_->port(), studio_->token());
  const Json state = late.ask("hello", {{"version", 1}})["state"];
  EXPECT_EQ(state["failed"], sentence);
  EXPECT_EQ(state["loads"][0]["name"], "poke");  // tools are there before the character
  EXPECT_FALSE(late.ask("open", {{"path", "tube.glb"}}).contains("error"));
  EXPECT_TRUE(late.ask("hello", {{"version", 1}})["state"]["failed"].is_null());
}

// A page is reloaded or closed amid a drag: its hand lets go, a pin stays.
TEST_F(StudioSession, AHandLetsGoWhenItsPageIsClosed) {
  {
    PageClient second(studio_->port(), studio_->token());
    second.ask("hello", {{"version", 1}});
    const Json at{{"rest", {0.1, 0.5, 0}}};
    EXPECT_FALSE(second.ask("grab", {{"name", "hand"}, {"at", at}}).contains("error"));
    EXPECT_FALSE(second.ask("grab", {{"name", "pin"}, {"at", at}, {"stays", true}}).contains("error"));
    EXPECT_EQ(state()["hands"].size(), 2u);
  }
  Json hands;
  for (int k = 0; k < 100 && hands.size() != 1; ++k) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    hands = state()["hands"];
  }
  ASSERT_EQ(hands.size(), 1u) << hands;
  EXPECT_EQ(hands[0]["name"], "pin");
}

TEST_F(StudioSession, ADroppedFileIsKeptAndOpened) {
  const std::string bytes = bytes_of(sample_file("tube.glb"));
  const HttpAnswer answer =
      http(studio_->port(), "POST", "/open?name=dropped.glb&token=" + studio_->token(), "", bytes);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(page_->event("state")["state"]["character"]["name"], "dropped.glb");
  EXPECT_EQ(bytes_of(folder_ / "dropped.glb"), bytes);
  while (page_->frame().character != 2u) {
  }
  http(studio_->port(), "POST", "/open?name=broken.glb&token=" + studio_->token(), "", bytes.substr(0, 1000));
  EXPECT_EQ(page_->event("failed")["what"], "opening");
  EXPECT_EQ(page_->frame().character, 2u);
}

}  // namespace
