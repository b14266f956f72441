// Recorded flesh as morph targets: a few shapes and their weights over time, on top of the untouched rig, which every
// viewer of glTF plays (docs/gltf_output.md).
//
// A recorded world displacement u of a vertex is mapped back through the linear part A of the vertex's blended skinning
// matrix, y = A^-1 u, so that glTF's order, morphing before skinning, reproduces it. All y of one mesh, as a matrix of
// frames by coordinates, are reduced to K targets: the mean, and a truncated singular value decomposition of the rest.
// Weights lie between 0 and 1, since many programs clamp them; with all weights zero, the surface is the rig's alone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/bake/recording.h"
#include "sinew/character/character.h"

namespace sinew {

struct MorphFitOptions {
  int targets = 0;           // per mesh and node; 0: as many as the error bound requires
  double rms_error = 0.001;  // bound on the RMS error of each mesh, as a share of the character's height
  // Target for the largest error, as a multiple of the RMS bound, so that motion of few vertices counts too. At most
  // twice the targets of the RMS bound, and 8, are spent on it.
  double max_to_rms = 5;
  int max_targets = 128;  // per mesh and node, if the bound decides
  bool normals = false;   // true: also stores offsets of normals, so that viewers shade the moved surface
};

// Targets of one part (index into Character::parts).
struct PartMorphs {
  int part = -1;
  // targets x vertices x 3, part's own space (bind space), file units.
  std::vector<float> position;
  // The layout of `position` for unit normals; empty unless requested and available.
  std::vector<float> normal;
};

// Targets of one mesh on one node, whose parts share the weights.
struct MeshMorphs {
  int joint = -1;  // the node, index into Skeleton::joints
  int mesh = -1;   // index in the file
  int targets = 0;
  std::vector<PartMorphs> parts;     // the recorded ones
  std::vector<std::string> names{};  // of the targets; empty: "sinew_0" and so on
  // Per recording: frames x targets, in [0, 1]. The first weight is 1 throughout: its shape is the flesh with all other
  // weights at 0.
  std::vector<std::vector<float>> weights;
  double rms_error = 0, max_error = 0;  // metres, world, over all frames and vertices
};

struct MorphFit {
  double height = 0;                    // metres, of the character in its default pose
  std::vector<MeshMorphs> meshes;       // in ascending order of nodes
  double rms_error = 0, max_error = 0;  // metres, over everything recorded
};

// One basis per mesh and node, shared by all recordings. Reported errors are those of the returned float values, in
// world space against the recordings, at the recorded times. Throws usage_error if a recording does not belong to the
// character or options are invalid.
MorphFit fit_morph_targets(const Character& character, std::span<const Recording> recordings,
                           const MorphFitOptions& options);

}  // namespace sinew
