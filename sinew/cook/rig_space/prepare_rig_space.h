// From a character and settings to a body that rig-space physics can run: rig, free parameters, body, material.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/rig.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/rig_space/rig_space_settings.h"
#include "sinew/deform/rig_space/rig_space_body.h"
#include "sinew/files/rig_file.h"

namespace sinew {

// Makes a rig of a character that answers for these vertices of its simulation surface; empty: for all.
using RigMaker = std::function<MadeRig(std::span<const int> vertices)>;

struct CookedRigSpace {
  SimulationSurface surface;
  std::vector<int> used;               // vertices of the surface that carry the body, ascending
  std::shared_ptr<Rig> rig;            // of these
  std::shared_ptr<Rig> whole_rig;      // of the whole surface, to show
  std::shared_ptr<CharacterRig> own;   // the same as the one that the file describes; null: it is a program outside
  std::vector<int> free;               // parameters that physics moves
  std::shared_ptr<RigSpaceBody> body;  // without a map to its inside until one is learned (learn_skinning.h)
  RigSpaceDynamics dynamics;
  MaterialDecision material;
  double height = 0;  // metres
  std::vector<StageReport> stages;
  std::vector<std::string> notes;
};

// The scene up to its material, which needs the map to the inside. Throws usage_error or input_error with all that is
// wrong with what is to be free.
CookedRigSpace prepare_rig_space(const Character& character, const RigSpaceSettings& settings, const RigMaker& make_rig,
                                 const Progress& progress = {});

// Where the settings want it: what the map to the inside, which the body has by now, leaves out of the free parameters.
void correct_interior(CookedRigSpace& scene, const RigSpaceSettings& settings);

// Sets Young's modulus so that the lowest frequency of the free parameters in the rest pose is the look's, and damping
// with it, unless the settings say them.
void decide_rig_space_material(CookedRigSpace& scene, const RigSpaceSettings& settings);

}  // namespace sinew
