// Thins out the keys of a file's clips, from file to file (docs/motion.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/jobs/open_character.h"

namespace sinew {

struct ReduceMotionJob {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm
  SizeRequest size;
  std::vector<std::string> clips;  // names or numbers; empty: all
  double within = 0.001;           // farthest that a joint may be from where it was, as a share of the height
};

struct ReducedClip {
  std::string clip;
  std::size_t before = 0, after = 0;  // keys of its channels
  double farthest = 0;                // of a joint from where it was, as a share of the height
};

// Throws usage_error and input_error, sentences that name the clip or the file.
std::vector<ReducedClip> reduce_motion(const ReduceMotionJob& job);

}  // namespace sinew
