#include "sinew/gltf/write/write_edit.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

namespace sinew {
namespace {

using Json = nlohmann::json;

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

void add_bounds(Json& accessor, std::span<const float> values, std::size_t width) {
  std::vector<float> low(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(width)), high = low;
  for (std::size_t i = 0; i < values.size(); ++i) {
    low[i % width] = std::min(low[i % width], values[i]);
    high[i % width] = std::max(high[i % width], values[i]);
  }
  // Converted to double, so that the decimal digits give exactly the stored float.
  accessor["min"] = std::vector<double>(low.begin(), low.end());
  accessor["max"] = std::vector<double>(high.begin(), high.end());
}

std::vector<std::uint32_t> nonzero_elements(std::span<const float> vectors) {
  std::vector<std::uint32_t> elements;
  for (std::size_t i = 0; i + 2 < vectors.size(); i += 3)
    if (vectors[i] != 0 || vectors[i + 1] != 0 || vectors[i + 2] != 0)
      elements.push_back(static_cast<std::uint32_t>(i / 3));
  return elements;
}

}  // namespace

Json& array_of(Json& object, const char* key) {
  if (!object.contains(key)) object[key] = Json::array();
  return object[key];
}

GltfEdit::GltfEdit(const GltfDocument& document)
    : document_(&document), json_(std::make_unique<Json>(*document.json)), added_buffer_(document.buffers.size()) {}

GltfEdit::~GltfEdit() = default;

std::size_t GltfEdit::add_view(std::span<const std::byte> bytes, std::size_t stride, int target) {
  added_.resize((added_.size() + 3) / 4 * 4);
  Json view{{"buffer", added_buffer_}, {"byteOffset", added_.size()}, {"byteLength", bytes.size()}};
  if (stride > 0) view["byteStride"] = stride;
  if (target > 0) view["target"] = target;
  added_.insert(added_.end(), bytes.begin(), bytes.end());
  Json& views = array_of(*json_, "bufferViews");
  views.push_back(std::move(view));
  return views.size() - 1;
}

std::size_t GltfEdit::append_accessor(Json&& accessor) {
  Json& accessors = array_of(*json_, "accessors");
  accessors.push_back(std::move(accessor));
  return accessors.size() - 1;
}

std::size_t GltfEdit::add_scalars(std::span<const float> values, bool with_bounds) {
  Json accessor{{"componentType", 5126}, {"type", "SCALAR"}, {"count", values.size()}};
  accessor["bufferView"] = add_view(std::as_bytes(values));
  if (with_bounds) add_bounds(accessor, values, 1);
  return append_accessor(std::move(accessor));
}

std::size_t GltfEdit::add_vectors(std::span<const float> values, bool with_bounds) {
  const std::size_t count = values.size() / 3;
  const std::vector<std::uint32_t> moving = nonzero_elements(values);
  if (moving.empty()) return add_zeros(count, "VEC3");

  Json accessor{{"componentType", 5126}, {"type", "VEC3"}, {"count", count}};
  if (with_bounds) add_bounds(accessor, values, 3);
  const std::size_t index_size = count <= 65535 ? 2 : 4;
  if (moving.size() * (12 + index_size) < count * 12) {
    std::vector<float> moved;
    for (std::uint32_t element : moving)
      moved.insert(moved.end(), values.begin() + 3 * static_cast<std::ptrdiff_t>(element),
                   values.begin() + 3 * static_cast<std::ptrdiff_t>(element) + 3);
    const std::vector<std::uint16_t> short_moving(moving.begin(), moving.end());
    const std::size_t indices = add_view(index_size == 2 ? bytes_of(short_moving) : bytes_of(moving));
    accessor["sparse"] = Json{
        {"count", moving.size()},
        {"indices", Json{{"bufferView", indices}, {"componentType", index_size == 2 ? 5123 : 5125}}},
        {"values", Json{{"bufferView", add_view(bytes_of(moved))}}},
    };
  } else {
    accessor["bufferView"] = add_view(std::as_bytes(values), 12, array_buffer_target);
  }
  return append_accessor(std::move(accessor));
}

std::size_t GltfEdit::add_elements(std::span<const std::byte> bytes, int component_type, const std::string& type,
                                   std::size_t count) {
  return append_accessor(
      Json{{"bufferView", add_view(bytes)}, {"componentType", component_type}, {"type", type}, {"count", count}});
}

std::size_t GltfEdit::add_attribute(std::span<const std::byte> bytes, int component_type, const std::string& type,
                                    std::size_t count, std::size_t stride) {
  return append_accessor(Json{{"bufferView", add_view(bytes, stride, array_buffer_target)},
                              {"componentType", component_type},
                              {"type", type},
                              {"count", count}});
}

std::size_t GltfEdit::add_zeros(std::size_t count, const std::string& type) {
  const auto [entry, is_new] = zeros_.try_emplace({count, type}, 0);
  if (!is_new) return entry->second;
  Json accessor{{"componentType", 5126}, {"type", type}, {"count", count}};
  const std::size_t width = type == "VEC2" ? 2 : type == "VEC4" ? 4 : 3;
  accessor["min"] = accessor["max"] = std::vector<double>(width, 0.0);
  return entry->second = append_accessor(std::move(accessor));
}

GltfDocument edited_document(GltfEdit& edit) {
  GltfDocument document = copy_of(edit.document());
  *document.json = edit.json();
  array_of(*document.json, "buffers").push_back(nlohmann::json{{"byteLength", edit.added().size()}});
  document.buffers.push_back(edit.added());
  return document;
}

}  // namespace sinew
