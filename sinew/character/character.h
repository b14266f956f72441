// A character as read from a file: skeleton, skinned parts, clips. Everything is in file units and
// in the spaces that glTF gives it; `metres_per_unit` turns world positions into metres.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sinew/character/clip.h"
#include "sinew/character/fields.h"
#include "sinew/character/skeleton.h"
#include "sinew/character/tissue.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

inline constexpr int max_influences = 8;

// Skin weights of one vertex: `count` pairs of (index into Skin::joints, weight), sorted by falling
// weight, no joint twice, weights positive and summing to one. count == 0: no usable weight.
struct Influences {
  int count = 0;
  std::array<int, max_influences> joint{};
  std::array<double, max_influences> weight{};
  bool operator==(const Influences&) const = default;
};

struct Skin {
  std::string name;
  std::vector<int> joints;           // indices into Skeleton::joints
  std::vector<Affine> inverse_bind;  // per joint: bind space to joint space
};

// Whether an inverse bind matrix is finite and invertible.
bool is_invertible(const Affine& inverse_bind);

// One primitive of one mesh on one node. A mesh that several nodes show gives one part per node.
struct Part {
  std::string name;               // mesh name, with the primitive's number where there are several
  int joint = -1;                 // the node that shows it, index into Skeleton::joints
  int mesh = -1, primitive = -1;  // indices in the file
  int skin = -1;                  // index into Character::skins, or -1: rigid, moves with `joint`
  int node_skin = -1;             // skin that the node names, even if the part lacks skin weights
  // Bind space if skinned, else the node's own space; file units. Morph targets are applied at `applied_weights`.
  TriangleMesh surface;
  std::vector<Vec3> normals;               // per vertex, or empty where the file has none
  std::vector<Influences> influences;      // per vertex where skinned, else empty
  std::vector<std::vector<Vec3>> targets;  // morph targets: position offsets per vertex, file units
  std::vector<std::string> target_names;   // names of the targets (extras.targetNames); missing or empty: unnamed
  std::vector<double> applied_weights;     // weights of the targets in `surface`; missing ones are 0
  Fields fields;                           // painted values per vertex, as in the file
  std::vector<Vec3> colors;                // COLOR_0 per vertex, linear RGB, or empty
  Vec3 base_color{0.8, 0.8, 0.8};          // of its material, linear RGB
  int material = -1;                       // index in the file, or -1
  std::string material_name;               // as the file has it
  // UV coordinates per vertex in the base colour texture, (0, 0) at the upper left; or empty.
  std::vector<std::array<float, 2>> texture_coordinates;
  bool triangles = true;  // false for points and lines, which pass through untouched
};

// True if the part shows triangles.
inline bool is_surface(const Part& part) { return part.triangles && !part.surface.triangles.empty(); }
inline bool is_skinned_surface(const Part& part) { return part.skin >= 0 && is_surface(part); }

struct Character {
  std::string file;            // name of the file as the user gave it, for messages
  double metres_per_unit = 1;  // decided by character/size.h
  Skeleton skeleton;
  std::vector<Skin> skins;
  std::vector<Part> parts;
  std::vector<Clip> clips;
  // Argument `root` of adopt_skeleton(), if that made the skin; else empty.
  std::optional<std::string> adopted_skeleton;
  AnatomyOverrides anatomy;  // overrides from an anatomy file; empty without one
};

// Default weights of a node's morph targets: those of the node or its mesh, or the constant value that all clips with
// keys for them have. They are part of the body's shape, unlike expressions, whose keys change.
std::vector<double> default_morph_weights(const Character& character, int joint);

// Applies the default morph weights to the surfaces of all parts. Weights of nodes and clips do not change.
void apply_default_shape(Character& character);

// A part's vertices with its morph targets at these weights: its own space, file units.
std::vector<Vec3> morphed_positions(const Part& part, const std::vector<double>& weights);

// World positions of one part's vertices in file units: morph targets, then linear blend skinning
// (or the node's own transform where the part has no skin or a vertex no weight).
std::vector<Vec3> posed_positions(const Character& character, const Part& part, const Pose& pose);

}  // namespace sinew
