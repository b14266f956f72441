// Takes keys that no animation plays any more out of a document's buffers.
#pragma once

#include "sinew/gltf/document.h"

namespace sinew {

// Returns `edited` without the bytes of accessors that animations of `before` used and that nothing in `edited` uses.
// Indices stay as they are: an accessor without its bytes is one zero, without a buffer view. Bytes that anything else
// uses stay too, and so does all of a document with extensions that are not known, which may use any of them.
GltfDocument without_lost_keys(const GltfDocument& edited, const GltfDocument& before);

}  // namespace sinew
