// The inside of a body learned from examples (Hahn 2013, section 4.2): poses of clips, calisthenics of the free
// parameters within their ranges, and what follows when the character is shaken, each with its inside in equilibrium.
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
  int skipped = 0;  // whose inside found no equilibrium
  int newton_steps = 0;
};

// `animation`s: what is keyed of the rig, with the times of their first and last keys; may be empty.
struct ExampleClip {
  const RigAnimation* animation = nullptr;
  double begin = 0, end = 0;
};

// Deterministic. Throws input_error where no pose at all has an equilibrium, Stopped where `progress` asks for it.
SkinningExamples make_examples(const CookedRigSpace& scene, std::span<const ExampleClip> clips,
                               const RigSpaceSettings& settings, const Progress& progress = {});

// Learns from examples and gives the body its map to the inside.
VolumetricSkinning learn_skinning(CookedRigSpace& scene, const SkinningExamples& examples,
                                  const RigSpaceSettings& settings, const Progress& progress = {});

}  // namespace sinew
