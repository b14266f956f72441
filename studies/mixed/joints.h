// Song et al. (2024), figure 6: hip, shoulder and elbow of characters, bent and twisted by mixed elements, which do not
// use weights, and by linear and dual quaternion skinning with the weights of the file.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/mixed/prepare_mixed.h"
#include "studies/mixed/limb_joints.h"

namespace sinew {

enum class SkinningMethod {
  linear,
  dual_quaternion,
  mixed_arap,  // clusters by the nearest segment; this and the next do not use weights
  mixed_corotated,
  mixed_weighted,  // co-rotated, clusters by the strongest weight
};
inline constexpr std::array skinning_methods{SkinningMethod::linear, SkinningMethod::dual_quaternion,
                                             SkinningMethod::mixed_arap, SkinningMethod::mixed_corotated,
                                             SkinningMethod::mixed_weighted};

std::string_view name_of(SkinningMethod method);

struct JointFrame {
  double degrees = 0;
  // Relative to rest, of the body near the joint: within twice its distance from the skin, at least 7 % of the
  // character's height.
  double region_volume = 1;
  double body_volume = 1;      // of the whole body, relative to rest
  double largest_stretch = 1;  // extremes of the singular values of all triangles of the surface
  double smallest_stretch = 1;
  int inverted = 0;  // number of inverted tetrahedra of the body
};

struct JointRun {
  std::string character;
  Limb limb = Limb::hip;
  bool twist = false;
  SkinningMethod method = SkinningMethod::linear;
  std::vector<JointFrame> frames;
  double milliseconds = 0;  // mixed: time to solve, median over the frames
};

// A posed surface, for pictures.
struct JointPicture {
  Limb limb = Limb::hip;
  bool twist = false;
  double degrees = 0;
  SkinningMethod method = SkinningMethod::linear;
  std::vector<Vec3> surface;         // of the simulation surface's vertices, metres
  std::vector<double> volume_ratio;  // of the body around each vertex
};

struct JointExperiment {
  std::vector<JointRun> runs;
  std::vector<JointPicture> pictures;  // of the last frames
  SimulationSurface surface;           // at rest
  std::vector<LimbTurn> turns;         // per limb that was found: the bend
  std::vector<Limb> limbs;
  double height = 0;  // metres
};

struct JointOptions {
  double bend = 90, twist = 120, step = 15;  // degrees
  int tetrahedra = 8000;
};

// Computes all frames after the first step. All methods move the same tetrahedra: by the weights of its vertices,
// extended from the skin into the body, or by the solution. Limbs that are not found are left out. Throws input_error
// where none is found, or the character has no skin weights.
JointExperiment joint_experiment(const Character& character, const std::string& name, const JointOptions& options = {},
                                 const Progress& progress = {});

}  // namespace sinew
