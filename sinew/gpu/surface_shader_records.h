// Layout of the buffers of runtime/dynamic_skinning.comp, as the host writes them; the words are explained there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sinew/deform/surface/surface_model.h"

namespace sinew::surface_shader {

enum Entry : std::size_t { step_entry, show_entry, reset_entry, poke_entry, rebase_entry, entries };
inline constexpr std::uint32_t buffers = 9;
inline constexpr std::uint32_t rest_reference = 1, shaped_restoration = 2, ranged = 4;

// One body: offsets of its data in the other buffers, counts and constants.
struct BodyRecord {
  std::uint32_t state, vertex_count, bones, flags;
  std::uint32_t vertices, attributes, slices, segments, sources;
  std::uint32_t output_count, output_first;
  float step, reach;
  std::uint32_t modes, mode_count;
  float shortest_spoke;
};
static_assert(sizeof(BodyRecord) == 64);

// A workgroup: its body, and its first vertex there.
struct Group {
  std::uint32_t body, first;
};

// Parameters of one dispatch.
struct Call {
  std::uint32_t first_group = 0, group_count = 0, pose = 0, next_pose = 0;
  float fraction = 0;
  std::uint32_t unused[3] = {};
  float sphere[4] = {}, vector[4] = {};
};
static_assert(sizeof(Call) == 64);

// Surroundings and mode coordinates of a body for one step.
struct MotionRecord {
  float acceleration_air[4] = {}, wind[4] = {};
  // Already multiplied by mode_scale and turn_scale.
  float modes[max_surface_modes] = {}, turns[max_surface_modes] = {};
};

// A bone matrix, rest to world, row-major.
struct BoneRecord {
  float rows[12];
};

struct Quad {
  float x, y, z, w;
};

BoneRecord bone_record(const Affine& map);
std::vector<Affine> affine_maps(std::span<const BoneRecord> bones);

// Converts modified Rodrigues parameters, which states store rotations in.
Quat quaternion(float x, float y, float z);

}  // namespace sinew::surface_shader
