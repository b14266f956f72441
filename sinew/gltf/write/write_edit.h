// A glTF document being changed: a copy of its JSON, and one more buffer that takes all new data.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sinew/gltf/accessor.h"
#include "sinew/gltf/document.h"

namespace sinew {

class GltfEdit {
 public:
  explicit GltfEdit(const GltfDocument& document);
  ~GltfEdit();

  const GltfDocument& document() const { return *document_; }
  nlohmann::json& json() { return *json_; }
  const std::vector<std::byte>& added() const { return added_; }

  // JSON index of a buffer view of the new bytes, which start at a multiple of four.
  // `stride` and `target` are left out where 0.
  std::size_t add_view(std::span<const std::byte> bytes, std::size_t stride = 0, int target = 0);

  // Accessors of float values, by their JSON index. An attribute of vertices is stored sparsely where
  // that is smaller, and shared where it is zero throughout.
  std::size_t add_scalars(std::span<const float> values, bool with_bounds);
  std::size_t add_vectors(std::span<const float> values, bool with_bounds);  // VEC3, n x 3
  // Any elements as they are: bytes of `count` elements of the given glTF component type and type.
  std::size_t add_elements(std::span<const std::byte> bytes, int component_type, const std::string& type,
                           std::size_t count);
  // The same as an attribute of vertices, `stride` bytes each, a multiple of four.
  std::size_t add_attribute(std::span<const std::byte> bytes, int component_type, const std::string& type,
                            std::size_t count, std::size_t stride);
  // All zeros, of the given glTF type ("VEC3"), without any data.
  std::size_t add_zeros(std::size_t count, const std::string& type);

 private:
  std::size_t append_accessor(nlohmann::json&& accessor);

  const GltfDocument* document_;
  std::unique_ptr<nlohmann::json> json_;
  std::vector<std::byte> added_;
  std::size_t added_buffer_;  // JSON index
  std::map<std::pair<std::size_t, std::string>, std::size_t> zeros_;
};

// OpenGL's names for what a buffer view holds, as glTF uses them.
inline constexpr int array_buffer_target = 34962, element_array_buffer_target = 34963;

// The element's array `key`, made where it is missing.
nlohmann::json& array_of(nlohmann::json& object, const char* key);

}  // namespace sinew
