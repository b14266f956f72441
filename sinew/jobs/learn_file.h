// Learns how the inside of a character's body follows its boundary, file to file, once for all animations of the
// character (`sinew learn`, docs/volumetric_skinning.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/rig_space/rig_space_settings.h"

namespace sinew {

struct LearnJob {
  std::filesystem::path input;   // .glb, .gltf or .vrm
  std::filesystem::path output;  // .vskin
  RigSpaceSettings settings;
  std::optional<double> height;  // of the character, metres
  std::optional<double> unit;    // metres per file unit
};

struct LearnReport {
  std::vector<std::string> notes;
  std::size_t parameters = 0, boundary = 0, interior = 0, tetrahedra = 0;
  int poses = 0, skipped = 0;
  double correspondences = 0;  // mean per interior vertex
  double residual = 0;         // root mean square over interior vertices and examples, as a share of the height
  double examples_seconds = 0;
  double seconds_per_vertex = 0;  // of learning only, without making the examples
  bool complete = true;           // false if stopped by `progress`; nothing was written
};

// Throws the same errors as animate_file().
LearnReport learn_file(const LearnJob& job, const Progress& progress = {});

}  // namespace sinew
