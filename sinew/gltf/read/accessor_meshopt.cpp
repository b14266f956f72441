#include "sinew/gltf/read/accessor_meshopt.h"

#include <meshoptimizer.h>

namespace sinew {
namespace {

// The densest stream of any mode takes two bits for sixteen bytes; larger counts are bogus.
constexpr std::size_t densest_ratio = 256;

}  // namespace

void check_meshopt_stream(const MeshoptStream& stream, const JsonView& place) {
  const auto require = [&](bool condition, const std::string& text) {
    if (!condition) throw place.error(text + "; export the file again.");
  };
  const bool attributes = stream.mode == "ATTRIBUTES";
  require(attributes || stream.mode == "TRIANGLES" || stream.mode == "INDICES",
          "has the unknown mode \"" + stream.mode + "\"");
  if (attributes)
    require(stream.stride > 0 && stream.stride <= 256 && stream.stride % 4 == 0,
            "has a byteStride that is no multiple of 4 up to 256");
  else
    require(stream.stride == 2 || stream.stride == 4, "has indices of neither 2 nor 4 bytes");
  if (stream.mode == "TRIANGLES") require(stream.count % 3 == 0, "has a count that is no multiple of 3");
  require(stream.count / densest_ratio <= stream.bytes.size(), "is too short for what it should unpack to");

  if (stream.filter == "OCTAHEDRAL")
    require(attributes && (stream.stride == 4 || stream.stride == 8),
            "has a filter that needs elements of 4 or 8 bytes");
  else if (stream.filter == "QUATERNION")
    require(attributes && stream.stride == 8, "has a filter that needs elements of 8 bytes");
  else if (stream.filter == "EXPONENTIAL")
    require(attributes, "has a filter that is for attributes only");
  else
    require(stream.filter == "NONE", "has the unknown filter \"" + stream.filter + "\"");
}

std::vector<std::byte> decode_meshopt_stream(const MeshoptStream& stream, const JsonView& place) {
  std::vector<std::byte> decoded(stream.count * stream.stride);
  if (stream.count == 0) return decoded;
  const auto* packed = reinterpret_cast<const unsigned char*>(stream.bytes.data());
  const std::size_t size = stream.bytes.size();
  int status = 0;
  if (stream.mode == "ATTRIBUTES")
    status = meshopt_decodeVertexBuffer(decoded.data(), stream.count, stream.stride, packed, size);
  else if (stream.mode == "TRIANGLES")
    status = meshopt_decodeIndexBuffer(decoded.data(), stream.count, stream.stride, packed, size);
  else
    status = meshopt_decodeIndexSequence(decoded.data(), stream.count, stream.stride, packed, size);
  if (status != 0)
    throw place.error("cannot be unpacked (damaged, or of a newer meshopt codec); export it without compression.");

  if (stream.filter == "OCTAHEDRAL") meshopt_decodeFilterOct(decoded.data(), stream.count, stream.stride);
  if (stream.filter == "QUATERNION") meshopt_decodeFilterQuat(decoded.data(), stream.count, stream.stride);
  if (stream.filter == "EXPONENTIAL") meshopt_decodeFilterExp(decoded.data(), stream.count, stream.stride);
  return decoded;
}

}  // namespace sinew
