// Options and result of a bake, for every method.
#pragma once

#include <filesystem>
#include <optional>

#include "sinew/bake/output/rig_curves.h"
#include "sinew/bake/recording.h"
#include "sinew/bake/run_report.h"
#include "sinew/deform/element_rotations.h"
#include "sinew/session/action.h"

namespace sinew {

// Whether the flesh's motion is made to repeat (docs/baking.md, Loops). `automatic` decides by the rig's motion over
// the whole clip: cycles are looped, and in clips that return to rest in their first pose the flesh comes to rest as
// well.
enum class Loop { automatic, on, off };

struct BakeOptions {
  int clip = -1;  // index into Character::clips; -1: the rest pose, one second of it unless `end` says more
  std::optional<double> begin, end;  // seconds, clip time; empty: the first and the last key
  double frames_per_second = 30;
  Loop loop = Loop::automatic;       // for parts of clips and with a take, `automatic` means `off`
  std::filesystem::path checkpoint;  // file, written periodically and when stopped; empty: none
  double checkpoint_seconds = 20;    // wall time between two checkpoints
  Take take{};                       // recorded interaction to apply
  bool resume = false;               // continue from `checkpoint` where it exists
  bool accessories = false;          // record the motion of accessories on the flesh
  bool rotations = false;            // record the rotations of the body's elements, where they are the method's input
};

struct BakeResult {
  Recording recording;
  std::optional<RigCurves> curves;  // curves of methods that compute controls
  ElementRotations rotations{};     // if they were asked for
  ClipReport report;
  std::vector<std::string> notes;     // requests carried out only in part, as sentences for the user
  std::vector<std::string> failures;  // requests that were not met; reported even where notes are not
  bool complete = true;               // false if `progress` asked for a stop
  bool resumable = false;             // stopped, with the state in the checkpoint
};

}  // namespace sinew
