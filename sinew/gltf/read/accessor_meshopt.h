// EXT_meshopt_compression: one compressed buffer view, decoded by libmeshoptimizer.
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

// Throws input_error, naming `place`, where mode, filter, stride and count do not go together.
void check_meshopt_stream(const MeshoptStream& stream, const JsonView& place);

// count x stride bytes, filtered. The stream must have passed check_meshopt_stream. Throws
// input_error where the data is damaged or of a newer codec than the library knows.
std::vector<std::byte> decode_meshopt_stream(const MeshoptStream& stream, const JsonView& place);

}  // namespace sinew
