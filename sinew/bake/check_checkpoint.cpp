#include "sinew/bake/check_checkpoint.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

bool is_within(double number, double largest) { return std::abs(number) <= largest; }  // false for NaN

// The number of steps follows from the number of frames: a run steps until the next frame is due, and no farther.
bool steps_are_those_of_the_frame(const FrameLoop& loop) {
  if (loop.step <= 0) return loop.steps == 0;
  const double due = at_last_frame(loop).due(), slack = 1e-6 * loop.step;
  if (loop.elapsed() < due - slack) return false;
  return loop.steps == 0 || loop.elapsed(loop.steps - 1) < due + slack;
}

void check_counts(const Checkpoint& state, const FrameLoop& loop, const std::string& file) {
  if (state.frames_done < 1 || state.frames_done > loop.time.frames)
    throw forged_checkpoint(file, "its number of frames");
  // Checked before it is multiplied; runs of a day have fewer.
  constexpr std::int64_t most_steps = std::int64_t{1} << 48;
  if (state.steps_done < 0 || state.steps_done > most_steps) throw forged_checkpoint(file, "its number of steps");
  FrameLoop there = loop;
  there.steps = state.steps_done;
  there.frame = state.frames_done;
  if (!steps_are_those_of_the_frame(there)) throw forged_checkpoint(file, "its number of steps");
}

void check_frames(const Checkpoint& state, const FrameLoop& loop, const std::string& file) {
  FrameLoop at = loop;
  for (const FrameReport& frame : state.frames) {
    at.frame = &frame - state.frames.data();
    if (frame.time != at.frame_time()) throw forged_checkpoint(file, "the time of frame " + std::to_string(at.frame));
    const auto is_share = [](double value) { return value >= 0 && value <= 1; };
    if (!(frame.milliseconds >= 0 && is_share(frame.strain_limit) && is_share(frame.display_limit) &&
          std::isfinite(frame.milliseconds + frame.energy + frame.volume_ratio + frame.min_det)) ||
        frame.iterations < 0 || frame.unfinished < 0)
      throw forged_checkpoint(file, "what it says about frame " + std::to_string(at.frame));
  }
}

}  // namespace

Error forged_checkpoint(const std::string& file, const std::string& what) {
  return input_error(file + ": the checkpoint cannot be a state of this run (" + what +
                     " is impossible); start again without --resume.");
}

void check_progress(const Checkpoint& state, const FrameLoop& loop, const Recording& recording,
                    const std::string& file) {
  check_counts(state, loop, file);
  bool fits = state.frames.size() == static_cast<std::size_t>(state.frames_done) &&
              state.displacement.size() == recording.parts.size();
  for (std::size_t p = 0; fits && p < state.displacement.size(); ++p)
    fits =
        state.displacement[p].size() == 3 * state.frames.size() * static_cast<std::size_t>(recording.parts[p].vertices);
  if (!fits) throw input_error(file + ": the checkpoint records other parts; start again without --resume.");
  check_frames(state, loop, file);
}

void check_recording_within(const Recording& recording, double most, const std::string& file) {
  for (const PartRecording& part : recording.parts) {
    const std::size_t width = 3 * static_cast<std::size_t>(part.vertices);
    for (std::size_t k = 0; k < part.displacement.size(); ++k)
      if (!is_within(static_cast<double>(part.displacement[k]), most))
        throw forged_checkpoint(file, "where vertex " + std::to_string(k % width / 3) + " of part " +
                                          std::to_string(part.part) + " is in frame " + std::to_string(k / width));
  }
}

Recording empty_copy(const Recording& recording) {
  Recording copy;
  for (const PartRecording& part : recording.parts) copy.parts.push_back({part.part, part.vertices, {}});
  return copy;
}

void check_last_frame(const Recording& recording, const Recording& again, const std::string& file) {
  for (std::size_t p = 0; p < again.parts.size(); ++p) {
    const std::vector<float>&all = recording.parts[p].displacement, &last = again.parts[p].displacement;
    if (!std::equal(last.rbegin(), last.rend(), all.rbegin())) throw forged_checkpoint(file, "where its flesh is");
  }
}

}  // namespace sinew
