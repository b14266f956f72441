// The meshes among colliders, read and made solid.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/contact/solid_mesh.h"
#include "sinew/deform/collider_settings.h"

namespace sinew {

// Per collider: what its mesh encloses in the default pose, metres, world; null for other shapes. Throws, naming the
// setting, usage_error for a node that shows no rigid mesh and input_error for a mesh that cannot be read, encloses
// nothing, or is too thin to be told.
std::vector<std::shared_ptr<const SolidMesh>> collider_solids(const Character& character,
                                                              std::span<const ColliderSettings> colliders);

}  // namespace sinew
