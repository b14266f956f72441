// The humanoid bones that VRM files name: VRM 0 (extension VRM), VRM 1 (VRMC_vrm) and VRMA (VRMC_vrm_animation).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sinew/gltf/document.h"

namespace sinew {

// Humanoid bones by VRM's names ("hips", "leftUpperLeg") with the indices of their nodes; empty if the file has none.
// Throws input_error where the map is broken.
std::vector<std::pair<std::string, int>> read_humanoid(const GltfDocument& document);

}  // namespace sinew
