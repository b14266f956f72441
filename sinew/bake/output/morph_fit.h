// Recorded flesh as morph targets: few shapes and their weights over time, on top of the untouched
// rig, so that every viewer of glTF plays it (docs/gltf_output.md).
//
// A recorded world displacement u of a vertex is taken back through the linear part A of its own
// blended skinning matrix, y = A^-1 u, so that morphing first and skinning second, as glTF does,
// gives the displacement again. All y of one mesh, frames by coordinates, are then reduced to K
// targets: one for their mean and the others by a truncated singular value decomposition of the rest.
// Weights lie between 0 and 1, since many programs clamp them; with all weights zero the surface is
// the rig's alone.
#pragma once

#include <span>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/character/character.h"

namespace sinew {

struct MorphFitOptions {
  int targets = 0;           // per mesh and node; 0: as many as the error bound needs
  double rms_error = 0.001;  // bound on the RMS error of each mesh, as a fraction of the character's height
  // Wanted bound on the largest error, as a multiple of that: motion of few vertices counts too. At most
  // twice the targets that the RMS error needs, and 8, are spent on it.
  double max_to_rms = 5;
  int max_targets = 128;  // per mesh and node, where the bound decides
  bool normals = false;   // offsets of normals too; viewers then shade the moved surface
};

// The targets of one part (index into Character::parts).
struct PartMorphs {
  int part = -1;
  // targets x vertices x 3, part's own space (bind space), file units.
  std::vector<float> position;
  // The same for unit normals; empty unless asked for and known.
  std::vector<float> normal;
};

// The targets of one mesh on one node: its parts share the weights.
struct MeshMorphs {
  int joint = -1;  // the node, index into Skeleton::joints
  int mesh = -1;   // index in the file
  int targets = 0;
  std::vector<PartMorphs> parts;  // the recorded ones
  // Per recording: frames x targets, from 0 to 1. The first is 1 throughout: its shape is where the
  // flesh is when all others are 0.
  std::vector<std::vector<float>> weights;
  double rms_error = 0, max_error = 0;  // metres, world, over all frames and vertices
};

struct MorphFit {
  double height = 0;                    // metres, of the character in its default pose
  std::vector<MeshMorphs> meshes;       // by rising node
  double rms_error = 0, max_error = 0;  // metres, over everything recorded
};

// One basis per mesh and node, shared by all recordings. The errors are those of the float values
// returned, measured in world space against the recordings, at the recorded times.
// Throws usage_error where a recording does not belong to the character or options make no sense.
MorphFit fit_morph_targets(const Character& character, std::span<const Recording> recordings,
                           const MorphFitOptions& options);

}  // namespace sinew
