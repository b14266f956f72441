// The bad files of the characters' folder, through the main job.
#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <string>

#include "folder.h"
#include "sinew/base/error.h"
#include "sinew/jobs/animate_file.h"

namespace sinew::test {

// Each is animated as `job` says or refused in one sentence that names it; `folder` must be empty, and is left so.
inline void expect_results_or_sentences(const std::filesystem::path& bad_files, const std::filesystem::path& folder,
                                        AnimateJob job) {
  int refused = 0, worked = 0;
  for (const std::filesystem::path& path : gltf_files_below(bad_files)) {
    SCOPED_TRACE(path.string());
    job.input = path;
    job.output = folder / "out.glb";
    std::string sentence;
    try {
      animate_file(job);
      EXPECT_TRUE(std::filesystem::exists(job.output));
      std::filesystem::remove(job.output);
      ++worked;
      continue;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      sentence = error.what();
    }
    ++refused;
    EXPECT_TRUE(sentence.starts_with(path.string())) << sentence;
    EXPECT_EQ(sentence.back(), '.') << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
    EXPECT_TRUE(std::filesystem::is_empty(folder)) << "something was left behind";
  }
  EXPECT_GT(refused, 100);
  std::cout << refused << " files refused, " << worked << " animated\n";
}

}  // namespace sinew::test
