#include "sinew/rig/linear_blend.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/rig/linear_blend_kernel.h"

namespace sinew {
namespace {

constexpr std::size_t grain = 8192, double_grain = 512;
constexpr std::size_t packed_influences = 4;

void check_influence(std::size_t i, const Influences& v, std::size_t bones) {
  if (v.count < 0 || v.count > max_influences)
    throw input_error("vertex " + std::to_string(i) + " has " + std::to_string(v.count) + " influences; at most " +
                      std::to_string(max_influences) + " are possible");
  for (int k = 0; k < v.count; ++k) {
    const int joint = v.joint[static_cast<std::size_t>(k)];
    if (joint < 0 || static_cast<std::size_t>(joint) >= bones)
      throw input_error("vertex " + std::to_string(i) + " follows bone " + std::to_string(joint) +
                        ", but there are only " + std::to_string(bones));
    if (!std::isfinite(v.weight[static_cast<std::size_t>(k)]))
      throw input_error("vertex " + std::to_string(i) + " has a skin weight that is not a number");
  }
}

void check_output(const PackedSkin& packed, std::span<const FloatBone> bone, std::span<float> positions,
                  std::span<float> normals) {
  if (bone.size() != packed.bones + 1)
    throw usage_error("a packed skin of " + std::to_string(packed.bones) + " bones needs " +
                      std::to_string(packed.bones + 1) + " matrices, not " + std::to_string(bone.size()));
  if (positions.size() != 3 * packed.count || (!normals.empty() && normals.size() != 3 * packed.count))
    throw usage_error("skinning " + std::to_string(packed.count) + " vertices writes " +
                      std::to_string(3 * packed.count) + " numbers");
  if (!normals.empty() && packed.normal.empty())
    throw usage_error("normals are asked for, but the packed skin has none");
}

std::uint16_t offset_of(std::size_t bone) { return static_cast<std::uint16_t>(bone * bone_offsets_per_bone); }

void append(std::vector<float>& to, const Vec3& v) {
  for (const double component : {v.x, v.y, v.z}) to.push_back(static_cast<float>(component));
}

}  // namespace

Affine blended_bone(const Influences& influences, std::span<const Affine> bone) {
  if (influences.count == 0) return {};
  Affine sum{Mat3::zero(), {}};
  for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k) {
    const Affine& map = bone[static_cast<std::size_t>(influences.joint[k])];
    sum.linear += map.linear * influences.weight[k];
    sum.translation += map.translation * influences.weight[k];
  }
  return sum;
}

void linear_blend(std::span<const Vec3> rest, std::span<const Influences> influences, std::span<const Affine> bone,
                  std::span<Vec3> result) {
  if (influences.size() != rest.size() || result.size() != rest.size())
    throw usage_error("linear blend skinning of " + std::to_string(rest.size()) +
                      " points needs as many influences and results");
  parallel_for(rest.size(), double_grain, [&](std::size_t i) {
    // The mean of the transformed points equals the point transformed by the mean, without forming a matrix.
    const Influences& on = influences[i];
    check_influence(i, on, bone.size());
    Vec3 sum = on.count == 0 ? rest[i] : Vec3{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(on.count); ++k)
      sum += on.weight[k] * (bone[static_cast<std::size_t>(on.joint[k])] * rest[i]);
    result[i] = sum;
  });
}

FloatBone to_float_bone(const Affine& map) {
  FloatBone bone;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 3; ++column)
      bone.m[4 * column + row] = static_cast<float>(map.linear(row, column));
    bone.m[12 + row] = static_cast<float>(map.translation[row]);
  }
  return bone;
}

PackedSkin pack_skin(std::span<const Vec3> positions, std::span<const Vec3> normals,
                     std::span<const Influences> influences, std::size_t bones) {
  if (influences.size() != positions.size() || (!normals.empty() && normals.size() != positions.size()))
    throw usage_error("a skin of " + std::to_string(positions.size()) +
                      " vertices needs as many influences, and as many normals or none");
  if (bones > most_packed_bones)
    throw input_error("a skin of " + std::to_string(bones) + " bones is too large; at most " +
                      std::to_string(most_packed_bones) + " are possible");
  for (std::size_t i = 0; i < influences.size(); ++i) check_influence(i, influences[i], bones);

  PackedSkin packed;
  packed.count = positions.size();
  packed.bones = bones;
  packed.weight.assign(packed_influences * packed.count, 0.0f);
  packed.bone_offset.assign(packed_influences * packed.count, 0);
  for (std::size_t i = 0; i < packed.count; ++i) {
    append(packed.position, positions[i]);
    if (!normals.empty()) append(packed.normal, normals[i]);
    const Influences& v = influences[i];
    std::size_t order[max_influences];
    const std::size_t count = static_cast<std::size_t>(v.count);
    for (std::size_t k = 0; k < count; ++k) order[k] = k;
    std::stable_sort(order, order + count, [&](std::size_t a, std::size_t b) { return v.weight[a] > v.weight[b]; });
    const std::size_t kept = std::min(count, packed_influences);
    double sum = 0, dropped = 0;
    for (std::size_t k = 0; k < count; ++k) (k < kept ? sum : dropped) += v.weight[order[k]];
    packed.largest_dropped_weight = std::max(packed.largest_dropped_weight, dropped);
    if (!(sum > 0)) {
      packed.weight[packed_influences * i] = 1;
      packed.bone_offset[packed_influences * i] = offset_of(bones);
      continue;
    }
    for (std::size_t k = 0; k < kept; ++k) {
      packed.weight[packed_influences * i + k] = static_cast<float>(v.weight[order[k]] / sum);
      packed.bone_offset[packed_influences * i + k] = offset_of(static_cast<std::size_t>(v.joint[order[k]]));
    }
  }
  // The kernel loads four numbers at a time.
  packed.position.push_back(0);
  if (!normals.empty()) packed.normal.push_back(0);
  return packed;
}

void skin(const PackedSkin& packed, std::span<const FloatBone> bone, std::span<float> positions,
          std::span<float> normals) {
  check_output(packed, bone, positions, normals);
  parallel_chunks(packed.count, grain, [&](std::size_t begin, std::size_t end) {
    const skinning::VertexRange range{packed.position.data() + 3 * begin,
                                      normals.empty() ? nullptr : packed.normal.data() + 3 * begin,
                                      packed.weight.data() + packed_influences * begin,
                                      packed.bone_offset.data() + packed_influences * begin,
                                      end - begin,
                                      positions.data() + 3 * begin,
                                      normals.empty() ? nullptr : normals.data() + 3 * begin};
    skinning::skin_range(range, bone.data());
  });
}

void skin_reference(const PackedSkin& packed, std::span<const FloatBone> bone, std::span<float> positions,
                    std::span<float> normals) {
  check_output(packed, bone, positions, normals);
  for (std::size_t i = 0; i < packed.count; ++i) {
    float blended[16] = {};
    for (std::size_t k = 0; k < packed_influences; ++k) {
      const float weight = packed.weight[packed_influences * i + k];
      const float* m = bone[packed.bone_offset[packed_influences * i + k] / bone_offsets_per_bone].m;
      for (std::size_t e = 0; e < 16; ++e) blended[e] += weight * m[e];
    }
    const float* p = packed.position.data() + 3 * i;
    for (std::size_t row = 0; row < 3; ++row)
      positions[3 * i + row] =
          blended[row] * p[0] + blended[4 + row] * p[1] + blended[8 + row] * p[2] + blended[12 + row];
    if (normals.empty()) continue;
    const float* n = packed.normal.data() + 3 * i;
    float turned[3], squared = 0;
    for (std::size_t row = 0; row < 3; ++row) {
      turned[row] = blended[row] * n[0] + blended[4 + row] * n[1] + blended[8 + row] * n[2];
      squared += turned[row] * turned[row];
    }
    const float inverse_length = squared > skinning::vanishing_squared ? 1 / std::sqrt(squared) : 0;
    for (std::size_t row = 0; row < 3; ++row) normals[3 * i + row] = turned[row] * inverse_length;
  }
}

}  // namespace sinew
