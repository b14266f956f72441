// Opens a character and its rig for rig-space physics.
#pragma once

#include <memory>
#include <vector>

#include "sinew/cook/rig_space/learn_skinning.h"
#include "sinew/cook/rig_space/prepare_rig_space.h"
#include "sinew/deform/cook_stage.h"
#include "sinew/files/skinning_file.h"

namespace sinew {

struct OpenRigSpace {
  std::shared_ptr<CookedRigSpace> cooked;
  // The whole surface as viewers pose it, without layers and with linear skinning; null: the rig does no more.
  std::shared_ptr<Rig> plain_rig;
  std::vector<std::shared_ptr<const RigAnimation>> animations;  // per clip
};

// Prepares everything up to the material, without a map to the inside. Throws what prepare_rig_space() throws, and
// input_error if the rig's file cannot be used.
OpenRigSpace open_rig_space(const RigSpaceSettings& settings, const Character& character, const Progress& progress);

// Key of a learned map to the inside: the body and the parameters that it was learned for.
SkinningKey skinning_key(const CookedRigSpace& cooked);

struct FoundSkinning {
  SkinningFile file;           // the map
  int poses = 0, skipped = 0;  // examples
  double examples_seconds = 0;
  VolumetricSkinningReport learned;
};

// The stage of a cook in which the method learns the map, if its settings ask for one and name no file.
using FoundSkinningStage = CookStage<FoundSkinning>;

// Learns the map to the inside from examples. The result does not depend on look and damping.
FoundSkinning find_skinning(const OpenRigSpace& open, const Character& character, const RigSpaceSettings& settings,
                            const Progress& progress);
// Stores the map in the body.
void use_skinning(const FoundSkinning& found, CookedRigSpace& cooked);

// With RestShape::body, where the modelled body is free of stress, keys of free parameters have no meaning as goals.
// Throws input_error that names all free parameters that this clip moves. Keys that leave them at rest are accepted.
void refuse_keyed(const CookedRigSpace& cooked, const RigAnimation& animation, const std::string& file,
                  const std::string& clip);

}  // namespace sinew
