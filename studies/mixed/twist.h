// Song et al. (2024), figure 9: a bar twisted at a joint, with one rotation per cluster and with rotations interpolated
// along the body.
#pragma once

#include <vector>

#include "sinew/base/progress.h"
#include "studies/common/measures.h"
#include "studies/mixed/bar.h"

namespace sinew {

struct TwistPose {
  MixedMaterial material = MixedMaterial::arap;
  double reach = 0;  // of the rotation field; 0: clusters
  double degrees = 0;
  bool solved = false;  // false: no equilibrium was found, and the other members are invalid
  std::vector<Vec3> positions;
  MeshMeasures body;
  double smallest_section = 1;  // least area of a section, projected along the axis; 1 at rest
  double energy = 0;  // elastic, with the closest rotations, relative to Young's modulus times the bar's volume
};

struct TwistOptions {
  BarShape shape;
  Material material{3e4, 0.45, 1000};
  std::vector<double> degrees{60, 120, 170};
  std::vector<double> reaches{0, 1, 3};  // clusters; the default; the best one for twists
};

std::vector<TwistPose> twist_experiment(const Bar& bar, const TwistOptions& options = {},
                                        const Progress& progress = {});

}  // namespace sinew
