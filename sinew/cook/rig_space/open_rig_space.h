// A character and a rig made ready for rig-space physics.
#pragma once

#include <memory>
#include <vector>

#include "sinew/cook/rig_space/learn_skinning.h"
#include "sinew/cook/rig_space/prepare_rig_space.h"
#include "sinew/files/skinning_file.h"

namespace sinew {

// A character made ready for rig-space physics.
struct OpenRigSpace {
  std::shared_ptr<CookedRigSpace> cooked;
  std::shared_ptr<Rig> plain_rig;  // of the whole surface, without layers; null: there are none
  std::vector<std::shared_ptr<const RigAnimation>> animations;  // per clip
};

// Up to the material, without a map to the inside. Throws what prepare_rig_space() throws, and input_error where the
// file of the rig cannot be used.
OpenRigSpace open_rig_space(const RigSpaceSettings& settings, const Character& character, const Progress& progress);

// What the inside was learned for: this body, and these parameters.
SkinningKey skinning_key(const CookedRigSpace& scene);

struct FoundSkinning {
  int poses = 0, skipped = 0;  // examples
  double examples_seconds = 0;
  VolumetricSkinningReport learned;
};

// Finds the map to the inside from examples. The scene's body has it then.
FoundSkinning find_skinning(const OpenRigSpace& open, const Character& character, const RigSpaceSettings& settings,
                            const Progress& progress);

// Where the modelled body is without stress (RestShape::body), no key is a goal: throws input_error naming all free
// parameters that the clip of this name moves. Keys that leave them at rest are let be.
void refuse_keyed(const CookedRigSpace& cooked, const RigAnimation& animation, const std::string& file,
                  const std::string& clip);

}  // namespace sinew
