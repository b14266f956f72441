// The surface that physics uses: all skinned parts of a character in one rest space, with default morph targets
// applied, welded along seams, and with skin weights over one list of bones.
//
// Rest space is the file's bind space with the overall translation, rotation and scale of the default pose, so that its
// up axis and unit (metres) are those of the world.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/skinning.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// A piece of a bone: from its joint towards a child joint, or along the flesh of a leaf. Rest space, metres.
struct BoneSegment {
  Vec3 head, tail;
};

struct Bone {
  std::string name;                   // name of its joint
  int joint = -1;                     // index into Skeleton::joints
  int parent = -1;                    // nearest ancestor that is a bone too, or -1
  Affine rest_to_joint;               // rest space (metres) to joint space (file units)
  std::vector<BoneSegment> segments;  // at least one, possibly of no length
  // True for a bone that moves flesh (belly, breast, cheek): neither it nor a child dominates any skin. Helpers have no
  // core, and no bone segment leads to them.
  bool helper = false;
};

struct SimulationSurface {
  TriangleMesh rest;                   // welded, rest space, metres
  std::vector<Influences> influences;  // per vertex, over `bones`
  bool weighted = false;               // at least one vertex has an influence
  // Painted values per vertex, not clamped to a field's range. Empty for a field that is neutral everywhere.
  Fields fields;
  std::vector<Bone> bones;
  std::vector<int> parts;                   // source parts, as indices into Character::parts
  std::vector<std::string> part_names;      // per source part: "mesh material"
  std::vector<std::vector<int>> vertex_of;  // [k][v]: vertex of `rest` for vertex v of part parts[k]
  std::vector<int> figure;  // per vertex: its figure, 0 the main one (figures.h); empty: a single figure
  Skinning skinning{};      // how `bones` pose the goal, linearly unless a method chose another (rig/skinned_points.h)
};

// With `color_stiffness`, the red channel of COLOR_0 is the stiffness multiplier of parts without _SINEW_STIFFNESS.
// Joints whose inverse bind matrix is singular get no bone; their skin follows the nearest ancestor that has one, or
// else the skin's first bone. If skins have no weights yet (character/adopt_skeleton.h), the surface has no influences,
// no bone is a helper, and leaves have no length. Throws input_error if the character has no skinned triangles, or a
// skin in use has no bone.
SimulationSurface simulation_surface(const Character& character, bool color_stiffness = false);

// Transform of every bone in `pose`: rest space to world, metres.
std::vector<Affine> bone_transforms(const Character& character, std::span<const Bone> bones, const Pose& pose);
std::vector<Affine> bone_transforms(const Character& character, const SimulationSurface& surface, const Pose& pose);
void bone_transforms(const Character& character, std::span<const Bone> bones, const Pose& pose,
                     std::span<Affine> transforms);

// Extent along y of the vertices that triangles use, in the mesh's unit; at least 0.3 of the largest extent, for flat
// characters (a ray, a snake).
double standing_height(const TriangleMesh& mesh);

// Longest side of the bounding box of the vertices that triangles use, in the mesh's unit.
double longest_side(const TriangleMesh& mesh);

// Both measures for the main figure alone, metres.
double standing_height(const SimulationSurface& surface);
double longest_side(const SimulationSurface& surface);

}  // namespace sinew
