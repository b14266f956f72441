#include "sinew/rig/bind_space.h"

#include <algorithm>
#include <cmath>

namespace sinew {

SkinFrames skin_frames(const Character& character, const Part& part, std::span<const Pose> poses) {
  SkinFrames result;
  result.frames = static_cast<int>(poses.size());
  const auto append = [&](int joint, const Mat3& from_bind) {
    for (const Pose& pose : poses)
      result.linear.push_back(pose.world[static_cast<std::size_t>(joint)].linear * from_bind *
                              character.metres_per_unit);
  };
  if (part.skin >= 0) {
    const Skin& skin = character.skins[static_cast<std::size_t>(part.skin)];
    for (std::size_t i = 0; i < skin.joints.size(); ++i) append(skin.joints[i], skin.inverse_bind[i].linear);
  }
  append(part.joint, Mat3::identity());
  return result;
}

void blended_linear(const SkinFrames& skin_frames, const Part& part, int vertex, std::span<Mat3> blended) {
  const auto frames = static_cast<std::size_t>(skin_frames.frames);
  const Influences none;
  const Influences& influences = part.influences.empty() ? none : part.influences[static_cast<std::size_t>(vertex)];
  if (influences.count == 0) {
    std::copy_n(skin_frames.linear.end() - static_cast<std::ptrdiff_t>(frames), frames, blended.begin());
    return;
  }
  std::fill(blended.begin(), blended.end(), Mat3::zero());
  for (int i = 0; i < influences.count; ++i) {
    const auto slot = static_cast<std::size_t>(i);
    const Mat3* carrier = skin_frames.linear.data() + static_cast<std::size_t>(influences.joint[slot]) * frames;
    for (std::size_t frame = 0; frame < frames; ++frame) blended[frame] += carrier[frame] * influences.weight[slot];
  }
}

Vec3 to_bind_space(const Mat3& linear, const Vec3& world) {
  constexpr double well_conditioned = 0.2, strongest_damping = 0.1;
  const double size = frobenius_norm(linear) / std::sqrt(3.0);
  if (!(size > 0)) return {};
  const Mat3 unit = linear * (1 / size);
  const double quality = std::abs(determinant(unit));
  if (quality >= well_conditioned) return inverse(unit) * world / size;
  const double damping = strongest_damping * (1 - quality / well_conditioned);
  const Mat3 normal_matrix = transpose(unit) * unit + Mat3::diagonal(Vec3{1, 1, 1} * (damping * damping));
  return inverse(normal_matrix) * transpose_times(unit, world) / size;
}

}  // namespace sinew
