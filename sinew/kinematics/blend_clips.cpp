#include "sinew/kinematics/blend_clips.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/kinematics/beat_clock.h"
#include "sinew/kinematics/key_recorder.h"
#include "sinew/kinematics/standing.h"
#include "sinew/linalg/rotation.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// A way that is shorter than this share of the root's height is swaying in place.
constexpr double swaying = 0.05;

double weight_at(const std::vector<WeightKey>& keys, double time) {
  if (time <= keys.front().time) return keys.front().weight;
  for (std::size_t k = 1; k < keys.size(); ++k)
    if (time <= keys[k].time) {
      const WeightKey &a = keys[k - 1], &b = keys[k];
      return std::lerp(a.weight, b.weight, (time - a.time) / (b.time - a.time));
    }
  return keys.back().weight;
}

// A clip, sampled again and again.
class SampledClip {
 public:
  SampledClip(const Skeleton& skeleton, int root, const ClipToBlend& clip)
      : skeleton_(skeleton), root_(root), standing_of_(skeleton, root), clip_(clip) {
    if (root < 0) return;
    const Standing begin = standing_at(clip.clip->start);
    const double height = std::abs(pose_.world[index(root)].translation.y);
    cycle_ = between(begin, standing_at(clip.clip->end));
    // A body that comes back to its place and heading does not drift.
    travels_ = norm(cycle_.place) > swaying * height;
    if (!travels_) cycle_ = {};
    begin_ = cycle_begin_ = begin;
  }

  void go_to(const CycleTime& time) {
    sample(skeleton_, clip_.clip, time.seconds, space_, pose_);
    if (root_ < 0) return;
    for (; cycles_ < time.cycle; ++cycles_) cycle_begin_ = after(cycle_begin_, cycle_);
    const Standing now = standing_of_(pose_);
    standing_ = clip_.loops ? after(cycle_begin_, between(begin_, now)) : now;
    // Turns by more than half a circle go on from the frame before.
    standing_.heading = nearest_heading(standing_.heading, last_heading_);
    last_heading_ = standing_.heading;
  }

  bool travels() const { return travels_; }
  const Standing& standing() const { return standing_; }
  const Pose& pose() const { return pose_; }
  Transform local(std::size_t joint) const { return sampled_local(skeleton_, space_, joint); }
  // The root's rotation in the world without the heading, and its height.
  Quat tilt() const { return axis_angle({0, 1, 0}, -standing_of_.heading(pose_)) * standing_of_.rotation(pose_); }
  double height() const { return pose_.world[index(root_)].translation.y; }

 private:
  Standing standing_at(double seconds) {
    sample(skeleton_, clip_.clip, seconds, space_, pose_);
    return standing_of_(pose_);
  }

  const Skeleton& skeleton_;
  int root_;
  RootStanding standing_of_;
  const ClipToBlend& clip_;
  SamplingSpace space_;
  Pose pose_;
  Standing begin_, cycle_, standing_;
  Standing cycle_begin_;  // of the cycle that runs
  int cycles_ = 0;        // before it
  double last_heading_ = 0;
  bool travels_ = false;
};

// The change of `b` since `begin`, added to `a`.
Transform added(const Transform& a, const Transform& b, const Transform& begin, double weight) {
  return {a.translation + (b.translation - begin.translation) * weight,
          normalized(a.rotation * slerp(Quat{}, conjugate(begin.rotation) * b.rotation, weight)),
          a.scale + (b.scale - begin.scale) * weight};
}

// Joints that either clip moves, and the root.
MovedJoints joints_of_both(const std::array<ClipToBlend, 2>& clips, int root) {
  MovedJoints moved = moved_joints(std::array{clips[0].clip, clips[1].clip});
  if (root >= 0 && !std::binary_search(moved.joints.begin(), moved.joints.end(), root))
    moved.joints.insert(std::lower_bound(moved.joints.begin(), moved.joints.end(), root), root);
  return moved;
}

class Blender {
 public:
  Blender(const Skeleton& skeleton, int root, const std::array<ClipToBlend, 2>& clips, const ClipBlend& blend)
      : skeleton_(skeleton),
        root_(root),
        blend_(blend),
        recorder_(skeleton, joints_of_both(clips, root)),
        local_(skeleton.joints.size()),
        weights_(skeleton.joints.size()),
        clock_(clips),
        first_(skeleton, root_, clips[0]),
        second_(skeleton, root_, clips[1]) {
    if (blend.additive) {
      second_.go_to({0, clips[1].clip->start});
      for (std::size_t j = 0; j < skeleton.joints.size(); ++j) begin_.push_back(second_.local(j));
      begin_weights_ = second_.pose().morph_weights;
    }
  }

  Clip run(const std::string& name) {
    const int frames = std::max(1, static_cast<int>(std::lround(blend_.seconds * blend_.frames_per_second)));
    for (int frame = 0; frame <= frames; ++frame) {
      const double time = blend_.seconds * frame / frames;
      weight_ = weight_at(blend_.weight, time);
      first_.go_to(clock_.time(0));
      second_.go_to(clock_.time(1));
      if (root_ >= 0) go_on(frame == 0);
      add_frame(time);
      if (frame < frames) advance(time, blend_.seconds / frames);
    }
    return recorder_.take(name);
  }

 private:
  double weight_of(int joint) const { return blend_.mask.empty() ? weight_ : weight_ * blend_.mask[index(joint)]; }

  // Eight steps to a frame follow a weight that changes.
  void advance(double time, double step) {
    for (int k = 0; k < 8; ++k) clock_.advance(step / 8, weight_at(blend_.weight, time + step * (k + 0.5) / 8));
  }

  // The body goes on by the blend of the steps that it takes in each clip; bodies that stay in place are blended in
  // place.
  void go_on(bool begin) {
    const double weight = blend_.additive ? 0 : weight_of(root_);
    if (begin || !(first_.travels() || second_.travels()))
      standing_ = mixed(first_.standing(), second_.standing(), weight);
    else
      standing_ = after(standing_, mixed(between(before_[0], first_.standing()),
                                         between(before_[1], second_.standing()), (weight + weight_before_) / 2));
    before_ = {first_.standing(), second_.standing()};
    weight_before_ = weight;
  }

  Transform local_of(int joint) const {
    const std::size_t j = index(joint);
    if (blend_.additive) return added(first_.local(j), second_.local(j), begin_[j], weight_of(joint));
    return mixed(first_.local(j), second_.local(j), weight_of(joint));
  }

  // The root's own transform under parents as they are blended.
  Transform root_local() const {
    Affine parent;
    for (int j = skeleton_.joints[index(root_)].parent; j >= 0; j = skeleton_.joints[index(j)].parent)
      parent = to_affine(local_of(j)) * parent;
    const double weight = blend_.additive ? 0 : weight_of(root_);
    Vec3 place = standing_.place;
    place.y = std::lerp(first_.height(), second_.height(), weight);
    const Quat world = axis_angle({0, 1, 0}, standing_.heading) * slerp(first_.tilt(), second_.tilt(), weight);
    const std::size_t j = index(root_);
    Transform local = blend_.additive ? first_.local(j) : local_of(root_);
    local.translation = inverse(parent) * place;
    local.rotation = normalized(conjugate(to_transform(parent).rotation) * world);
    return blend_.additive ? added(local, second_.local(j), begin_[j], weight_of(root_)) : local;
  }

  void add_frame(double time) {
    for (const int joint : recorder_.moved().joints)
      local_[index(joint)] = joint == root_ ? root_local() : local_of(joint);
    for (const int joint : recorder_.moved().weights) {
      const std::vector<double>&a = first_.pose().morph_weights[index(joint)],
            &b = second_.pose().morph_weights[index(joint)];
      std::vector<double>& weights = weights_[index(joint)];
      weights.resize(a.size());
      for (std::size_t k = 0; k < a.size(); ++k)
        weights[k] = blend_.additive ? a[k] + weight_of(joint) * (b[k] - begin_weights_[index(joint)][k])
                                     : std::lerp(a[k], b[k], weight_of(joint));
    }
    recorder_.add_frame(time, local_, weights_);
  }

  const Skeleton& skeleton_;
  int root_;
  const ClipBlend& blend_;
  KeyRecorder recorder_;
  std::vector<Transform> local_;              // per joint, of the frame
  std::vector<std::vector<double>> weights_;  // likewise
  BeatClock clock_;
  SampledClip first_, second_;
  std::vector<Transform> begin_;  // of the second clip, where it is added
  std::vector<std::vector<double>> begin_weights_;
  Standing standing_;
  std::array<Standing, 2> before_;
  double weight_ = 0, weight_before_ = 0;
};

}  // namespace

Clip blend_clips(const Skeleton& skeleton, int root, const std::array<ClipToBlend, 2>& clips, const ClipBlend& blend,
                 const std::string& name) {
  return Blender(skeleton, root, clips, blend).run(name);
}

}  // namespace sinew
