// Morph targets in a document being changed, and what is said of them: common to all that write flesh as glTF.
#pragma once

#include "sinew/bake/output/morph_fit.h"
#include "sinew/character/character.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/gltf/write/write_gltf.h"

namespace sinew {

// Appends the targets of the fit, and the skins of characters that were bound in memory, to the document's meshes.
// Primitives that change lose their Draco compression, meshes that several nodes show become several.
void append_morphs(GltfEdit& edit, AccessorReader& reader, const Character& character, const MorphFit& fit);

// Sizes of files are left at 0.
FleshWriteReport morph_report(const MorphFit& fit, const GltfDocument& document, const MorphFitOptions& options);

}  // namespace sinew
