// Files that tests of whole jobs read and write.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "tests/base/scratch.h"

namespace sinew::test {

// A file of samples/, by its name with the ending.
inline std::filesystem::path sample_file(const std::string& name) {
  return std::filesystem::path(SINEW_SOURCE_DIR) / "samples" / name;
}

// A folder of its own for each test, empty when the test first asks for it.
inline std::filesystem::path scratch_files() {
  static const testing::TestInfo* of_test = nullptr;
  static std::filesystem::path folder;
  const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
  if (std::exchange(of_test, test) != test) {
    folder = scratch_path("files");
    std::filesystem::create_directories(folder);
  }
  return folder;
}

inline std::string bytes_of(const std::filesystem::path& path) {
  std::stringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

}  // namespace sinew::test
