// `sinew studio` as a user starts it, kills it, and starts it again; and how long a drag takes to be seen.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <thread>

#include "sinew/base/file.h"
#include "tests/jobs/files.h"
#include "tests/studio/page_client.h"

extern char** environ;

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

  // Its exit status.
  int end(int signal) {
    if (process_ <= 0) return 0;
    ::kill(process_, signal);
    int status = 0;
    ::waitpid(process_, &status, 0);
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
    StudioProgram beside(other, folder_);  // has its own
    EXPECT_NE(beside.token, token);
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

double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

std::string median_and_95(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  char text[64];
  std::snprintf(text, sizeof(text), "median %.2f ms, 95th percentile %.2f ms", times[times.size() / 2],
                times[times.size() * 95 / 100]);
  return text;
}

// Figures of the machine as it is: printed, and bounded so far that only a queue that grows is more.
TEST_F(StudioProgramTest, ADragIsSeenSoon) {
  StudioProgram program(copy_of("sumo.glb"), folder_);
  PageClient page(program.port, program.token);
  const Json state = state_of(page);
  for (Json changed = page.event("changed"); !changed.contains("method");)
    changed = page.event("changed");  // in its lattice
  const auto pause_for = [](int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); };

  std::vector<double> echo, drag;
  for (int k = 0; k < 200; ++k) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_TRUE(page.ask("nothing").contains("error"));
    echo.push_back(milliseconds_since(begin));
  }
  page.ask("grab", {{"name", "hand"}, {"at", {{"rest", {0.0, 0.95, 0.4}}}}});
  page.frame();
  const ReadFrame before = page.frame();
  const double height = state["character"]["height"];
  for (int k = 0; k < 300; ++k) {
    const double angle = 0.1 * k;
    const Json target = {0.05 * height * std::sin(angle), 0.95 + 0.05 * height * std::cos(angle), 0.45};
    const auto begin = std::chrono::steady_clock::now();
    const int id = page.say("drag", {{"name", "hand"}, {"target", target}});
    const ReadFrame seen = page.frame_after(id);
    drag.push_back(milliseconds_since(begin));
    EXPECT_EQ(seen.positions.size(), before.positions.size());
    pause_for(k % 11);
  }
  std::printf("echo: %s; a drag until its frame is here: %s\n", median_and_95(echo).c_str(),
              median_and_95(drag).c_str());
  std::sort(drag.begin(), drag.end());
  EXPECT_LT(drag[drag.size() / 2], 250);
}

}  // namespace
