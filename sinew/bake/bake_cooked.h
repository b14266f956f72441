// bake() of what a method's own cook made, for those who have that at hand.
#pragma once

#include <string>

#include "sinew/bake/bake.h"

namespace sinew {

// What is cooked has to outlive the call.
BakeResult bake_flesh(const Character& character, const FleshScene& cooked, const FleshSettings& settings,
                      const BakeOptions& options, const Progress& progress = {});
BakeResult bake_mixed(const Character& character, const MixedScene& cooked, const MixedSettings& settings,
                      const BakeOptions& options, const Progress& progress = {});
BakeResult bake_surface(const Character& character, const SurfaceScene& cooked, const BakeOptions& options,
                        const Progress& progress = {});

// `animation`: the options' clip as parameters of cooked.rig; null: the rest pose. Throws what refuse_keyed() throws.
BakeResult bake_rig_space(const Character& character, const RigSpaceScene& cooked, const RigSpaceSettings& settings,
                          const RigAnimation* animation, const BakeOptions& options, const Progress& progress = {});

// Where the modelled body is without stress (RestShape::body), no key is a goal: throws input_error naming all free
// parameters that the clip of this name moves. Keys that leave them at rest are let be.
void refuse_keyed(const RigSpaceScene& scene, const RigAnimation& animation, const std::string& file,
                  const std::string& clip);

}  // namespace sinew
