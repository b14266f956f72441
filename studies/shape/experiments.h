// Experiments with force rigs (Capell 2004, chapter 6): figures 6.1, 6.3 and 6.4, a hidden field, morph targets.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "studies/shape/shape_subject.h"

namespace sinew {

// Figures 6.3 and 6.4: forces fitted to the skin of a limb, bent by 90 degrees, interpolated to other bends. The truth
// is the static equilibrium of the same flesh if it remembers its shape at rest, not the rig's, in nonlinear
// elasticity.
struct BentLimbPose {
  double degrees = 0;
  SkinDistance rig, forces;  // from the truth, of the skin that the joint and its parent move, metres
  std::vector<Vec3> rig_skin, forces_skin, true_skin;
};
struct BentLimb {
  std::string joint;
  std::vector<int> skin;  // the vertices compared
  std::vector<BentLimbPose> poses;
  std::vector<std::pair<double, std::vector<Vec3>>> samples;  // of the fitted rig: degrees, and forces on the skin
  double seconds = 0;                                         // of the fit
  int iterations = 0;
};
// `joint`: the one that bends, about the axis of the clips unless it is named (joint_turns.h).
BentLimb bent_limb_experiment(ShapeSubject& subject, const std::string& joint, const Progress& progress);

// The skin that breathing and a flexed biceps make, or another two presets, as a target: exactly, and with noise of
// 0.5 % of the height on each coordinate.
struct HiddenFieldRow {
  double smoothness = 0;
  SkinDistance exact, noisy;  // from the shape without noise, all skin, metres
};
struct HiddenField {
  SkinDistance target;  // from the rig
  std::vector<HiddenFieldRow> rows;
};
HiddenField hidden_field_experiment(ShapeSubject& subject, const std::vector<std::string>& presets,
                                    const Progress& progress);

// Morph targets as forces.
struct MorphRow {
  std::string name;
  SkinDistance before, after;  // metres, of all skin
  double moved = 0;            // share of the target's mean square that flesh makes
};
std::vector<MorphRow> morph_experiment(ShapeSubject& subject, const Progress& progress);

// Figure 6.1: presets in static equilibrium.
struct PresetShape {
  std::string name;
  double largest = 0;  // displacement of the skin, metres
  // Share of the mean square displacement of the bone's skin that is a rigid motion of it, which shapes nothing.
  double carried = 0;
  std::vector<Vec3> skin;
};
std::vector<PresetShape> preset_experiment(ShapeSubject& subject, const std::vector<std::string>& presets);

}  // namespace sinew
