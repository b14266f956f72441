// Runs a built program as a user does, and looks at what it says and leaves behind.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace sinew::test {

inline std::string contents(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

inline std::string sample_file(const std::string& name) { return std::string(SINEW_SOURCE_DIR) + "/samples/" + name; }

// Long options, "--output", that a text has in it.
inline std::set<std::string> options_named_in(const std::string& text) {
  std::set<std::string> options;
  for (std::size_t at = text.find("--"); at != std::string::npos; at = text.find("--", at + 2)) {
    std::size_t end = at + 2;
    while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '-')) ++end;
    if (end > at + 2 && std::isalpha(static_cast<unsigned char>(text[at + 2])))
      options.insert(text.substr(at, end - at));
  }
  return options;
}

// A folder of its own for each test, empty at its start.
class RunsAProgram : public testing::Test {
 protected:
  // `program`: its file.
  explicit RunsAProgram(std::filesystem::path program) : program_(std::move(program)) {}

  struct Outcome {
    int exit_code = -1;    // -1 where the program died of a signal
    std::string out, err;  // what went to the two streams
  };

  void SetUp() override {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(SINEW_BINARY_DIR) / "test_cli" /
              (std::string(test.test_suite_name()) + "." + test.name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ / "work");
  }

  // A path in the folder where the test puts inputs and the program outputs.
  std::string file(const std::string& name) const { return (folder_ / "work" / name).string(); }

  // Names of all files there, sorted.
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "work"))
      names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

  // Runs the program with these arguments. Once its standard error holds `signal_after`, it gets `signal`.
  Outcome run_program(const std::vector<std::string>& arguments, const std::string& signal_after = "",
                      int signal = SIGINT) const {
    const std::string out = (folder_ / "out.txt").string(), err = (folder_ / "err.txt").string();
    std::vector<char*> argv{const_cast<char*>(program_.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    write_text(err, "");
    const pid_t child = fork();
    if (child == 0) {
      const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
      const int err_file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
      if (out_file < 0 || err_file < 0 || dup2(out_file, STDOUT_FILENO) < 0 || dup2(err_file, STDERR_FILENO) < 0)
        _exit(126);
      execv(program_.c_str(), argv.data());
      _exit(127);
    }
    int status = 0;
    if (!signal_after.empty()) {
      while (waitpid(child, &status, WNOHANG) == 0) {
        if (contents(err).find(signal_after) != std::string::npos) {
          kill(child, signal);
          waitpid(child, &status, 0);
          break;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      }
    } else {
      waitpid(child, &status, 0);
    }
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, contents(out), contents(err)};
  }

  // The run fails with this code and one sentence that has `words` in it, and leaves no file behind.
  void expect_failure(const std::vector<std::string>& arguments, int exit_code, const std::string& words) const {
    const std::vector<std::string> before = files();
    const Outcome outcome = run_program(arguments);
    EXPECT_EQ(outcome.exit_code, exit_code) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(files(), before);
    std::vector<std::string> sentences;
    for (const std::string& line : lines(outcome.err))
      if (line.find(" %  ") != 3) sentences.push_back(line);  // lines of progress are no sentences
    ASSERT_EQ(sentences.size(), 1u) << outcome.err;
    EXPECT_TRUE(sentences[0].starts_with(program_.filename().string() + ": ")) << sentences[0];
    EXPECT_EQ(sentences[0].back(), '.') << sentences[0];
    EXPECT_NE(sentences[0].find(words), std::string::npos) << sentences[0];
  }

  static std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> result;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      result.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    return result;
  }

 private:
  std::filesystem::path program_, folder_;
};

}  // namespace sinew::test
