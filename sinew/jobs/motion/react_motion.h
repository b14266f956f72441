// A character that follows a clip, is pushed and falls, as a new clip of it, from file to file (docs/motion.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/dynamics/gait_search.h"
#include "sinew/jobs/open_character.h"

namespace sinew {

// Something that happens to a joint.
struct JointEvent {
  double time = 0;    // seconds of the new clip
  std::string joint;  // name; a joint without a link of its own stands for the link that it is a part of
  Vec3 vector;        // a push's impulse, N s, or a ball's velocity as it arrives, m/s; world
};

struct ReactMotionJob {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm
  SizeRequest size;
  std::string clip;  // name or number; empty: the first, or the rest pose without any
  std::vector<JointEvent> pushes, throws;
  double ball_mass = 3;  // kilograms
  // Where settings are kept whose colliders are the balls, which are nodes of the output: with them balls dent flesh.
  std::filesystem::path save_balls{};
  std::optional<double> limp;       // time at which the body lets go, seconds
  bool repeat = false;              // begins the clip anew at its end even where it does not come back to its beginning
  double seconds = 0;               // length of the result; 0: 4 s after the last event, and the clip's own length
  double frames_per_second = 60;    // keys of the result
  double strength = 1;              // of the joints
  std::optional<double> support{};  // largest force that helps the balance from outside, share of the weight; 0.3
  // The body walks without a clip, from the first pose of `clip` where that is named, at this speed in m/s. Its gait is
  // searched for.
  std::optional<double> walk{};
  std::optional<int> tries{};       // gaits that are tried at most, 300 by default; 0: the first gait as it is
  std::filesystem::path gait;       // a gait that was found before; the search begins with it
  std::filesystem::path save_gait;  // where the gait is kept
  std::string name;                 // of the new clip; empty: "Walk, pushed" or "own walk"
};

struct ReactMotionReport {
  std::string clip;
  double seconds = 0;
  std::size_t links = 0;
  double mass = 0;                      // kilograms
  double most_lean = 0;                 // degrees
  std::optional<double> fell;           // time, seconds
  double mean_help = 0, most_help = 0;  // force from outside, share of the weight
  int steps = 0;                        // taken to catch itself, besides those of the clip
  std::optional<double> slide;          // of standing feet, share of the leg, as of carried motion
  std::optional<GaitQuality> gait;      // of the gait that was found, if it stays up
  double times_real_time = 0;           // simulated seconds per second of work
  std::vector<std::string> notes;       // sentences
};

// Lets an open character react as react_motion() does, without files for balls and gaits; the job's input and size are
// not used. Returns the new clip. Throws as react_motion() does.
Clip reaction_of(const OpenedCharacter& opened, const ReactMotionJob& job, ReactMotionReport& report,
                 const Progress& progress = {});

// Throws usage_error and input_error, sentences that name the clip, the joint or the file, and simulation_error where
// the engine fails.
ReactMotionReport react_motion(const ReactMotionJob& job, const Progress& progress = {});

}  // namespace sinew
