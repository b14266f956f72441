// Learns how the inside of a body follows its surface from examples (Hahn 2013, section 4.2): poses of clips, exercises
// of the free parameters within their ranges, and motion after shaking the character, each with the inside in
// equilibrium.
#pragma once

#include <span>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/rig_space/prepare_rig_space.h"
#include "sinew/deform/rig_space/volumetric_skinning.h"

namespace sinew {

struct SkinningExamples {
  std::vector<Vec3> positions;  // poses x vertices of the body, world, metres
  int poses = 0;
  int skipped = 0;  // poses left out because the inside found no equilibrium
  int newton_steps = 0;
};

// A keyed animation of the rig, which may be empty, and the times of its first and last key, seconds.
struct ExampleClip {
  const RigAnimation* animation = nullptr;
  double begin = 0, end = 0;
};

// Makes the examples; deterministic. Throws input_error if no pose has an equilibrium, Stopped where `progress` asks
// for it.
SkinningExamples make_examples(const CookedRigSpace& cooked, std::span<const ExampleClip> clips,
                               const RigSpaceSettings& settings, const Progress& progress = {});

// Learns the map to the inside from the examples and stores it in the body.
VolumetricSkinning learn_skinning(CookedRigSpace& cooked, const SkinningExamples& examples,
                                  const RigSpaceSettings& settings, const Progress& progress = {});

}  // namespace sinew
