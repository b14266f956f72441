// `sinew studio` as a user starts it, kills it, and starts it again; and how soon a drag is seen.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "sinew/base/file.h"
#include "tests/jobs/files.h"
#include "tests/studio/page_client.h"

namespace {

using namespace sinew;
using namespace sinew::test;
using Json = nlohmann::json;
namespace fs = std::filesystem;

class StudioProgram {
 public:
  StudioProgram(const fs::path& file, const fs::path& folder, std::vector<std::string> more = {}) {
    ::setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);  // keeps its address there
    int pipe_ends[2];
    EXPECT_EQ(::pipe2(pipe_ends, O_CLOEXEC), 0);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
    std::vector<std::string> words{SINEW_PROGRAM, "studio", file.string(), "--folder", folder.string(), "--no-browser"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    EXPECT_EQ(::posix_spawn(&process_, SINEW_PROGRAM, &actions, nullptr, arguments.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe_ends[1]);
    std::string said;
    char letter = 0;
    while (said.find('\n') == std::string::npos && ::read(pipe_ends[0], &letter, 1) == 1) said += letter;
    ::close(pipe_ends[0]);
    const std::size_t colon = said.find(':', said.find("127.0.0.1")), equals = said.find("token=");
    if (colon == std::string::npos || equals == std::string::npos) throw std::runtime_error("it said: " + said);
    port = std::stoi(said.substr(colon + 1));
    token = said.substr(equals + 6, 32);
  }
  ~StudioProgram() { end(SIGKILL); }
  StudioProgram(const StudioProgram&) = delete;
  StudioProgram& operator=(const StudioProgram&) = delete;

  // Seconds of processor time so far.
  double processor_time() const {
    std::ifstream file("/proc/" + std::to_string(process_) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream fields(text.substr(text.rfind(')') + 2));
    std::string word;
    for (int k = 0; k < 11; ++k) fields >> word;
    double user = 0, system = 0;
    fields >> user >> system;
    return (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  }

  // Its exit status. `used`: where to put its processor time in all, seconds.
  int end(int signal, double* used = nullptr) {
    if (process_ <= 0) return 0;
    ::kill(process_, signal);
    int status = 0;
    rusage usage{};
    ::wait4(process_, &status, 0, &usage);
    if (used != nullptr)
      *used = static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
              1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    process_ = 0;
    return status;
  }

  int port = 0;
  std::string token;

 private:
  pid_t process_ = 0;
};

Json state_of(PageClient& page) {
  Json state = page.ask("hello", {{"version", 1}})["state"];
  return state["character"].is_null() ? page.event("state")["state"] : state;
}

class StudioProgramTest : public testing::Test {
 protected:
  StudioProgramTest() { fs::create_directories(folder_); }

  fs::path copy_of(const std::string& sample) {
    fs::copy_file(sample_file(sample), folder_ / sample);
    return folder_ / sample;
  }

  fs::path folder_ = scratch_path("studio");
};

TEST_F(StudioProgramTest, AKilledStudioLosesNothingOlderThanASecond) {
  const fs::path file = copy_of("tube.glb");
  {
    StudioProgram program(file, folder_);
    PageClient page(program.port, program.token);
    state_of(page);
    page.ask("set", {{"path", "look"}, {"value", "lively"}});
    page.ask("take", {{"action", "record"}, {"name", "cut short"}});
    page.ask("poke", {{"at", {300, 0.3, 0.3}}, {"force", {0, 0, 1}}, {"seconds", 0.1}, {"radius", 0.1}});
    for (ReadFrame now = page.frame(); now.elapsed < 1.6;) now = page.frame();
    program.end(SIGKILL);
  }
  StudioProgram program(file, folder_);
  PageClient page(program.port, program.token);
  const Json state = state_of(page);
  for (const Json& setting : state["settings"])
    if (setting["key"] == "look") {
      EXPECT_EQ(setting["value"], "lively");
    }
  ASSERT_EQ(state["takes"].size(), 1u);
  EXPECT_EQ(state["takes"][0]["name"], "cut short");
  EXPECT_EQ(state["takes"][0]["actions"], 1);
  EXPECT_GT(state["takes"][0]["seconds"], 0.5);
}

TEST_F(StudioProgramTest, StartedAgainItIsWhereItWas) {
  const fs::path file = copy_of("tube.glb"), other = copy_of("sumo.glb");
  int port = 0;
  std::string token;
  {
    StudioProgram program(file, folder_);
    port = program.port;
    token = program.token;
    StudioProgram comparison(other, folder_);  // has its own
    EXPECT_NE(comparison.token, token);
    program.end(SIGKILL);
  }
  {
    StudioProgram program(file, folder_);
    EXPECT_EQ(program.port, port);
    EXPECT_EQ(program.token, token);
    PageClient page(port, token);
    EXPECT_EQ(state_of(page)["character"]["name"], "tube.glb");
    // Where somebody listens already, that may know the token.
    StudioProgram second(file, folder_);
    EXPECT_NE(second.port, port);
    EXPECT_NE(second.token, token);
  }
  StudioProgram anew(file, folder_, {"--new-address"});
  EXPECT_NE(anew.token, token);
}

TEST_F(StudioProgramTest, EndsWhenItIsAskedTo) {
  StudioProgram program(copy_of("tube.glb"), folder_);
  PageClient page(program.port, program.token);
  page.ask("hello", {{"version", 1}});
  const int status = program.end(SIGINT);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// In processor time of two threads, which no load of the machine changes: within a second after the signal, whatever
// holds the flesh.
void expect_to_end_within_a_second(const fs::path& file, const fs::path& folder, bool lattice, int frames) {
  StudioProgram program(file, folder, {"--new-address"});
  PageClient page(program.port, program.token);
  state_of(page);
  if (lattice) {
    EXPECT_FALSE(page.ask("set", {{"path", "lattice"}, {"value", "auto"}}).contains("error"));
  }
  page.ask("play", {{"clip", ""}});
  EXPECT_FALSE(page.ask("grab", {{"name", "pin 0"}, {"at", {{"rest", {0.75, 0.95, 0.1}}}}, {"radius", 0.0688}})
                   .contains("error"));
  for (int k = 1; k < 5; ++k)
    page.say("grab",
             {{"name", "pin " + std::to_string(k)}, {"at", {{"rest", {0.2 * k - 0.5, 1, 0.3}}}}, {"radius", 0.26}});
  page.say("grab", {{"name", "hand"}, {"at", {{"rest", {0, 1, 0.3}}}}, {"radius", 100}});
  for (int k = 1; k < 9; ++k) page.say("drag", {{"name", "hand"}, {"target", {0.12 * k, 1, 0.3}}});
  for (int k = 0; k < frames; ++k) page.frame();
  const double before = program.processor_time();
  double used = 0;
  const int status = program.end(SIGINT, &used);
  EXPECT_TRUE(WIFEXITED(status));
  testing::Test::RecordProperty("used", std::to_string(used - before));
  EXPECT_LT(used - before, 2) << (lattice ? "lattice" : "tetrahedra") << " after " << frames << " frames";
}

TEST_F(StudioProgramTest, EndsWithinASecondWhileHandsHold) {
  const fs::path file = copy_of("sumo.glb");
  expect_to_end_within_a_second(file, folder_, true, 3);
  expect_to_end_within_a_second(file, folder_, false, 0);
}

TEST_F(StudioProgramTest, EndsWithinASecondWhenAskedEarlierOrLater) {
  const fs::path file = copy_of("sumo.glb");
  expect_to_end_within_a_second(file, folder_, true, 0);
  expect_to_end_within_a_second(file, folder_, false, 3);
}

// A drag is in one of the next frames, however many came before it: what pages say does not queue up behind steps.
// Counted in frames, which no load of the machine changes; how long it takes in milliseconds: tests/browser/speeds.mjs.
TEST_F(StudioProgramTest, ADragIsInOneOfTheNextFrames) {
  StudioProgram program(copy_of("tube.glb"), folder_);
  PageClient page(program.port, program.token);
  const Json state = state_of(page);
  for (int k = 0; k < 50; ++k) EXPECT_TRUE(page.ask("nothing").contains("error"));
  page.ask("grab", {{"name", "hand"}, {"at", {300, 0.3, 0.3}}});
  page.frame();
  const std::size_t vertices = page.frame().positions.size();
  const double height = state["character"]["height"];
  int most = 0;
  for (int k = 0; k < 60; ++k) {
    const double angle = 0.1 * k;
    const Json target = {0.05 * height * std::sin(angle), 0.5 * height + 0.05 * height * std::cos(angle), 0.1 * height};
    const auto id = static_cast<std::uint32_t>(page.say("drag", {{"name", "hand"}, {"target", target}}));
    int frames = 0;
    for (ReadFrame seen; frames == 0 || seen.applied < id; ++frames) {
      seen = page.frame();
      EXPECT_EQ(seen.positions.size(), vertices);
      ASSERT_LT(frames, 10) << "drag " << k;
    }
    most = std::max(most, frames);
  }
  // One was made before the drag was heard, one was being made.
  EXPECT_LE(most, 3);
}

}  // namespace
