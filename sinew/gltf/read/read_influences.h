// Skin weights as stored, turned into the Influences that the library works with.
#pragma once

#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/read/read_primitive.h"

namespace sinew {

// Per vertex: weights that are NaN, infinite or negative and joints that the skin does not have are
// left out, a joint that is named twice gets the sum, the eight largest weights stay and are scaled
// to a sum of one. A vertex with nothing left follows the joint that its first influence names (the
// skin's first joint where it names none), as three.js shows it. Each of these repairs is reported
// with its vertices.
//
// Throws input_error where a vertex has positive weights, but only on joints that do not exist.
std::vector<Influences> resolve_influences(const Primitive& primitive, const Skin& skin, const std::string& file,
                                           std::vector<Defect>& repairs);

}  // namespace sinew
