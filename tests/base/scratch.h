// Paths of temporary files that no other test has, run side by side or from another checkout.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace sinew::test {

// Removes what tests left there when the program ends.
struct ScratchPaths {
  std::vector<std::filesystem::path> paths;
  ScratchPaths() = default;
  ScratchPaths(const ScratchPaths&) = delete;
  ScratchPaths& operator=(const ScratchPaths&) = delete;
  ~ScratchPaths() {
    std::error_code nobody_minds;
    for (const std::filesystem::path& path : paths) std::filesystem::remove_all(path, nobody_minds);
  }
};

// Of a file or folder of the running test; nothing is there yet.
inline std::filesystem::path scratch_path(const std::string& name) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  std::string unique = std::string("sinew_") + test.test_suite_name() + "_" + test.name() + "_" +
                       std::to_string(::getpid()) + "_" + name;
  for (char& c : unique)
    if (c == '/') c = '_';  // of tests with parameters
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / unique;
  std::filesystem::remove_all(path);
  static ScratchPaths used;
  used.paths.push_back(path);
  return path;
}

}  // namespace sinew::test
