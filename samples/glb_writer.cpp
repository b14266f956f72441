#include "glb_writer.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

namespace sinew::samples {
namespace {

using Json = nlohmann::json;

constexpr Index none = std::numeric_limits<Index>::max();
constexpr int component_u8 = 5121, component_u16 = 5123, component_float = 5126;
constexpr int target_vertices = 34962, target_indices = 34963;

std::vector<float> flat(const std::vector<Vec3>& values) {
  std::vector<float> result;
  for (const Vec3& v : values)
    for (std::size_t axis = 0; axis < 3; ++axis) result.push_back(static_cast<float>(v[axis]));
  return result;
}

// Collects the binary chunk and the accessors into it.
class Buffer {
 public:
  Json views = Json::array();
  Json accessors = Json::array();
  std::vector<std::byte> bytes;

  template <class Number>
  std::size_t view(const std::vector<Number>& numbers, int target) {
    static_assert(std::endian::native == std::endian::little, "glTF is little-endian");
    bytes.resize((bytes.size() + 3) / 4 * 4, std::byte{0});
    Json json{{"buffer", 0}, {"byteOffset", bytes.size()}, {"byteLength", numbers.size() * sizeof(Number)}};
    if (target != 0) json["target"] = target;
    const std::size_t offset = bytes.size();
    bytes.resize(offset + numbers.size() * sizeof(Number));
    std::memcpy(bytes.data() + offset, numbers.data(), numbers.size() * sizeof(Number));
    views.push_back(std::move(json));
    return views.size() - 1;
  }

  template <class Number>
  std::size_t add(const std::vector<Number>& numbers, std::size_t width, const char* type, int component, int target) {
    accessors.push_back({{"bufferView", view(numbers, target)},
                         {"componentType", component},
                         {"count", numbers.size() / width},
                         {"type", type}});
    return accessors.size() - 1;
  }

  std::size_t add_vectors(const std::vector<Vec3>& values, int target, bool with_bounds) {
    const std::size_t accessor = add(flat(values), 3, "VEC3", component_float, target);
    if (with_bounds) set_bounds(accessor, values);
    return accessor;
  }

  std::size_t add_triangles(const std::vector<Triangle>& triangles) {
    std::vector<std::uint16_t> indices;
    for (const Triangle& t : triangles)
      for (Index v : t) indices.push_back(static_cast<std::uint16_t>(v));
    return add(indices, 1, "SCALAR", component_u16, target_indices);
  }

  // Only the vectors that are not zero are stored; at least one is, since empty lists are not allowed.
  std::size_t add_sparse(const std::vector<Vec3>& values) {
    std::vector<std::uint16_t> indices;
    std::vector<Vec3> stored;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] != Vec3{} || (i + 1 == values.size() && stored.empty())) {
        indices.push_back(static_cast<std::uint16_t>(i));
        stored.push_back(values[i]);
      }
    const Json sparse{{"count", stored.size()},
                      {"indices", {{"bufferView", view(indices, 0)}, {"componentType", component_u16}}},
                      {"values", {{"bufferView", view(flat(stored), 0)}}}};
    accessors.push_back(
        {{"componentType", component_float}, {"count", values.size()}, {"type", "VEC3"}, {"sparse", sparse}});
    set_bounds(accessors.size() - 1, values);
    return accessors.size() - 1;
  }

  // Times are shared by all channels that have the same.
  std::size_t add_times(const std::vector<double>& times) {
    std::vector<float> numbers;
    for (double t : times) numbers.push_back(static_cast<float>(t));
    const auto found = times_.find(numbers);
    if (found != times_.end()) return found->second;
    const std::size_t accessor = add(numbers, 1, "SCALAR", component_float, 0);
    accessors[accessor]["min"] = Json::array({numbers.front()});
    accessors[accessor]["max"] = Json::array({numbers.back()});
    times_[numbers] = accessor;
    return accessor;
  }

 private:
  void set_bounds(std::size_t accessor, const std::vector<Vec3>& values) {
    const std::vector<float> numbers = flat(values);
    for (const char* name : {"min", "max"}) {
      Json bounds = Json::array();
      for (std::size_t axis = 0; axis < 3; ++axis) {
        float extreme = numbers[axis];
        for (std::size_t i = axis; i < numbers.size(); i += 3)
          extreme = *name == 'm' && name[1] == 'i' ? std::min(extreme, numbers[i]) : std::max(extreme, numbers[i]);
        bounds.push_back(extreme);
      }
      accessors[accessor][name] = std::move(bounds);
    }
  }

  std::map<std::vector<float>, std::size_t> times_;
};

Json vector_json(const Vec3& v) {
  return Json::array({static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)});
}

// The part of the surface with one material, with its own vertices.
struct Part {
  std::vector<Index> vertex;       // in the surface
  std::vector<Triangle> triangle;  // in `vertex`
};

Part part_of(const Surface& surface, Index material) {
  Part part;
  std::vector<Index> renumbered(surface.position.size(), none);
  for (std::size_t t = 0; t < surface.triangle.size(); ++t) {
    if (surface.region[t] != material) continue;
    Triangle corners{};
    for (std::size_t i = 0; i < 3; ++i) {
      Index& number = renumbered[surface.triangle[t][i]];
      if (number == none) {
        number = static_cast<Index>(part.vertex.size());
        part.vertex.push_back(surface.triangle[t][i]);
      }
      corners[i] = number;
    }
    part.triangle.push_back(corners);
  }
  return part;
}

std::vector<Vec3> pick(const std::vector<Vec3>& values, const std::vector<Index>& vertices) {
  std::vector<Vec3> result;
  for (Index v : vertices) result.push_back(values[v]);
  return result;
}

// Influences in sets of four, as many as the part needs: JOINTS_0 and WEIGHTS_0, JOINTS_1 and WEIGHTS_1.
void add_influences(const Sample& sample, const Part& part, Buffer& buffer, Json& attributes) {
  const auto used = [&](std::size_t slot) {
    return std::any_of(part.vertex.begin(), part.vertex.end(),
                       [&](Index v) { return sample.weights[v][slot].weight > 0; });
  };
  for (std::size_t first = 0; first == 0 || (first < std::tuple_size_v<Influences> && used(first)); first += 4) {
    std::vector<std::uint8_t> joints;
    std::vector<float> weights;
    for (Index v : part.vertex) {
      const Influences& influences = sample.weights[v];
      float rest = 1;
      for (std::size_t i = influences.size() - 1; i > 0; --i) rest -= static_cast<float>(influences[i].weight);
      for (std::size_t i = first; i < first + 4; ++i) {
        joints.push_back(static_cast<std::uint8_t>(influences[i].joint));
        weights.push_back(i == 0 ? rest : static_cast<float>(influences[i].weight));
      }
    }
    const std::string set = std::to_string(first / 4);
    attributes["JOINTS_" + set] = buffer.add(joints, 4, "VEC4", component_u8, target_vertices);
    attributes["WEIGHTS_" + set] = buffer.add(weights, 4, "VEC4", component_float, target_vertices);
  }
}

Json skinned_primitive(const Sample& sample, Index material, const Part& part, Buffer& buffer) {
  Json primitive;
  primitive["material"] = material;
  primitive["indices"] = buffer.add_triangles(part.triangle);
  Json& attributes = primitive["attributes"];
  attributes["POSITION"] = buffer.add_vectors(pick(sample.surface.position, part.vertex), target_vertices, true);
  attributes["NORMAL"] = buffer.add_vectors(pick(sample.normal, part.vertex), target_vertices, false);
  add_influences(sample, part, buffer, attributes);
  for (const MorphTarget& morph : sample.morphs)
    primitive["targets"].push_back({{"POSITION", buffer.add_sparse(pick(morph.offset, part.vertex))}});
  return primitive;
}

Json skinned_mesh(const Sample& sample, Buffer& buffer) {
  Json mesh{{"name", sample.name}, {"primitives", Json::array()}};
  for (Index material = 0; material < sample.materials.size(); ++material) {
    const Part part = part_of(sample.surface, material);
    if (!part.triangle.empty()) mesh["primitives"].push_back(skinned_primitive(sample, material, part, buffer));
  }
  if (!sample.morphs.empty()) {
    mesh["weights"] = std::vector<double>(sample.morphs.size(), 0.0);
    for (const MorphTarget& morph : sample.morphs) mesh["extras"]["targetNames"].push_back(morph.name);
  }
  return mesh;
}

Json rigid_mesh(const RigidPart& part, Buffer& buffer) {
  const Json attributes{{"POSITION", buffer.add_vectors(part.position, target_vertices, true)},
                        {"NORMAL", buffer.add_vectors(part.normal, target_vertices, false)}};
  const Json primitive{
      {"material", part.material}, {"indices", buffer.add_triangles(part.triangle)}, {"attributes", attributes}};
  return {{"name", part.name}, {"primitives", Json::array({primitive})}};
}

Json skin(const Sample& sample, Buffer& buffer) {
  std::vector<float> inverse_bind;
  std::vector<Index> joints;
  for (Index j = 0; j < sample.skeleton.joints.size(); ++j) {
    joints.push_back(j);
    const Vec3 p = -sample.skeleton.joints[j].position;
    for (int i = 0; i < 12; ++i) inverse_bind.push_back(i % 5 == 0 ? 1.0f : 0.0f);
    for (std::size_t axis = 0; axis < 3; ++axis) inverse_bind.push_back(static_cast<float>(p[axis]));
    inverse_bind.push_back(1.0f);
  }
  return {{"name", sample.name},
          {"joints", joints},
          {"skeleton", 0},
          {"inverseBindMatrices", buffer.add(inverse_bind, 16, "MAT4", component_float, 0)}};
}

Json animation(const Clip& clip, Buffer& buffer) {
  Json json{{"name", clip.name}, {"channels", Json::array()}, {"samplers", Json::array()}};
  for (const Channel& channel : clip.channels) {
    std::size_t output = 0;
    if (channel.is_translation) {
      output = buffer.add_vectors(channel.translation, 0, false);
    } else {
      std::vector<float> numbers;
      for (const Quat& q : channel.rotation)
        for (double value : {q.x, q.y, q.z, q.w}) numbers.push_back(static_cast<float>(value));
      output = buffer.add(numbers, 4, "VEC4", component_float, 0);
    }
    json["channels"].push_back(
        {{"sampler", json["samplers"].size()},
         {"target", {{"node", channel.joint}, {"path", channel.is_translation ? "translation" : "rotation"}}}});
    json["samplers"].push_back(
        {{"input", buffer.add_times(channel.time)}, {"output", output}, {"interpolation", "LINEAR"}});
  }
  return json;
}

// Joints first, so that joint j is node j; then the skinned mesh; then the rigid parts; then the controls.
Json nodes(const Sample& sample) {
  const std::vector<Joint>& joints = sample.skeleton.joints;
  Json result = Json::array();
  for (Index j = 0; j < joints.size(); ++j)
    result.push_back({{"name", joints[j].name}, {"translation", vector_json(sample.skeleton.offset(j))}});
  for (Index j = 0; j < joints.size(); ++j)
    if (joints[j].parent != no_parent) result[joints[j].parent]["children"].push_back(j);
  result.push_back({{"name", sample.name}, {"mesh", 0}, {"skin", 0}});
  for (std::size_t p = 0; p < sample.parts.size(); ++p) {
    result[sample.parts[p].joint]["children"].push_back(result.size());
    result.push_back({{"name", sample.parts[p].name}, {"mesh", p + 1}});
  }
  for (const Control& control : sample.controls) {
    result[control.joint]["children"].push_back(result.size());
    result.push_back(
        {{"name", control.name}, {"translation", vector_json(control.position - joints[control.joint].position)}});
  }
  return result;
}

void append_word(std::vector<std::byte>& bytes, std::size_t value) {
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<std::byte>(value >> shift & 0xff));
}

void append_chunk(std::vector<std::byte>& file, const char* type, std::vector<std::byte> data, std::byte padding) {
  data.resize((data.size() + 3) / 4 * 4, padding);
  append_word(file, data.size());
  for (int i = 0; i < 4; ++i) file.push_back(static_cast<std::byte>(type[i]));
  file.insert(file.end(), data.begin(), data.end());
}

}  // namespace

std::vector<std::byte> to_glb(const Sample& sample) {
  Buffer buffer;
  Json document;
  document["asset"] = {{"version", "2.0"}, {"generator", "sinew_samples"}, {"copyright", "Public domain (CC0-1.0)"}};
  document["scene"] = 0;
  document["scenes"] = Json::array({{{"name", sample.name}, {"nodes", {sample.skeleton.joints.size(), 0}}}});
  document["nodes"] = nodes(sample);
  document["meshes"] = Json::array({skinned_mesh(sample, buffer)});
  for (const RigidPart& part : sample.parts) document["meshes"].push_back(rigid_mesh(part, buffer));
  document["skins"] = Json::array({skin(sample, buffer)});
  for (const Material& material : sample.materials)
    document["materials"].push_back(
        {{"name", material.name},
         {"pbrMetallicRoughness",
          {{"baseColorFactor", {material.colour.x, material.colour.y, material.colour.z, 1.0}},
           {"metallicFactor", 0.0},
           {"roughnessFactor", material.roughness}}}});
  for (const Clip& clip : sample.clips) document["animations"].push_back(animation(clip, buffer));
  document["bufferViews"] = buffer.views;
  document["accessors"] = buffer.accessors;
  document["buffers"] = Json::array({{{"byteLength", buffer.bytes.size()}}});

  const std::string text = document.dump();
  std::vector<std::byte> json_bytes(text.size());
  std::memcpy(json_bytes.data(), text.data(), text.size());
  std::vector<std::byte> chunks, file;
  append_chunk(chunks, "JSON", std::move(json_bytes), std::byte{' '});
  append_chunk(chunks, "BIN\0", buffer.bytes, std::byte{0});
  for (char c : {'g', 'l', 'T', 'F'}) file.push_back(static_cast<std::byte>(c));
  append_word(file, 2);
  append_word(file, 12 + chunks.size());
  file.insert(file.end(), chunks.begin(), chunks.end());
  return file;
}

}  // namespace sinew::samples
