// The state of a bake on disk, from which an interrupted run continues with identical frames.
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
  std::uint64_t fingerprint = 0;  // hash of body, settings and range; must match to resume
  std::int64_t steps_done = 0;
  std::int64_t frames_done = 0;
  Snapshot now;                  // the deformer's state
  std::vector<double> hands;     // positions of the take's grabs, metres, world
  std::vector<double> curves;    // curves of the frames done so far, for methods that compute controls
  std::vector<double> posed;     // motion of posed joints in those frames (numbers_of(), posed_motion.h)
  std::vector<double> floating;  // FloatingFrame::numbers_of(), of free bodies
  std::vector<double> balls;     // FallingBalls::numbers()
  std::vector<FrameReport> frames;
  std::vector<std::vector<float>> displacement;  // per recorded part, the frames done so far
};

// Throws usage_error if the file could not be read back: standard output, a FIFO, a device.
void check_checkpoint_name(const std::filesystem::path& path);

// Writes under a temporary name and renames. Little endian, versioned.
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

// Throws input_error if the file is damaged or belongs to another run.
Checkpoint read_checkpoint(const std::filesystem::path& path, std::uint64_t expected_fingerprint);

}  // namespace sinew
