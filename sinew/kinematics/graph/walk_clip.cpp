#include "sinew/kinematics/graph/walk_clip.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/kinematics/anatomical_frames.h"
#include "sinew/kinematics/key_recorder.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

// A joint's transform, under a parent that stays, after a motion along the ground; file units.
class MovedUnder {
 public:
  MovedUnder(const Skeleton& skeleton, const Pose& rest, int joint) {
    const int parent = skeleton.joints[index(joint)].parent;
    if (parent >= 0) parent_ = rest.world[index(parent)];
    to_parent_ = inverse(parent_);
    turn_ = orientation_of(parent_);
  }

  Transform operator()(const Standing& motion, const Transform& local) const {
    const Quat turn = axis_angle({0, 1, 0}, motion.heading);
    Transform moved = local;
    moved.translation = to_parent_ * (rotate(turn, parent_ * local.translation) + motion.place);
    moved.rotation = normalized(conjugate(turn_) * turn * turn_ * local.rotation);
    return moved;
  }

 private:
  Affine parent_, to_parent_;
  Quat turn_;
};

// Poses of the graph's clips with the body over the origin, looking as at rest: these are blended.
class WalkRecorder {
 public:
  WalkRecorder(const GraphBody& body, std::span<const FramedClip> clips)
      : skeleton_(*body.skeleton),
        body_(body),
        clips_(clips),
        standing_of_(skeleton_, body.root),
        recorder_(skeleton_, joints_of(body, clips)) {
    const Pose rest = sample(skeleton_, nullptr, 0);
    for (const int joint : body.tops) tops_.emplace_back(skeleton_, rest, joint);
  }

  Clip run(const Walk& walk, double frames_per_second, const std::string& name) {
    for (std::size_t f = 0; f < walk.frames.size(); ++f) {
      const WalkFrame& frame = walk.frames[f];
      place_body(frame.clip, frame.frame, frame.ground, first_);
      if (frame.next >= 0) {
        place_body(frame.next, frame.next_frame, frame.next_ground, second_);
        mix(frame.weight, f == 0 || walk.frames[f - 1].next < 0);
      }
      const Standing in_units{first_.body.heading, first_.body.place / body_.metres_per_unit};
      for (std::size_t k = 0; k < tops_.size(); ++k) {
        Transform& local = first_.local[index(body_.tops[k])];
        local = tops_[k](in_units, local);
      }
      recorder_.add_frame(static_cast<double>(f) / frames_per_second, first_.local, first_.weights);
    }
    return recorder_.take(name);
  }

 private:
  struct BodyPose {
    std::vector<Transform> local;              // per joint, the body over the origin
    std::vector<std::vector<double>> weights;  // per joint
    Standing body;                             // in the world, metres
  };

  static MovedJoints joints_of(const GraphBody& body, std::span<const FramedClip> clips) {
    std::vector<const Clip*> each;
    for (const FramedClip& clip : clips) each.push_back(&clip.clip());
    MovedJoints moved = moved_joints(each);
    moved.joints.insert(moved.joints.end(), body.tops.begin(), body.tops.end());
    std::sort(moved.joints.begin(), moved.joints.end());
    moved.joints.erase(std::unique(moved.joints.begin(), moved.joints.end()), moved.joints.end());
    return moved;
  }

  void place_body(int clip, int frame, const Standing& ground, BodyPose& result) {
    const FramedClip& own = clips_[index(clip)];
    own.sample_frame(frame, space_, pose_);
    result.local.resize(skeleton_.joints.size());
    for (const int joint : recorder_.moved().joints)
      result.local[index(joint)] = sampled_local(skeleton_, space_, index(joint));
    const Standing over_origin = inverse(standing_of_(pose_));
    for (std::size_t k = 0; k < tops_.size(); ++k) {
      Transform& local = result.local[index(body_.tops[k])];
      local = tops_[k](over_origin, local);
    }
    result.weights = pose_.morph_weights;
    result.body = after(ground, own.standing(frame));
  }

  // Joints turn from one pose to the other the same way round as in the frame before; the transition begins the shorter
  // way.
  void mix(double weight, bool begins) {
    turns_.resize(skeleton_.joints.size());
    for (const int joint : recorder_.moved().joints) {
      Transform& local = first_.local[index(joint)];
      const Transform& other = second_.local[index(joint)];
      const Quat from = normalized(local.rotation), turn = normalized(conjugate(from) * normalized(other.rotation));
      Vec3& angle = turns_[index(joint)];
      angle = begins ? rotation_logarithm(turn) : nearest_rotation_vector(turn, angle);
      local = mixed(local, other, weight);
      local.rotation = normalized(from * rotation_exponential(weight * angle));
    }
    for (const int joint : recorder_.moved().weights)
      for (std::size_t k = 0; k < first_.weights[index(joint)].size(); ++k)
        first_.weights[index(joint)][k] =
            std::lerp(first_.weights[index(joint)][k], second_.weights[index(joint)][k], weight);
    second_.body.heading = nearest_heading(second_.body.heading, first_.body.heading);
    first_.body = mixed(first_.body, second_.body, weight);
  }

  const Skeleton& skeleton_;
  const GraphBody& body_;
  std::span<const FramedClip> clips_;
  RootStanding standing_of_;
  KeyRecorder recorder_;
  std::vector<MovedUnder> tops_;
  SamplingSpace space_;
  Pose pose_;
  BodyPose first_, second_;
  std::vector<Vec3>
      turns_;  // per joint: rotation vector from the first pose to the second, in the transition that runs
};

}  // namespace

Clip walk_clip(const GraphBody& body, std::span<const FramedClip> clips, const Walk& walk, double frames_per_second,
               const std::string& name) {
  return WalkRecorder(body, clips).run(walk, frames_per_second, name);
}

std::vector<Vec3> cloud_frames(const PointCloud& cloud, const FramedClip& clip, int frames) {
  const std::size_t points = cloud.points.size();
  std::vector<Vec3> positions(index(frames) * points);
  SamplingSpace space;
  Pose pose;
  for (int f = 0; f < frames; ++f) {
    const std::span<Vec3> own = std::span(positions).subspan(index(f) * points, points);
    clip.sample_frame(f, space, pose);
    cloud.place(pose, own);
    const Affine moved = to_affine(clip.offset(f));
    for (Vec3& p : own) p = moved * p;
  }
  return positions;
}

std::vector<double> jerk_of(std::span<const Vec3> positions, std::span<const double> weights,
                            double frames_per_second) {
  const std::size_t points = weights.size(), frames = positions.size() / points;
  std::vector<double> jerk;
  for (std::size_t f = 0; f + 3 < frames; ++f) {
    double sum = 0;
    for (std::size_t k = 0; k < points; ++k) {
      const auto at = [&](std::size_t t) { return positions[(f + t) * points + k]; };
      sum += weights[k] * squared_norm(at(3) - 3 * at(2) + 3 * at(1) - at(0));
    }
    jerk.push_back(std::sqrt(sum) * frames_per_second * frames_per_second * frames_per_second);
  }
  return jerk;
}

double transition_jerk(int window, double frames_per_second) {
  double most = 0;
  for (int t = -3; t <= window; ++t) {
    const auto weight = [&](int k) { return transition_weight(t + k, window); };
    most = std::max(most, std::abs(weight(3) - 3 * weight(2) + 3 * weight(1) - weight(0)));
  }
  return most * frames_per_second * frames_per_second * frames_per_second;
}

}  // namespace sinew
