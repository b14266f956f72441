#include "sinew/gltf/read/read_primitive.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "sinew/base/index.h"
#include "sinew/gltf/read/accessor_draco.h"
#include "sinew/gltf/read/read_materials.h"

namespace sinew {
namespace {

enum class Mode : std::size_t {
  points = 0,
  lines = 1,
  line_loop = 2,
  line_strip = 3,
  triangles = 4,
  strip = 5,
  fan = 6
};

constexpr double largest_coordinate = 1e6;  // of a texture; beyond it, single precision cannot distinguish pixels

// Attributes of one primitive by name, from its accessors or its Draco stream.
class AttributeSource {
 public:
  AttributeSource(const JsonView& primitive, AccessorReader& accessors)
      : primitive_(primitive), attributes_(primitive.at("attributes").require_object()), accessors_(accessors) {
    // Attributes that Sinew does not read must still exist and have one element per position.
    const auto positions = accessor("POSITION");
    for (const auto& [name, view] : attributes_.members()) {
      const std::size_t index = view.to_index(accessors.accessor_count(), "accessor");
      if (positions && accessors.format(index).count != accessors.format(*positions).count)
        throw view.error("has " + std::to_string(accessors.format(index).count) + " elements, but POSITION has " +
                         std::to_string(accessors.format(*positions).count) + "; export the file again.");
    }
    const auto extensions = primitive.find("extensions");
    if (!extensions) return;
    if (const auto packed = extensions->find("KHR_draco_mesh_compression")) unpack(*packed);
  }

  std::optional<std::size_t> accessor(const char* name) const {
    return attributes_.index(name, accessors_.accessor_count(), "accessor");
  }
  JsonView view(const char* name) const { return attributes_.at(name); }

  std::optional<AccessorValues> read(const char* name) {
    const auto index = accessor(name);
    if (!index) return std::nullopt;
    if (const auto unpacked = draco_.attributes.find(name); unpacked != draco_.attributes.end())
      return std::move(unpacked->second);
    return accessors_.read(*index);
  }

  bool is_draco() const { return is_draco_; }
  std::vector<Triangle>& draco_triangles() { return draco_.triangles; }

 private:
  void unpack(const JsonView& packed) {
    std::map<std::string, DracoAttribute> wanted;
    for (const auto& [name, id] : packed.at("attributes").members()) {
      const auto index = accessor(name.c_str());
      if (!index) throw id.error("is compressed, but the primitive has no accessor for it; export the file again.");
      const std::size_t unique_id = id.to_integer();
      if (unique_id > 0xffffffffu) throw id.error("is no attribute of the compressed data; export the file again.");
      wanted[name] = {static_cast<std::uint32_t>(unique_id), accessors_.format(*index)};
    }
    const JsonView view = packed.at("bufferView");
    const auto positions = accessor("POSITION");
    if (!positions) throw packed.error("compresses a primitive without POSITION; export the file again.");
    const std::size_t view_index = view.to_index(accessors_.buffer_view_count(), "buffer view");
    draco_ = decode_draco(accessors_.buffer_view(view_index), wanted, packed);
    for (const auto& [name, values] : draco_.attributes) accessors_.spend(values.values.size());
    const std::size_t expected = accessors_.format(*positions).count;
    if (draco_.points != expected)
      throw packed.error("unpacks to " + std::to_string(draco_.points) + " vertices, but POSITION announces " +
                         std::to_string(expected) + "; export the file again.");
    is_draco_ = true;
  }

  JsonView primitive_, attributes_;
  AccessorReader& accessors_;
  DracoPrimitive draco_;
  bool is_draco_ = false;
};

void require_format(const AttributeSource& source, const char* name, bool valid) {
  if (!valid)
    throw source.view(name).error("has a type that " + std::string(name) + " may not have; export the file again.");
}

bool is_vector(const AccessorFormat& format, int components) {
  return format.columns == 1 && format.rows == components;
}

std::vector<Vec3> to_vectors(const AccessorValues& values) {
  std::vector<Vec3> vectors(values.format.count);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const auto v = values.element(i);
    vectors[i] = {v[0], v[1], v[2]};
  }
  return vectors;
}

void require_finite(const std::vector<Vec3>& vectors, const JsonView& place, const char* what) {
  for (std::size_t i = 0; i < vectors.size(); ++i)
    if (!is_finite(vectors[i]))
      throw place.error("has " + std::string(what) + " that is not a number, at vertex " + std::to_string(i) +
                        "; repair the mesh and export it again.");
}

std::vector<int> vertices_where(const std::vector<Vec3>& vectors, bool (*is_bad)(const Vec3&)) {
  std::vector<int> found;
  for (std::size_t i = 0; i < vectors.size(); ++i)
    if (is_bad(vectors[i])) found.push_back(static_cast<int>(i));
  return found;
}

void read_normals(AttributeSource& source, Part& part, std::vector<Defect>& repairs) {
  const auto values = source.read("NORMAL");
  if (!values) return;
  require_format(source, "NORMAL", is_vector(values->format, 3));
  part.normals = to_vectors(*values);
  for (Vec3& normal : part.normals) normal = normalized(normal);
  std::vector<int> bad = vertices_where(part.normals, [](const Vec3& n) { return !is_finite(n); });
  if (bad.empty()) return;
  repairs.push_back({"NaN", part.name, "vertex", std::move(bad),
                     "The normals of the part are ignored and computed from its triangles."});
  part.normals.clear();
}

void read_colors(AttributeSource& source, Part& part, std::vector<Defect>& repairs) {
  const auto values = source.read("COLOR_0");
  if (!values) return;
  require_format(source, "COLOR_0", is_vector(values->format, 3) || is_vector(values->format, 4));
  part.colors = to_vectors(*values);
  std::vector<int> bad = vertices_where(part.colors, [](const Vec3& c) { return !is_finite(c); });
  if (bad.empty()) return;
  repairs.push_back({"NaN", part.name, "vertex", std::move(bad), "The vertex colours of the part are ignored."});
  part.colors.clear();
}

// Multipliers per vertex. Some exporters put another underscore before the attribute's.
std::vector<double> read_painted(AttributeSource& source, const std::string& attribute, bool may_be_negative,
                                 const Part& part, std::vector<Defect>& repairs) {
  const std::string longer = "_" + attribute;
  const bool is_there = source.accessor(attribute.c_str()).has_value();
  if (is_there && source.accessor(longer.c_str()))
    repairs.push_back({"attribute given twice", part.name, "", {}, attribute + " counts, " + longer + " is ignored."});
  const char* name = is_there ? attribute.c_str() : longer.c_str();
  const auto values = source.read(name);
  if (!values) return {};
  require_format(source, name, is_vector(values->format, 1));
  for (std::size_t i = 0; i < values->values.size(); ++i)
    if (!std::isfinite(values->values[i]) || (values->values[i] < 0 && !may_be_negative))
      throw source.view(name).error((may_be_negative ? "is not" : "is negative or not") +
                                    std::string(" a number at vertex ") + std::to_string(i) + "; paint values " +
                                    (may_be_negative ? "that are numbers." : "of zero or more."));
  return values->values;
}

// Targets move positions by POSITION offsets; targets without them leave the surface as it is.
void read_targets(const JsonView& primitive, AccessorReader& accessors, Part& part) {
  const std::size_t count = part.surface.positions.size();
  for (const JsonView& target : primitive.elements("targets")) {
    for (const auto& [name, view] : target.require_object().members()) {
      const AccessorFormat format = accessors.format(view.to_index(accessors.accessor_count(), "accessor"));
      if (format.count != count)
        throw view.error("has " + std::to_string(format.count) + " elements, but the primitive has " +
                         std::to_string(count) + " vertices; export the file again.");
    }
    const auto accessor = target.index("POSITION", accessors.accessor_count(), "accessor");
    accessors.spend(3 * count);
    std::vector<Vec3>& offsets = part.targets.emplace_back(count);
    if (!accessor) continue;
    const AccessorValues values = accessors.read(*accessor);
    if (!is_vector(values.format, 3)) throw target.error("has offsets that are not VEC3; export the file again.");
    offsets = to_vectors(values);
    require_finite(offsets, target, "an offset");
  }
}

// All sets of four influences in the file: JOINTS_0 and WEIGHTS_0, JOINTS_1 and WEIGHTS_1, ...
void read_influences(AttributeSource& source, const JsonView& primitive, Primitive& result) {
  const std::size_t vertices = result.part.surface.positions.size();
  std::vector<AccessorValues> joints, weights;
  for (std::size_t set = 0;; ++set) {
    const std::string joints_name = "JOINTS_" + std::to_string(set), weights_name = "WEIGHTS_" + std::to_string(set);
    auto joint_set = source.read(joints_name.c_str()), weight_set = source.read(weights_name.c_str());
    if (joint_set.has_value() != weight_set.has_value())
      throw primitive.error("has only one of " + joints_name + " and " + weights_name + "; export the file again.");
    if (!joint_set) break;
    const AccessorFormat& format = joint_set->format;
    require_format(source, joints_name.c_str(),
                   is_vector(format, 4) && !format.normalized && format.type != ComponentType::f32 &&
                       format.type != ComponentType::i8 && format.type != ComponentType::i16);
    require_format(source, weights_name.c_str(), is_vector(weight_set->format, 4));
    joints.push_back(std::move(*joint_set));
    weights.push_back(std::move(*weight_set));
  }
  const std::size_t width = 4 * joints.size();
  result.influences_per_vertex = width;
  result.joints.resize(vertices * width);
  result.weights.resize(vertices * width);
  for (std::size_t set = 0; set < joints.size(); ++set)
    for (std::size_t v = 0; v < vertices; ++v)
      for (std::size_t k = 0; k < 4; ++k) {
        result.joints[v * width + 4 * set + k] = joints[set].element(v)[k];
        result.weights[v * width + 4 * set + k] = weights[set].element(v)[k];
      }
}

std::vector<int> read_indices(const JsonView& primitive, AccessorReader& accessors, std::size_t vertices) {
  const auto accessor = primitive.index("indices", accessors.accessor_count(), "accessor");
  if (!accessor) {
    accessors.spend(vertices);
    std::vector<int> indices(vertices);
    for (std::size_t i = 0; i < vertices; ++i) indices[i] = static_cast<int>(i);
    return indices;
  }
  const AccessorValues values = accessors.read(*accessor);
  const JsonView place = primitive.at("indices");
  if (!is_vector(values.format, 1) || values.format.normalized || values.format.type == ComponentType::f32 ||
      values.format.type == ComponentType::i8 || values.format.type == ComponentType::i16)
    throw place.error("are not unsigned integers; export the file again.");
  std::vector<int> indices(values.values.size());
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (values.values[i] >= static_cast<double>(vertices))
      throw place.error("name vertex " + std::to_string(static_cast<std::size_t>(values.values[i])) + " at position " +
                        std::to_string(i) + ", but there are " + std::to_string(vertices) +
                        " vertices; export the file again.");
    indices[i] = static_cast<int>(values.values[i]);
  }
  return indices;
}

// glTF 2.0 section 3.7.2.1. Strips repeat vertices on purpose to turn corners; the resulting triangles without area are
// left out. In lists every triangle stays.
std::vector<Triangle> assemble_triangles(const std::vector<int>& v, Mode mode) {
  std::vector<Triangle> triangles;
  if (mode == Mode::triangles)
    for (std::size_t i = 0; i + 2 < v.size(); i += 3) triangles.push_back({v[i], v[i + 1], v[i + 2]});
  const auto add = [&](int a, int b, int c) {
    if (a != b && b != c && c != a) triangles.push_back({a, b, c});
  };
  if (mode == Mode::strip)
    for (std::size_t i = 0; i + 2 < v.size(); ++i) add(v[i], v[i + 1 + i % 2], v[i + 2 - i % 2]);
  if (mode == Mode::fan)
    for (std::size_t i = 0; i + 2 < v.size(); ++i) add(v[i + 1], v[i + 2], v[0]);
  return triangles;
}

void read_topology(const JsonView& primitive, AttributeSource& source, AccessorReader& accessors, Part& part,
                   std::vector<Defect>& repairs) {
  const std::size_t mode_code = primitive.integer_or("mode", 4);
  if (mode_code > 6) throw primitive.error("has a mode that glTF does not know; export the file again.");
  const auto mode = static_cast<Mode>(mode_code);
  part.triangles = mode >= Mode::triangles;
  if (source.is_draco()) {
    if (!part.triangles)
      throw primitive.error("compresses points or lines with Draco, which has triangles only; export the file again.");
    part.surface.triangles = std::move(source.draco_triangles());
    return;
  }
  const std::vector<int> indices = read_indices(primitive, accessors, part.surface.positions.size());
  if (mode == Mode::triangles && indices.size() % 3 != 0)
    repairs.push_back({"incomplete triangle", part.name, "", {}, "The one or two corners left over are ignored."});
  accessors.spend(3 * indices.size());
  part.surface.triangles = assemble_triangles(indices, mode);
}

// Texture coordinates in the picture that colours the material. A character can do without; errors in them are only
// noted.
void read_texture_coordinates(const JsonView& material, AttributeSource& source, Part& part,
                              std::vector<Defect>& repairs) {
  const auto ignore = [&](const std::string& why) {
    repairs.push_back({why, part.name, "", {}, "The part is shown in plain colours."});
    part.texture_coordinates.clear();
  };
  try {
    const std::optional<ColorTexture> texture = color_texture(material);
    if (!texture) return;
    const auto values = source.read(("TEXCOORD_" + std::to_string(texture->coordinates)).c_str());
    if (!values) return ignore("no texture coordinates");
    if (!is_vector(values->format, 2)) return ignore("texture coordinates of a wrong type");
    const double cos = std::cos(texture->rotation), sin = std::sin(texture->rotation);
    part.texture_coordinates.resize(values->format.count);
    for (std::size_t v = 0; v < values->format.count; ++v) {
      const auto uv = values->element(v);
      const double x = texture->scale[0] * uv[0], y = texture->scale[1] * uv[1];
      const double u = texture->offset[0] + cos * x + sin * y, w = texture->offset[1] - sin * x + cos * y;
      if (!(std::abs(u) < largest_coordinate && std::abs(w) < largest_coordinate))
        return ignore("texture coordinates that are not numbers");
      part.texture_coordinates[v] = {static_cast<float>(u), static_cast<float>(w)};
    }
  } catch (const Error&) {
    ignore("a damaged material");
  }
}

// Colour and texture coordinates of the primitive's material.
void read_material(const JsonView& primitive, const JsonView& root, AttributeSource& source, Part& part,
                   std::vector<Defect>& repairs) {
  const std::vector<JsonView> materials = root.elements("materials");
  const auto material = primitive.index("material", materials.size(), "material");
  if (!material) return;
  part.material = static_cast<int>(*material);
  try {
    part.material_name = materials[*material].string_or("name", "");
  } catch (const Error&) {
    // A name that is not text is ignored; nothing else depends on it.
  }
  if (const auto metallic_roughness = materials[*material].find("pbrMetallicRoughness")) {
    const auto color = metallic_roughness->numbers("baseColorFactor", 4);
    part.base_color = color ? Vec3{(*color)[0], (*color)[1], (*color)[2]} : Vec3{1, 1, 1};
  }
  read_texture_coordinates(materials[*material], source, part, repairs);
}

}  // namespace

Primitive read_primitive(const JsonView& primitive, const JsonView& root, const std::string& name,
                         AccessorReader& accessors, std::vector<Defect>& repairs) {
  primitive.require_object();
  Primitive result;
  Part& part = result.part;
  part.name = name;
  AttributeSource source(primitive, accessors);
  const auto positions = source.read("POSITION");
  if (!positions) {
    repairs.push_back({"no positions", name, "", {}, "The primitive shows nothing and passes through untouched."});
    return result;
  }
  require_format(source, "POSITION", is_vector(positions->format, 3));
  if (positions->format.count > 0x7fffffff) throw primitive.error("has too many vertices; split the mesh.");
  result.has_positions = true;
  part.surface.positions = to_vectors(*positions);
  require_finite(part.surface.positions, primitive, "a position");
  read_material(primitive, root, source, part, repairs);
  read_normals(source, part, repairs);
  read_colors(source, part, repairs);
  for (std::size_t f = 0; f < part.fields.size(); ++f)
    part.fields[f] =
        read_painted(source, painted_fields[f].attribute, painted_fields[f].takes_setting(), part, repairs);
  read_topology(primitive, source, accessors, part, repairs);
  read_targets(primitive, accessors, part);
  read_influences(source, primitive, result);
  return result;
}

std::vector<Vec3> read_tangents(const GltfDocument& document, int mesh, int primitive, AccessorReader& accessors) {
  const JsonView root(accessors.file(), *document.json, "");
  const std::vector<JsonView> meshes = root.elements("meshes");
  AttributeSource source(meshes.at(index(mesh)).elements("primitives").at(index(primitive)), accessors);
  const auto values = source.read("TANGENT");
  if (!values || !is_vector(values->format, 4)) return {};
  std::vector<Vec3> tangents = to_vectors(*values);
  for (Vec3& tangent : tangents) tangent = normalized(tangent);
  return vertices_where(tangents, [](const Vec3& t) { return !is_finite(t); }).empty() ? tangents : std::vector<Vec3>{};
}

}  // namespace sinew
