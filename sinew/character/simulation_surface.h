// The one surface that physics sees: all skinned parts of a character, brought into one rest space in
// metres, as morph targets shape it by default, welded where seams had split them, with skin weights over one list of
// bones.
//
// Rest space is the bind pose as it stands in the world: the file's bind space moved, turned and scaled
// as the character's default pose does on the whole, so that up is up and metres are metres there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

// A piece of a bone: from its joint towards a child joint, or along the flesh of a leaf. Rest space, metres.
struct BoneSegment {
  Vec3 head, tail;
};

struct Bone {
  std::string name;                   // of its joint
  int joint = -1;                     // index into Skeleton::joints
  int parent = -1;                    // nearest ancestor that is a bone too, or -1
  Affine rest_to_joint;               // rest space (metres) to joint space (file units)
  std::vector<BoneSegment> segments;  // at least one, possibly of no length
  // It nowhere carries most of the skin and has no child that does (belly, breast, cheek): a helper that
  // moves flesh. Helpers have no core, and no bone reaches towards them.
  bool helper = false;
};

struct SimulationSurface {
  TriangleMesh rest;                   // welded, rest space, metres
  std::vector<Influences> influences;  // per vertex, over `bones`
  bool weighted = false;               // some vertex has an influence
  // Painted, per vertex, also beyond a field's range. A field that is neutral everywhere has no values.
  Fields fields;
  std::vector<Bone> bones;
  std::vector<int> parts;                   // indices into Character::parts of the parts it is made of
  std::vector<std::string> part_names;      // per part of `parts`: its mesh and its material, a space between
  std::vector<std::vector<int>> vertex_of;  // [k][v]: vertex of `rest` for vertex v of part parts[k]
  std::vector<int> figure;  // per vertex: the figure that it is of, the main one first (figures.h); empty: there is one
};

// With `color_stiffness`, the red channel of COLOR_0 is the stiffness multiplier of parts without _SINEW_STIFFNESS.
// Joints whose inverse bind matrix is singular get no bone: what they would carry follows the nearest
// ancestor that has one, or else the skin's first.
// Characters whose skins have no weights yet (character/adopt_skeleton.h) give a surface without influences; their
// bones are those of the skins in use, none is a helper, and leaves have no length.
// Throws input_error where the character has no skinned triangles, or a skin in use has no bone at all.
SimulationSurface simulation_surface(const Character& character, bool color_stiffness = false);

// Rest space to world, metres, of every bone in `pose`.
std::vector<Affine> bone_transforms(const Character& character, std::span<const Bone> bones, const Pose& pose);
std::vector<Affine> bone_transforms(const Character& character, const SimulationSurface& surface, const Pose& pose);
void bone_transforms(const Character& character, std::span<const Bone> bones, const Pose& pose,
                     std::span<Affine> transforms);

// Extent along y of what the triangles use, in the mesh's unit; for flat characters (a ray, a snake) 0.3 of the
// largest extent.
double standing_height(const TriangleMesh& mesh);

// Of the box of what the triangles use, in the mesh's unit.
double longest_side(const TriangleMesh& mesh);

// The standing height of the main figure alone, whatever stands beside it: metres.
double standing_height(const SimulationSurface& surface);
double longest_side(const SimulationSurface& surface);

}  // namespace sinew
