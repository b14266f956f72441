#include "sinew/kinematics/matching/motion_matcher.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/linalg/turns.h"

namespace sinew {
namespace {

Vec3 as_vector(const Standing& step) { return {step.place.x, step.heading, step.place.z}; }

Quat turn_from_to(const Quat& from, const Quat& to) { return normalized(normalized(to) * conjugate(normalized(from))); }

// All clips have as many frames a second.
int frames_of(double seconds, std::span<const FramedClip> clips) {
  return std::max(1, static_cast<int>(std::lround(seconds * clips.front().frames_per_second())));
}

int frames_apart(const FramedClip& clip, int a, int b) {
  const int apart = std::abs(a - b);
  return clip.loops() ? std::min(apart, clip.frames() - apart) : apart;
}

}  // namespace

MotionMatcher::MotionMatcher(const GraphBody& body, std::span<const FramedClip> clips, const MotionDatabase& database,
                             MatcherOptions options)
    : body_of_(body),
      clips_(clips),
      database_(database),
      least_gain_(options.least_gain),
      search_every_(frames_of(options.search_every, clips)),
      near_frames_(frames_of(options.near_seconds, clips)),
      decay_frames_(frames_of(options.decay_seconds, clips)),
      moved_(walked_joints(body, clips)) {
  const Pose rest = sample(*body.skeleton, nullptr, 0);
  for (const int joint : body.tops) tops_.emplace_back(*body.skeleton, rest, joint);
}

void MotionMatcher::source_pose(int clip, int frame, WalkPose& pose) {
  const FramedClip& own = clips_[index(clip)];
  own.sample_frame(frame < 0 ? frame + own.frames() : frame, space_, sampled_);
  pose.local.resize(body_of_.skeleton->joints.size());
  for (const int joint : moved_.joints)
    pose.local[index(joint)] = sampled_local(*body_of_.skeleton, space_, index(joint));
  Standing over_origin = inverse(database_.body_in_pose(clip, frame));
  over_origin.place = over_origin.place / body_of_.metres_per_unit;
  for (std::size_t k = 0; k < tops_.size(); ++k) {
    Transform& local = pose.local[index(body_of_.tops[k])];
    local = tops_[k](over_origin, local);
  }
  pose.weights = sampled_.morph_weights;
}

void MotionMatcher::begin(std::size_t row, const Standing& body) {
  place_ = database_.place(row);
  body_ = body;
  for (int k = 0; k < 3; ++k) {
    source_pose(place_.clip, place_.frame - k, poses_[index(k)]);
    steps_[index(k)] = database_.step(place_.clip, place_.frame - k);
  }
  offsets_.assign(moved_.joints.size(), {});
  weights_.assign(moved_.weights.size(), {});
  for (std::size_t k = 0; k < moved_.weights.size(); ++k)
    weights_[k].resize(poses_[0].weights[index(moved_.weights[k])].size());
  step_offset_ = {};
  since_ = searched_ = 0;
  began_ = true;
}

void MotionMatcher::go_over(const MotionDatabase::Place& place) {
  place_ = place;
  std::array<WalkPose, 3> sources;
  std::array<Vec3, 3> steps;
  for (int k = 0; k < 3; ++k) {
    source_pose(place.clip, place.frame - k, sources[index(k)]);
    steps[index(k)] = as_vector(steps_[index(k)]) - as_vector(database_.step(place.clip, place.frame - k));
  }
  step_offset_ = DecayingOffset({steps[2], steps[1], steps[0]}, decay_frames_);
  for (std::size_t j = 0; j < moved_.joints.size(); ++j) {
    const std::size_t joint = index(moved_.joints[j]);
    OffsetHistory translation, turn, scale;
    Vec3* const of_translation[] = {&translation.now, &translation.before, &translation.before_that};
    Vec3* const of_turn[] = {&turn.now, &turn.before, &turn.before_that};
    Vec3* const of_scale[] = {&scale.now, &scale.before, &scale.before_that};
    for (std::size_t k = 0; k < 3; ++k) {
      const Transform &own = poses_[k].local[joint], &source = sources[k].local[joint];
      *of_translation[k] = own.translation - source.translation;
      *of_scale[k] = own.scale - source.scale;
      const Quat q = turn_from_to(source.rotation, own.rotation);
      *of_turn[k] = k == 0 ? rotation_logarithm(q) : nearest_rotation_vector(q, *of_turn[k - 1]);
    }
    offsets_[j] = {DecayingOffset(translation, decay_frames_), DecayingOffset(turn, decay_frames_),
                   DecayingOffset(scale, decay_frames_)};
  }
  for (std::size_t j = 0; j < moved_.weights.size(); ++j)
    for (std::size_t t = 0; t < weights_[j].size(); ++t) {
      const auto away = [&](std::size_t k) {
        const std::size_t joint = index(moved_.weights[j]);
        return Vec3{poses_[k].weights[joint][t] - sources[k].weights[joint][t], 0, 0};
      };
      weights_[j][t] = DecayingOffset({away(2), away(1), away(0)}, decay_frames_);
    }
  since_ = 0;
  began_ = false;
}

void MotionMatcher::look_for_nearer(std::span<const PlaceAhead> ahead) {
  const bool must = !clips_[index(place_.clip)].has(place_.frame + 1);
  if (++searched_ < search_every_ && !must) return;
  searched_ = 0;
  const std::size_t row = database_.row(place_.clip, place_.frame);
  const std::vector<float> query = database_.query(row, ahead);
  const float most =
      must ? std::numeric_limits<float>::max() : database_.cost(row, query) - static_cast<float>(least_gain_);
  const NearestRow nearest = database_.table().nearest(query, most);
  const bool found = nearest.row != database_.frames();
  if (!found && !must) return;
  const MotionDatabase::Place place = database_.place(found ? nearest.row : database_.row_for(ahead));
  const bool here =
      place.clip == place_.clip && frames_apart(clips_[index(place.clip)], place.frame, place_.frame) <= near_frames_;
  if (must || !here) go_over(place);
}

void MotionMatcher::next(std::span<const PlaceAhead> ahead) {
  look_for_nearer(ahead);
  place_ = database_.place(database_.row(place_.clip, place_.frame + 1));
  ++since_;
  const Vec3 away = step_offset_.at(since_);
  Standing step = database_.step(place_.clip, place_.frame);
  step.heading += away.y;
  step.place += Vec3{away.x, 0, away.z};
  body_ = after(body_, step);
  std::rotate(poses_.begin(), poses_.end() - 1, poses_.end());
  std::rotate(steps_.begin(), steps_.end() - 1, steps_.end());
  steps_[0] = step;
  source_pose(place_.clip, place_.frame, poses_[0]);
  add_offsets(poses_[0]);
}

void MotionMatcher::add_offsets(WalkPose& pose) const {
  if (began_ || !(since_ < decay_frames_)) return;
  for (std::size_t j = 0; j < moved_.joints.size(); ++j) {
    Transform& local = pose.local[index(moved_.joints[j])];
    local.translation += offsets_[j].translation.at(since_);
    local.scale += offsets_[j].scale.at(since_);
    local.rotation = normalized(rotation_exponential(offsets_[j].turn.at(since_)) * normalized(local.rotation));
  }
  for (std::size_t j = 0; j < moved_.weights.size(); ++j)
    for (std::size_t t = 0; t < weights_[j].size(); ++t)
      pose.weights[index(moved_.weights[j])][t] += weights_[j][t].at(since_).x;
}

const WalkPose& MotionMatcher::pose() {
  world_ = poses_[0];
  const Standing in_units{body_.heading, body_.place / body_of_.metres_per_unit};
  for (std::size_t k = 0; k < tops_.size(); ++k) {
    Transform& local = world_.local[index(body_of_.tops[k])];
    local = tops_[k](in_units, local);
  }
  return world_;
}

}  // namespace sinew
