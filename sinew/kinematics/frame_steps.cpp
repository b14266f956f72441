#include "sinew/kinematics/frame_steps.h"

#include <algorithm>

#include "sinew/base/index.h"

namespace sinew {

FrameSteps frame_steps(const RiggedBody& body, const BodyPoser& poser, const BoneMotion& motion, double leg_length) {
  const std::size_t joints = body.skeleton->joints.size(), count = poser.bones().size();
  std::vector<Vec3> before(joints), now(joints);
  std::vector<Quat> rotations(joints);
  std::vector<double> steps;
  for (std::size_t f = 0; f < motion.times.size(); ++f) {
    poser.place(std::span(motion.rotations).subspan(f * count, count), motion.root[f], now, rotations);
    if (f > 0) {
      const Vec3 hips = motion.root[f] - motion.root[f - 1];
      double most = 0;
      for (const int joint : poser.bones())
        most = std::max(most, norm(now[index(joint)] - before[index(joint)] - hips));
      steps.push_back(most / leg_length);
    }
    std::swap(before, now);
  }
  if (steps.empty()) return {};
  const double first = steps.front();
  steps.erase(steps.begin());
  if (steps.empty()) return {first, first};
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::nth_element(steps.begin(), middle, steps.end());
  return {first, *middle};
}

}  // namespace sinew
