#include "sinew/session/playback.h"

#include <algorithm>
#include <cmath>

#include "sinew/linalg/rotation.h"

namespace sinew {

double PlayedRange::clip_time(double elapsed) const {
  if (elapsed <= 0) return begin;
  return begin + (loop && length > 0 ? std::fmod(elapsed, length) : std::min(elapsed, length));
}

int PlayedRange::cycles(double elapsed) const {
  return loop && length > 0 && elapsed > 0
             ? static_cast<int>(std::lround((elapsed - std::fmod(elapsed, length)) / length))
             : 0;
}

void LoopBlend::apply(int cycles, double share, std::span<Affine> transforms) const {
  Affine carried;
  for (int k = 0; k < cycles; ++k) carried = cycle * carried;
  for (std::size_t b = 0; b < transforms.size(); ++b) {
    Affine& bone = transforms[b];
    if (share > 0) {
      const Vec3 head = bone * bones[b].head + share * bones[b].displacement;
      bone.linear = to_matrix(slerp(Quat{}, bones[b].rotation, share)) * bone.linear;
      bone.translation = head - bone.linear * bones[b].head;
    }
    if (cycles > 0) bone = carried * bone;
  }
}

LoopBlend make_loop_blend(std::span<const Bone> bones, std::span<const Affine> first, std::span<const Affine> last,
                          const Affine& cycle, double seconds) {
  LoopBlend result{cycle, seconds, {}};
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const Affine begins = cycle * first[b];
    LoopBlend::Offset& offset = result.bones.emplace_back();
    offset.head = bones[b].segments.empty() ? Vec3{} : bones[b].segments.front().head;
    offset.rotation =
        normalized(closest_rotation(begins.linear, Quat{}) * conjugate(closest_rotation(last[b].linear, Quat{})));
    offset.displacement = begins * offset.head - last[b] * offset.head;
  }
  return result;
}

Playback whole(const Clip& clip, bool loop) {
  return {&clip, nullptr, {clip.start, clip.end - clip.start, loop, 0}, {}};
}

}  // namespace sinew
