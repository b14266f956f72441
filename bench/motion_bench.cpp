// Motion carried from skeleton to skeleton, one thread: 1,000 frames of 60 joints.
#include <benchmark/benchmark.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "sinew/base/threads/parallel.h"
#include "sinew/kinematics/find_body_bones.h"
#include "sinew/kinematics/foot_locks.h"
#include "sinew/kinematics/transfer_motion.h"

namespace {

using namespace sinew;

// A body of 60 joints with a spine of four, a neck, and hands of five fingers.
struct BenchBody {
  Skeleton skeleton;

  int add(const std::string& name, int parent, const Vec3& offset) {
    Joint joint;
    joint.name = name;
    joint.parent = parent;
    joint.rest.translation = offset;
    skeleton.joints.push_back(joint);
    skeleton.parents_first.push_back(static_cast<int>(skeleton.joints.size()) - 1);
    return skeleton.parents_first.back();
  }

  explicit BenchBody(double scale) {
    const int hips = add("hips", -1, Vec3{0, 1, 0} * scale);
    int spine = hips;
    for (int k = 0; k < 4; ++k) spine = add("spine" + std::to_string(k + 1), spine, Vec3{0, 0.12, 0} * scale);
    add("head", add("neck", spine, Vec3{0, 0.1, 0} * scale), Vec3{0, 0.1, 0} * scale);
    for (const std::string side : {"L", "R"}) {
      const double sign = side == "L" ? 1 : -1;
      const auto across = [&](double x, double y, double z) { return Vec3{sign * x, y, z} * scale; };
      int at = add("shoulder." + side, spine, across(0.05, 0.05, 0));
      at = add("upperarm." + side, at, across(0.13, 0, 0));
      at = add("forearm." + side, at, across(0.28, 0, -0.01));
      const int hand = add("hand." + side, at, across(0.26, 0, 0.01));
      int number = 0;
      for (const std::string finger : {"thumb", "index", "middle", "ring", "pinky"}) {
        at = add(finger + "1." + side, hand, across(0.08, 0, 0.04 - 0.02 * number++));
        at = add(finger + "2." + side, at, across(0.03, 0, 0));
        add(finger + "3." + side, at, across(0.03, 0, 0));
      }
      at = add("thigh." + side, hips, across(0.1, -0.05, 0));
      at = add("shin." + side, at, across(0, -0.43, 0.01));
      at = add("foot." + side, at, across(0, -0.43, -0.03));
      add("toes." + side, at, across(0, -0.07, 0.14));
    }
    while (skeleton.joints.size() < 60) add("prop" + std::to_string(skeleton.joints.size()), hips, {});
  }

  RiggedBody body() const {
    RiggedBody rigged;
    rigged.skeleton = &skeleton;
    rigged.reference = reference_pose(sample(skeleton, nullptr, 0).world);
    rigged.bones = find_body_bones(skeleton, rigged.reference.position, {0, 1, 0});
    return rigged;
  }
};

Clip clip_of(const BenchBody& body, std::size_t frames) {
  Clip clip;
  clip.name = "clip";
  std::vector<double> times;
  for (std::size_t f = 0; f < frames; ++f) times.push_back(static_cast<double>(f) / 60);
  clip.end = times.back();
  for (int joint = 0; joint < static_cast<int>(body.skeleton.joints.size()); ++joint) {
    Channel turn{joint, ChannelPath::rotation, Interpolation::linear, times, 4, {}};
    for (const double t : times) {
      const Quat q = axis_angle({1, 0, 0}, 0.3 * std::sin(2 * t + joint));
      turn.values.insert(turn.values.end(), {q.x, q.y, q.z, q.w});
    }
    clip.channels.push_back(std::move(turn));
  }
  return clip;
}

void transfer(benchmark::State& state) {
  set_thread_count(1);
  const BenchBody from(1), to(0.7);
  const Clip clip = clip_of(from, 1000);
  const RiggedBody source = from.body(), target = to.body();
  const BodyPoser poser(to.skeleton, target.bones, target.reference, driven_bones(source, target));
  for (auto _ : state) benchmark::DoNotOptimize(transfer_motion(source, clip, target, poser));
  state.counters["frames"] = 1000;
}

void hold_feet(benchmark::State& state) {
  set_thread_count(1);
  const BenchBody from(1), to(0.7);
  const Clip clip = clip_of(from, 1000);
  const RiggedBody source = from.body(), target = to.body();
  const BodyPoser poser(to.skeleton, target.bones, target.reference, driven_bones(source, target));
  const AnatomicalFrames frames = anatomical_frames(target.bones, target.reference, target.up);
  const TransferredMotion moved = transfer_motion(source, clip, target, poser);
  std::vector<FootContacts> contacts;
  for (const FootPath& foot : moved.feet)
    contacts.push_back(find_contacts(foot, moved.motion.times, frames.leg_length));
  for (auto _ : state) {
    BoneMotion motion = moved.motion;
    lock_feet(target, frames, poser, contacts, motion);
    benchmark::DoNotOptimize(motion);
  }
}

BENCHMARK(transfer)->Unit(benchmark::kMillisecond);
BENCHMARK(hold_feet)->Unit(benchmark::kMillisecond);

}  // namespace
