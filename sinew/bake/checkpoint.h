// The state of a bake on disk, so that an interrupted run goes on and ends with identical frames.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/bake/run_report.h"
#include "sinew/base/byte_archive.h"
#include "sinew/deform/flesh/body_motion.h"

namespace sinew {

struct Checkpoint {
  std::uint64_t fingerprint = 0;  // of the body, the settings and the range: a resumed run must have the same
  std::int64_t steps_done = 0;
  std::int64_t frames_done = 0;
  Snapshot now;                // of the deformer
  std::vector<double> hands;   // of what holds the flesh in a take, metres, world
  std::vector<double> curves;  // the frames done so far, of methods that answer with controls
  std::vector<FrameReport> frames;
  std::vector<std::vector<float>> displacement;  // per recorded part, the frames done so far
};

// Throws usage_error where it could not be read again: standard output, a FIFO, a device.
void check_checkpoint_name(const std::filesystem::path& path);

// Written to a temporary name and renamed. Little endian, versioned.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

// Throws input_error where the file is damaged or belongs to another run.
Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t expected_fingerprint);

}  // namespace sinew
