// What is baked of a clip, and what comes out: the same for every method.
#pragma once

#include <filesystem>
#include <optional>

#include "sinew/bake/output/rig_curves.h"
#include "sinew/bake/recording.h"
#include "sinew/bake/run_report.h"
#include "sinew/session/action.h"

namespace sinew {

// Whether flesh runs on until it repeats itself (docs/baking.md, Loops). `automatic`: where the rig's motion over all
// of the clip shows that it is a cycle; and flesh comes to rest with clips that end at rest in the pose that they began
// in.
enum class Loop { automatic, on, off };

struct BakeOptions {
  int clip = -1;                     // index into Character::clips; -1: the rest pose, one second of it
  std::optional<double> begin, end;  // seconds on the clip's time line; empty: its first and last key
  double frames_per_second = 30;
  Loop loop = Loop::automatic;       // of parts of clips, and with a take: off unless it is on
  std::filesystem::path checkpoint;  // empty: none. Written now and then, and when stopped
  double checkpoint_seconds = 20;    // of wall time between two checkpoints
  Take take{};                       // done to the character meanwhile
  bool resume = false;               // continue from `checkpoint` where it exists
  bool accessories = false;          // whether what hangs on the character goes along with its flesh
};

struct BakeResult {
  Recording recording;
  std::optional<RigCurves> curves;  // of rig-space physics
  ClipReport report;
  std::vector<std::string> notes;     // what could not be done as asked, for people
  std::vector<std::string> failures;  // what was asked for and did not come about: said even where notes are not
  bool complete = true;               // false: stopped by `progress`
  bool resumable = false;             // stopped, and the checkpoint holds the state
};

}  // namespace sinew
