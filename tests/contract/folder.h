// Scratch folders and real characters for the tests of the contract.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

namespace sinew::test {

// An empty folder for one test's files.
inline std::filesystem::path scratch_folder(const std::string& name) {
  // Tests run beside each other: each has folders of its own.
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  std::string own = std::string(test.test_suite_name()) + "." + test.name() + "." + name;
  for (char& c : own)
    if (c == '/') c = '_';  // of tests with parameters
  const std::filesystem::path folder = std::filesystem::path(SINEW_BINARY_DIR) / "test_contract" / own;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

// The folder of real characters; empty, with one line, where it is not there.
inline std::filesystem::path characters_folder() {
  const char* named = std::getenv("SINEW_CHARACTERS");
  const std::filesystem::path folder = named != nullptr
                                           ? std::filesystem::path(named)
                                           : std::filesystem::path(SINEW_SOURCE_DIR) / "../shared/characters";
  if (std::filesystem::is_directory(folder)) return folder;
  std::cout << "Not tested: there are no characters in " << folder << " (set SINEW_CHARACTERS).\n";
  return {};
}

// All glTF files below a folder, in order.
inline std::vector<std::filesystem::path> gltf_files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".glb" || ending == ".gltf" || ending == ".vrm") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace sinew::test
