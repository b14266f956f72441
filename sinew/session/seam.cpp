#include "sinew/session/seam.h"

#include "sinew/linalg/rotation.h"

namespace sinew {

void Seam::carry(int rounds, double share, std::span<Affine> transforms) const {
  Affine carried;
  for (int k = 0; k < rounds; ++k) carried = round * carried;
  for (std::size_t b = 0; b < transforms.size(); ++b) {
    Affine& bone = transforms[b];
    if (share > 0) {
      const Vec3 head = bone * bones[b].head + share * bones[b].way;
      bone.linear = to_matrix(slerp(Quat{}, bones[b].turn, share)) * bone.linear;
      bone.translation = head - bone.linear * bones[b].head;
    }
    if (rounds > 0) bone = carried * bone;
  }
}

Seam seam(std::span<const Bone> bones, std::span<const Affine> first, std::span<const Affine> last, const Affine& round,
          double seconds) {
  Seam seam{round, seconds, {}};
  for (std::size_t b = 0; b < bones.size(); ++b) {
    const Affine begins = round * first[b];
    Seam::Way& way = seam.bones.emplace_back();
    way.head = bones[b].segments.empty() ? Vec3{} : bones[b].segments.front().head;
    way.turn =
        normalized(closest_rotation(begins.linear, Quat{}) * conjugate(closest_rotation(last[b].linear, Quat{})));
    way.way = begins * way.head - last[b] * way.head;
  }
  return seam;
}

}  // namespace sinew
