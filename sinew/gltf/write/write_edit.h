// A glTF document under edit: a copy of its JSON, and one more buffer for all new data.
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

  // Adds a buffer view of new bytes, aligned to four, and returns its JSON index. `stride` and `target` are omitted if
  // 0.
  std::size_t add_view(std::span<const std::byte> bytes, std::size_t stride = 0, int target = 0);

  // Each adds an accessor and returns its JSON index. Vertex attributes are stored sparsely if that is smaller;
  // all-zero ones are shared.
  std::size_t add_scalars(std::span<const float> values, bool with_bounds);
  std::size_t add_vectors(std::span<const float> values, bool with_bounds);  // VEC3, n x 3
  // `count` elements of the given glTF component type and type, as raw bytes.
  std::size_t add_elements(std::span<const std::byte> bytes, int component_type, const std::string& type,
                           std::size_t count);
  // A vertex attribute as raw bytes; `stride` is a multiple of four.
  std::size_t add_attribute(std::span<const std::byte> bytes, int component_type, const std::string& type,
                            std::size_t count, std::size_t stride);
  // All zeros, of the given glTF type ("VEC3"), without data.
  std::size_t add_zeros(std::size_t count, const std::string& type);

 private:
  std::size_t append_accessor(nlohmann::json&& accessor);

  const GltfDocument* document_;
  std::unique_ptr<nlohmann::json> json_;
  std::vector<std::byte> added_;
  std::size_t added_buffer_;  // JSON index
  std::map<std::pair<std::size_t, std::string>, std::size_t> zeros_;
};

// The edited document, with the new data in its last buffer.
GltfDocument edited_document(GltfEdit& edit);

// Buffer view targets, by their OpenGL names.
inline constexpr int array_buffer_target = 34962, element_array_buffer_target = 34963;

// The array `key` of an object, created if it is missing.
nlohmann::json& array_of(nlohmann::json& object, const char* key);

}  // namespace sinew
