// KHR_draco_mesh_compression: one compressed primitive, decoded by libdraco.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sinew/gltf/accessor.h"
#include "sinew/gltf/read/read_json.h"
#include "sinew/mesh/triangle_mesh.h"

namespace sinew {

struct DracoAttribute {
  std::uint32_t unique_id = 0;  // in the Draco stream
  AccessorFormat format;        // of the accessor it stands in for; count is ignored
};

struct DracoPrimitive {
  std::size_t points = 0;
  std::vector<Triangle> triangles;
  std::map<std::string, AccessorValues> attributes;  // by glTF name, as AccessorReader would have read them
};

// Throws input_error, naming `place`, where the stream is damaged or lacks an attribute.
DracoPrimitive decode_draco(std::span<const std::byte> bytes, const std::map<std::string, DracoAttribute>& attributes,
                            const JsonView& place);

}  // namespace sinew
