// Writes corrective shapes as glTF: the original file with morph targets that follow controls of the rig, their weights
// keyed in its clips, and how they are driven in the extras of their meshes, for engines.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include <nlohmann/json_fwd.hpp>

#include "sinew/bake/output/morph_fit.h"
#include "sinew/bake/recording.h"
#include "sinew/character/character.h"
#include "sinew/gltf/document.h"

namespace sinew {

// Key of the drivers in a mesh's extras.
inline constexpr const char* correctives_key = "sinew_correctives";

// `keys`: per recording its clip and times; shapes.meshes[].weights belong to them. Existing drivers of the mesh stay
// before `drivers`. Otherwise like write_gltf_with_flesh(). Returns the bytes of all files written.
std::size_t write_gltf_with_correctives(const GltfDocument& document, const Character& character,
                                        const MorphFit& shapes, std::span<const Recording> keys,
                                        const nlohmann::json& drivers, const std::filesystem::path& out);

}  // namespace sinew
