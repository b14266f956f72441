// Song et al. (2024), figure 4: a bar bent beyond 90 degrees, by mixed elements and by finite elements as usual, which
// know the skeleton by pinned vertices only.
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
  smooth,       // mixed elements, rotations blended along the body
  patches,      // the same, strain measured over patches of tetrahedra, which do not lock
  fem_handles,  // nonlinear equilibrium, the three vertices nearest to each handle held
  fem_bones,    // nonlinear equilibrium, all vertices along the bones held
};

struct BendPose {
  double degrees = 0;
  bool solved = false;  // false: no equilibrium was found, and nothing below holds
  std::vector<Vec3> positions;
  MeshMeasures body;
  double followed_degrees = 0;  // mean turn of the outer half of the second bone's flesh
  double largest_offset = 0;    // of a vertex of the axis from the posed skeleton, over the bar's width
  double rms_offset = 0;        // of all of them
};

struct BendRun {
  BendMethod method;
  MixedMaterial material;
  std::vector<BendPose> poses;
  double milliseconds = 0;  // median over all frames of the motion
  double solves = 0;        // linear systems a frame, mean
};

struct BendOptions {
  BarShape shape;
  Material material{3e4, 0.45, 1000};
  std::vector<double> degrees{45, 90, 120, 135};  // shown and measured
  double step = 5;                                // degrees from frame to frame
};

// The bar is bent frame by frame. Mixed elements solve each frame from rest; the others start from the last frame,
// without which they would not arrive. Where a frame has no equilibrium, the frames after it are left out.
BendRun bend(const Bar& bar, BendMethod method, MixedMaterial material, const BendOptions& options = {});

// Clusters and smooth rotations for all materials, patches for ARAP and co-rotated, and both pinnings of finite
// elements (co-rotated energy).
std::vector<BendRun> bend_experiment(const Bar& bar, const BendOptions& options = {}, const Progress& progress = {});

std::string_view name_of(BendMethod method);
bool is_mixed(BendMethod method);

// Vertices held by the two pinnings, and the bone that moves each.
struct HeldVertices {
  std::vector<int> vertex, bone;
};
HeldVertices near_handles(const Bar& bar, int per_handle = 3);
HeldVertices along_bones(const Bar& bar);

}  // namespace sinew
