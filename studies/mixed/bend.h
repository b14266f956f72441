// Song et al. (2024), figure 4: a bar bent beyond 90 degrees, with mixed elements, and with standard finite elements to
// which the skeleton is only pinned vertices.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "studies/common/measures.h"
#include "studies/mixed/bar.h"

namespace sinew {

enum class BendMethod {
  clusters,     // mixed elements, a rotation for each bone's cluster
  smooth,       // mixed elements, rotations interpolated along the body
  patches,      // as smooth, with strain measured over patches of tetrahedra, which do not lock
  fem_handles,  // nonlinear equilibrium, with the three vertices nearest to each handle held
  fem_bones,    // nonlinear equilibrium, with all vertices along the bones held
};

struct BendPose {
  double degrees = 0;
  bool solved = false;  // false: no equilibrium was found, and the other members are invalid
  std::vector<Vec3> positions;
  MeshMeasures body;
  double followed_degrees = 0;  // mean rotation of the outer half of the second bone's flesh
  double largest_offset = 0;    // of a vertex of the axis from the posed skeleton, relative to the bar's width
  double rms_offset = 0;        // of all those vertices
};

struct BendRun {
  BendMethod method;
  MixedMaterial material;
  std::vector<BendPose> poses;
  double milliseconds = 0;  // median over all frames of the motion
  double solves = 0;        // linear systems per frame, mean
};

struct BendOptions {
  BarShape shape;
  Material material{3e4, 0.45, 1000};
  std::vector<double> degrees{45, 90, 120, 135};  // poses that are pictured and measured
  double step = 5;                                // degrees between frames
};

// Bends the bar frame by frame. Mixed elements solve each frame from rest; the others start from the last frame, as
// they would not converge otherwise. If a frame has no equilibrium, later frames are left out.
BendRun bend(const Bar& bar, BendMethod method, MixedMaterial material, const BendOptions& options = {});

// Runs clusters and smooth rotations for all materials, patches for ARAP and co-rotated, and both kinds of pins for
// finite elements (co-rotated energy).
std::vector<BendRun> bend_experiment(const Bar& bar, const BendOptions& options = {}, const Progress& progress = {});

std::string_view name_of(BendMethod method);
bool is_mixed(BendMethod method);

// Vertices held by the two kinds of pins, and the bone that moves each.
struct HeldVertices {
  std::vector<int> vertex, bone;
};
HeldVertices near_handles(const Bar& bar, int per_handle = 3);
HeldVertices along_bones(const Bar& bar);

}  // namespace sinew
