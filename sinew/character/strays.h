// What lies so far from everything else that nobody meant it: a vertex that an exporter lost at 1e9, a key at 1e30.
// Flesh that reached there would be resolved nowhere else.
#pragma once

#include <span>
#include <vector>

#include "sinew/character/character.h"

namespace sinew {

// Thin, long and scattered characters have no gap that is wide for what lies within it: the points of a surface follow
// each other.
struct StrayCriterion {
  double surely = 0.5;  // share of the points, the nearest, that are taken for no strays
  double widest_gap =
      100;  // between one point and the next farther out, of the radius of those within; beyond it are strays
  double farthest = 1e4;  // of the radius of those that surely are none
};

// How far a set of points reaches, and which of them are not of it.
struct Reach {
  double radius = 0;        // around the middle (the median of each coordinate), of all that are no strays
  std::vector<int> strays;  // ascending
};

// In any unit. All positions must be finite.
Reach find_reach(std::span<const Vec3> positions, const StrayCriterion& criterion = {});

// Vertices of a character's surface (its skinned parts, or all where nothing is skinned) that are strays of the default
// pose, or of the positions that a skin was bound in.
struct StrayVertices {
  int part = -1;              // index into Character::parts
  std::vector<int> vertices;  // ascending
};
std::vector<StrayVertices> find_stray_vertices(const Character& character);

// Vertices of the same surface, at most one in 200, that lie over five times farther out than all others in the default
// pose and are no strays: a vertex that slipped, or a thing that was put aside.
std::vector<StrayVertices> find_far_vertices(const Character& character);

// Joints of a skin, numbered as in it, that were bound ten thousand times as far out as its vertices reach, or at ten
// thousand times the scale of its other joints.
std::vector<int> find_stray_joints(const Character& character, int skin);

// Vertices that a morph target moves by more than ten thousand times the radius of its part.
struct StrayOffsets {
  int target = -1;            // index into Part::targets
  std::vector<int> vertices;  // ascending
};
std::vector<StrayOffsets> find_stray_offsets(const Part& part);

// The radius of that surface in the default pose, file units; 0 where there is none.
double reach_of(const Character& character);

// Channels of a clip that take a joint farther than a hundred thousand times `reach`, the character's own, or scale it
// by as much.
std::vector<int> find_stray_channels(const Character& character, const Clip& clip, double reach);

}  // namespace sinew
