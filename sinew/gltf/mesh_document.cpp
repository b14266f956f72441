#include "sinew/gltf/mesh_document.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/gltf/write/write_edit.h"

namespace sinew {
namespace {

using Json = nlohmann::json;
using Corner = std::array<float, 3>;

constexpr unsigned single_precision = 5126,
                   whole_numbers = 5125;  // glTF's component types; readers expect unsigned integers

Corner corner_of(const Vec3& v) { return {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z)}; }

std::vector<Corner> positions_of(const TriangleMesh& mesh) {
  std::vector<Corner> result;
  for (const Vec3& p : mesh.positions) result.push_back(corner_of(p));
  return result;
}

std::vector<Corner> normals_of(const TriangleMesh& mesh) {
  std::vector<Vec3> sum(mesh.positions.size());
  for (const Triangle& t : mesh.triangles) {
    const Vec3& a = mesh.positions[index(t[0])];
    const Vec3 area = cross(mesh.positions[index(t[1])] - a, mesh.positions[index(t[2])] - a);
    for (const int v : t) sum[index(v)] += area;
  }
  std::vector<Corner> result;
  for (const Vec3& normal : sum)  // glTF requires unit length, even at vertices without triangles
    result.push_back(corner_of(squared_norm(normal) > 0 ? normalized(normal) : Vec3{0, 1, 0}));
  return result;
}

std::vector<std::uint32_t> indices_of(const TriangleMesh& mesh) {
  std::vector<std::uint32_t> result;
  for (const Triangle& t : mesh.triangles)
    for (const int v : t) result.push_back(static_cast<std::uint32_t>(v));
  return result;
}

// Returns the accessor's index.
template <class T>
std::size_t append(GltfDocument& document, const std::vector<T>& elements, int target, unsigned component,
                   const char* type, std::size_t count) {
  const auto bytes = std::as_bytes(std::span(elements));
  std::vector<std::byte>& buffer = document.buffers[0];
  Json& json = *document.json;
  json["bufferViews"].push_back({{"buffer", 0u},
                                 {"byteOffset", buffer.size()},
                                 {"byteLength", bytes.size()},
                                 {"target", static_cast<unsigned>(target)}});
  buffer.insert(buffer.end(), bytes.begin(), bytes.end());
  json["accessors"].push_back(
      {{"bufferView", json["bufferViews"].size() - 1}, {"componentType", component}, {"type", type}, {"count", count}});
  return json["accessors"].size() - 1;
}

// Bounds, which glTF requires of positions.
void set_bounds(const std::vector<Corner>& positions, Json& accessor) {
  Corner least = positions.empty() ? Corner{} : positions[0], most = least;
  for (const Corner& p : positions)
    for (std::size_t k = 0; k < 3; ++k) {
      least[k] = std::min(least[k], p[k]);
      most[k] = std::max(most[k], p[k]);
    }
  accessor["min"] = least;
  accessor["max"] = most;
}

}  // namespace

GltfDocument document_of_mesh(const TriangleMesh& mesh, const std::string& name) {
  GltfDocument document;
  document.binary = true;
  document.path = name + ".glb";  // for messages
  document.buffers.emplace_back();
  Json& json = *document.json;
  json = {{"asset", {{"version", "2.0"}, {"generator", "Sinew"}}},
          {"scene", 0u},
          {"scenes", Json::array({Json{{"nodes", Json::array({0u})}}})},
          {"nodes", Json::array({Json{{"name", name}, {"mesh", 0u}}})},
          {"bufferViews", Json::array()},
          {"accessors", Json::array()}};
  const std::vector<Corner> positions = positions_of(mesh), normals = normals_of(mesh);
  const std::vector<std::uint32_t> indices = indices_of(mesh);
  const std::size_t places =
      append(document, positions, array_buffer_target, single_precision, "VEC3", positions.size());
  set_bounds(positions, json["accessors"][places]);
  const std::size_t directions =
      append(document, normals, array_buffer_target, single_precision, "VEC3", normals.size());
  const std::size_t corners =
      append(document, indices, element_array_buffer_target, whole_numbers, "SCALAR", indices.size());
  const Json attributes{{"POSITION", places}, {"NORMAL", directions}};
  const Json primitive{{"attributes", attributes}, {"indices", corners}};
  json["meshes"] = Json::array({Json{{"name", name}, {"primitives", Json::array({primitive})}}});
  json["buffers"] = Json::array({Json{{"byteLength", document.buffers[0].size()}}});
  return document;
}

}  // namespace sinew
