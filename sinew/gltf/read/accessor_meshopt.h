// Decodes EXT_meshopt_compression, one buffer view at a time, by libmeshoptimizer.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/gltf/read/read_json.h"

namespace sinew {

struct MeshoptStream {
  std::size_t count = 0, stride = 0;  // elements, bytes per element
  std::string mode, filter;           // as spelled in the extension
  std::span<const std::byte> bytes;   // compressed
};

// Throws input_error that names `place` if mode, filter, stride and count are inconsistent.
void check_meshopt_stream(const MeshoptStream& stream, const JsonView& place);

// Returns count x stride filtered bytes. The stream must have passed check_meshopt_stream(). Throws input_error if the
// data is damaged or of an unsupported codec version.
std::vector<std::byte> decode_meshopt_stream(const MeshoptStream& stream, const JsonView& place);

}  // namespace sinew
