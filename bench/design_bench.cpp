// Motion by design on the wrestler, one thread: a line of action with feet that stay, and edits of a joint's path.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/jobs/motion/edit_path.h"
#include "sinew/kinematics/line_of_action.h"

namespace {

using namespace sinew;

const OpenedCharacter& wrestler() {
  static const OpenedCharacter opened = open_rigged_character(SINEW_SOURCE_DIR "/samples/sumo.glb");
  return opened;
}

int joint_named(const std::string& name) {
  const std::vector<Joint>& joints = wrestler().character.skeleton.joints;
  const auto found = std::find_if(joints.begin(), joints.end(), [&](const Joint& joint) { return joint.name == name; });
  return static_cast<int>(found - joints.begin());
}

// From the hips up, and over to one side.
void line_with_feet(benchmark::State& state) {
  set_thread_count(1);
  const Character& character = wrestler().character;
  std::vector<char> bone(character.skeleton.joints.size());
  for (const Bone& each : simulation_surface(character).bones) bone[index(each.joint)] = !each.helper;
  const Pose pose = sample(character.skeleton, nullptr, 0);
  const auto place = [&](const char* joint) { return pose.world[index(joint_named(joint))].translation; };
  const Vec3 hips = place("hips"), head = place("head");
  const double length = distance(hips, head);
  DrawnLine line;
  for (int k = 0; k <= 60; ++k) {
    const double angle = 1.2 * k / 60;
    line.points.push_back(hips + Vec3{1 - std::cos(angle), std::sin(angle), 0} * (length / 1.2));
  }
  LineOptions options;
  for (const char* foot : {"foot_l", "foot_r"}) options.pinned.push_back({joint_named(foot), place(foot)});
  for (auto _ : state) benchmark::DoNotOptimize(line_of_action(character.skeleton, bone, pose, line, options));
}

void edit_of(benchmark::State& state, const char* joint, const Vec3& by) {
  set_thread_count(1);
  const PathEditor editor(wrestler(), "run_jump");
  PathEdit edit;
  edit.joint = joint_named(joint);
  edit.time = 1;
  edit.by = by;
  for (auto _ : state) benchmark::DoNotOptimize(editor.edit(edit));
}
void path_of_hand(benchmark::State& state) { edit_of(state, "hand_l", {0, 0.15, 0.1}); }
void path_of_hand_out_of_reach(benchmark::State& state) { edit_of(state, "hand_l", {0.3, 0.6, 0.6}); }
void path_of_hips(benchmark::State& state) { edit_of(state, "hips", {0.1, -0.1, 0}); }

BENCHMARK(line_with_feet)->Unit(benchmark::kMillisecond);
BENCHMARK(path_of_hand)->Unit(benchmark::kMillisecond);
BENCHMARK(path_of_hand_out_of_reach)->Unit(benchmark::kMillisecond);
BENCHMARK(path_of_hips)->Unit(benchmark::kMillisecond);

}  // namespace
