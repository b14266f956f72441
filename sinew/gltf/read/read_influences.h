// Converts stored skin weights to Influences.
#pragma once

#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/read/read_primitive.h"

namespace sinew {

// For each vertex, leaves out weights that are NaN, infinite or negative and joints that the skin does not have, sums
// weights of the same joint, keeps the eight largest, and normalises. A vertex with nothing left follows the joint of
// its first influence, or the skin's first joint, as in three.js. Each kind of repair is reported with its vertices.
//
// Throws input_error if all positive weights of a vertex are on joints that do not exist.
std::vector<Influences> resolve_influences(const Primitive& primitive, const Skin& skin, const std::string& file,
                                           std::vector<Defect>& repairs);

}  // namespace sinew
