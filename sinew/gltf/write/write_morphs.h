// Adds morph targets to a document under edit and reports on them, for all writers of flesh as glTF.
#pragma once

#include "sinew/bake/output/morph_fit.h"
#include "sinew/character/character.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/gltf/write/write_gltf.h"

namespace sinew {

// Appends the targets of the fit, and the skins of characters that were bound in memory, to the document's meshes.
// Changed primitives lose their Draco compression; meshes on several nodes are duplicated.
void append_morphs(GltfEdit& edit, AccessorReader& reader, const Character& character, const MorphFit& fit);

// The report without file sizes, which stay 0.
FleshWriteReport morph_report(const MorphFit& fit, const GltfDocument& document, const MorphFitOptions& options);

}  // namespace sinew
