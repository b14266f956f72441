#include "sinew/gpu/surface_shader_records.h"

namespace sinew::surface_shader {

std::vector<Affine> affine_maps(std::span<const BoneRecord> bones) {
  std::vector<Affine> maps(bones.size());
  for (std::size_t b = 0; b < bones.size(); ++b)
    for (std::size_t r = 0; r < 3; ++r) {
      for (std::size_t c = 0; c < 3; ++c) maps[b].linear(r, c) = static_cast<double>(bones[b].rows[4 * r + c]);
      maps[b].translation[r] = static_cast<double>(bones[b].rows[4 * r + 3]);
    }
  return maps;
}

BoneRecord bone_record(const Affine& m) {
  BoneRecord bone{};
  const double translation[3] = {m.translation.x, m.translation.y, m.translation.z};
  for (std::size_t r = 0; r < 3; ++r) {
    for (std::size_t c = 0; c < 3; ++c) bone.rows[4 * r + c] = static_cast<float>(m.linear(r, c));
    bone.rows[4 * r + 3] = static_cast<float>(translation[r]);
  }
  return bone;
}

Quat quaternion(float x, float y, float z) {
  const double rx = x, ry = y, rz = z, s = rx * rx + ry * ry + rz * rz;
  return normalized(Quat{2 * rx / (1 + s), 2 * ry / (1 + s), 2 * rz / (1 + s), (1 - s) / (1 + s)});
}

}  // namespace sinew::surface_shader
