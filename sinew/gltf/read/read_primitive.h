// Decodes one primitive of a glTF mesh, before its node and skin are known.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/defects.h"
#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_json.h"

namespace sinew {

struct Primitive {
  bool has_positions = false;             // a primitive without POSITION shows nothing and is skipped
  Part part;                              // without node, skin and influences
  std::size_t influences_per_vertex = 0;  // 4 per pair of JOINTS_n and WEIGHTS_n
  std::vector<double> joints, weights;    // vertices x influences_per_vertex, as stored
};

// Throws input_error for invalid indices, counts, formats and positions.
Primitive read_primitive(const JsonView& primitive, const JsonView& root, const std::string& name,
                         AccessorReader& accessors, std::vector<Defect>& repairs);

// Unit tangents of a primitive of the document, per vertex, without the sign w of TANGENT; empty if it has none, or one
// that is not a number.
std::vector<Vec3> read_tangents(const GltfDocument& document, int mesh, int primitive, AccessorReader& accessors);

}  // namespace sinew
