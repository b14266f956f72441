#include "sinew/gltf/read/accessor_draco.h"

#include <array>
#include <memory>

#include <draco/compression/decode.h>
#include <draco/core/decoder_buffer.h>
#include <draco/mesh/mesh.h>

namespace sinew {
namespace {

AccessorValues decode_attribute(const draco::Mesh& mesh, const DracoAttribute& wanted, const JsonView& place) {
  const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(wanted.unique_id);
  if (attribute == nullptr)
    throw place.error("names the attribute " + std::to_string(wanted.unique_id) +
                      ", which the compressed data does not have; export the file again.");
  const int components = wanted.format.components();
  if (attribute->num_components() != components)
    throw place.error("has an attribute of " + std::to_string(attribute->num_components()) + " components where " +
                      std::to_string(components) + " are expected; export the file again.");
  AccessorValues result{wanted.format, {}};
  const auto width = static_cast<std::size_t>(components);
  result.format.count = mesh.num_points();
  result.values.resize(result.format.count * width);
  std::array<double, 16> element{};
  for (draco::PointIndex point(0); point < mesh.num_points(); ++point) {
    const draco::AttributeValueIndex value = attribute->mapped_index(point);
    if (value.value() >= attribute->size() ||
        !attribute->ConvertValue<double>(value, static_cast<std::int8_t>(components), element.data()))
      throw place.error("is damaged at vertex " + std::to_string(point.value()) + "; export the file again.");
    for (std::size_t c = 0; c < width; ++c)
      result.values[point.value() * width + c] =
          wanted.format.normalized ? normalize_component(element[c], wanted.format.type) : element[c];
  }
  return result;
}

}  // namespace

DracoPrimitive decode_draco(std::span<const std::byte> bytes, const std::map<std::string, DracoAttribute>& attributes,
                            const JsonView& place) {
  draco::DecoderBuffer buffer;
  buffer.Init(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  auto decoded = draco::Decoder().DecodeMeshFromBuffer(&buffer);
  if (!decoded.ok() || decoded.value() == nullptr)
    throw place.error("cannot be unpacked (" + decoded.status().error_msg_string() +
                      "); export the file without Draco compression.");
  const std::unique_ptr<draco::Mesh> mesh = std::move(decoded).value();
  // The accessor says whether integers are fractions; Draco would convert by its own flag.
  for (int i = 0; i < mesh->num_attributes(); ++i) mesh->attribute(i)->set_normalized(false);

  DracoPrimitive primitive;
  primitive.points = mesh->num_points();
  primitive.triangles.reserve(mesh->num_faces());
  for (draco::FaceIndex face(0); face < mesh->num_faces(); ++face) {
    Triangle triangle{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const draco::PointIndex point = mesh->face(face)[corner];
      if (point.value() >= mesh->num_points())
        throw place.error("has a triangle with a vertex that does not exist; export the file again.");
      triangle[corner] = static_cast<int>(point.value());
    }
    primitive.triangles.push_back(triangle);
  }
  for (const auto& [name, attribute] : attributes)
    primitive.attributes.emplace(name, decode_attribute(*mesh, attribute, place));
  return primitive;
}

}  // namespace sinew
