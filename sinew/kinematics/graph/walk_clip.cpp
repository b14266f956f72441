#include "sinew/kinematics/graph/walk_clip.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/index.h"
#include "sinew/kinematics/graph/walk_poser.h"
#include "sinew/kinematics/key_recorder.h"

namespace sinew {
Clip walk_clip(const GraphBody& body, std::span<const FramedClip> clips, const Walk& walk, double frames_per_second,
               const std::string& name) {
  WalkPoser poser(body, clips);
  KeyRecorder recorder(*body.skeleton, poser.moved());
  for (std::size_t f = 0; f < walk.frames.size(); ++f) {
    const WalkPose& pose = poser(walk.frames[f]);
    recorder.add_frame(static_cast<double>(f) / frames_per_second, pose.local, pose.weights);
  }
  return recorder.take(name);
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

double liveliness_of(const PointCloud& cloud, const FramedClip& clip) {
  const std::vector<double> weights = cloud.weights();
  const std::vector<Vec3> positions = cloud_frames(cloud, clip, clip.frames());
  const std::size_t points = weights.size();
  double sum = 0;
  for (int f = 1; f < clip.frames(); ++f) {
    const Vec3 way = clip.standing(f).place - clip.standing(f - 1).place;
    double squares = 0;
    for (std::size_t k = 0; k < points; ++k)
      squares +=
          weights[k] * squared_norm(positions[index(f) * points + k] - positions[index(f - 1) * points + k] - way);
    sum += std::sqrt(squares);
  }
  return clip.frames() > 1 ? sum * clip.frames_per_second() / (clip.frames() - 1) : 0;
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
