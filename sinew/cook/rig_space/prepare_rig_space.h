// Prepares a character for rig-space physics: rig, free parameters, body, material.
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
#include "sinew/deform/limb_curves.h"
#include "sinew/deform/rig_space/rig_space_body.h"
#include "sinew/files/rig_file.h"

namespace sinew {

// Makes a character's rig for these vertices of its simulation surface; for all of them if the list is empty.
using RigMaker = std::function<MadeRig(std::span<const int> vertices)>;

struct CookedRigSpace {
  SimulationSurface surface;
  std::vector<int> used;           // surface vertices that carry the body, ascending
  std::shared_ptr<Rig> rig;        // for the vertices `used`
  std::shared_ptr<Rig> whole_rig;  // for the whole surface, for output
  std::shared_ptr<CharacterRig>
      own;                // the rig that the file describes, equal to `rig`; null if the rig is an external program
  std::vector<int> free;  // parameters that physics moves
  std::shared_ptr<RigSpaceBody> body;  // without a map to its inside until one is learned (learn_skinning.h)
  RigSpaceDynamics dynamics;
  MaterialDecision material;
  double height = 0;  // metres
  std::vector<StageReport> stages;
  std::vector<std::string> notes;
};

// The painted fields that the method obeys.
std::vector<FieldInUse> rig_space_fields();

// Prepares everything up to the material, which needs the map to the inside. Throws usage_error or input_error that
// lists all problems with the choice of free parameters.
CookedRigSpace prepare_rig_space(const Character& character, const RigSpaceSettings& settings, const RigMaker& make_rig,
                                 const Progress& progress = {});

// Adds the correction for motion of the free parameters that the map to the inside leaves out, if the settings ask for
// it. The body must have its map.
void correct_interior(CookedRigSpace& cooked, const RigSpaceSettings& settings);

// Sets Young's modulus so that the lowest frequency of the free parameters in the rest pose is the look's, and damping
// with it, unless the settings give them.
void decide_rig_space_material(CookedRigSpace& cooked, const RigSpaceSettings& settings);

}  // namespace sinew
