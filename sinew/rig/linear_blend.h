// Linear blend skinning: each point moves by the weighted mean of its bones' affine maps,
//   p' = (sum_k w_k B_k) p,
// in double precision for solvers and tests, and in single precision for displaying frames.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sinew/character/character.h"

namespace sinew {

// Weighted mean of the bones' maps; the identity where the vertex has no weight. `bone` has one map per entry of
// Skin::joints, from bind space to the space of the result.
Affine blended_bone(const Influences& influences, std::span<const Affine> bone);

// result[i] = blended_bone(influences[i], bone) * rest[i], to rounding. All three have the same length; `result` may be
// `rest`. Throws input_error where an influence names a bone that does not exist.
void linear_blend(std::span<const Vec3> rest, std::span<const Influences> influences, std::span<const Affine> bone,
                  std::span<Vec3> result);

// A 3x4 matrix in single precision: four columns of x, y, z and a zero for padding. One cache line.
struct alignas(64) FloatBone {
  float m[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0};
};

FloatBone to_float_bone(const Affine& map);

// The kernel addresses matrices by their distance from the first one in units of 8 bytes, a factor that the processor's
// addressing modes apply for free.
inline constexpr std::size_t bone_offset_unit = 8;
inline constexpr std::size_t bone_offsets_per_bone = sizeof(FloatBone) / bone_offset_unit;
inline constexpr std::size_t most_packed_bones = 65536 / bone_offsets_per_bone - 1;

// Rest geometry in the layout of the run-time kernel. Made by pack_skin(); plain data, free to copy.
struct PackedSkin {
  std::size_t count = 0;                   // vertices
  std::size_t bones = 0;                   // number of matrices that `bone_offset` refers to, minus one
  std::vector<float> position;             // x y z per vertex, then padding
  std::vector<float> normal;               // x y z per vertex, then padding; empty without normals
  std::vector<float> weight;               // 4 per vertex, summing to one
  std::vector<std::uint16_t> bone_offset;  // 4 per vertex: joint * bone_offsets_per_bone
  double largest_dropped_weight = 0;       // over all vertices: the total of fifth and later influences
};

// Keeps the four largest influences of each vertex, scaled to sum to one. Vertices without weights follow an additional
// bone, number `bones`: pass one matrix more than the skin has joints (the node's own map). `normals` may be empty.
// Throws input_error where an index is out of range or the skin has more than most_packed_bones (8191).
PackedSkin pack_skin(std::span<const Vec3> positions, std::span<const Vec3> normals,
                     std::span<const Influences> influences, std::size_t bones);

// Positions (and, where both `skin` and `normals` have them, unit normals) under the given bones: x y z per vertex, 3 *
// count numbers. `bone` has skin.bones + 1 matrices. Normals are multiplied by the linear part of the blended map and
// normalised, which is exact for rotations with uniform scale; a normal that vanishes stays zero. Vertices are
// independent: the result does not depend on the number of threads.
void skin(const PackedSkin& skin, std::span<const FloatBone> bone, std::span<float> positions,
          std::span<float> normals = {});

// Reference for skin() in plain loops, always compiled, with which tests compare skin().
void skin_reference(const PackedSkin& skin, std::span<const FloatBone> bone, std::span<float> positions,
                    std::span<float> normals = {});

}  // namespace sinew
