// Decodes KHR_draco_mesh_compression, one primitive at a time, by libdraco.
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
  AccessorFormat format;        // of the accessor that it replaces; `count` is ignored
};

struct DracoPrimitive {
  std::size_t points = 0;
  std::vector<Triangle> triangles;
  std::map<std::string, AccessorValues> attributes;  // by glTF name, in the form that AccessorReader returns
};

// Throws input_error that names `place` if the stream is damaged or lacks an attribute.
DracoPrimitive decode_draco(std::span<const std::byte> bytes, const std::map<std::string, DracoAttribute>& attributes,
                            const JsonView& place);

}  // namespace sinew
