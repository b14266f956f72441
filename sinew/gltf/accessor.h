// Accessors of a glTF document decoded to plain numbers: strided, sparse, quantised, and behind
// EXT_meshopt_compression. glTF 2.0 sections 3.6.2 and 5.1; KHR_mesh_quantization.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sinew/gltf/document.h"
#include "sinew/gltf/read/read_json.h"

namespace sinew {

enum class ComponentType { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

// How the elements of an accessor are stored. Shapes are columns x rows; vectors have one column.
struct AccessorFormat {
  std::size_t count = 0;
  ComponentType type = ComponentType::f32;
  bool normalized = false;
  int columns = 1, rows = 1;

  int components() const { return columns * rows; }
};

// Decoded values: count x components, element after element (matrices column after column).
// Normalised integers are already fractions.
struct AccessorValues {
  AccessorFormat format;
  std::vector<double> values;

  std::span<const double> element(std::size_t i) const {
    const auto width = static_cast<std::size_t>(format.components());
    return std::span(values).subspan(i * width, width);
  }
};

// Reads the accessors of one document. All functions throw input_error where the accessor or what it
// refers to is broken. Values may be NaN or infinite: only the caller knows what that means.
class AccessorReader {
 public:
  // Checks every accessor and buffer view of the document once, whether anything uses it or not.
  explicit AccessorReader(const GltfDocument& document);

  const std::string& file() const { return file_; }
  std::size_t accessor_count() const { return accessors_.size(); }
  std::size_t buffer_view_count() const { return views_.size(); }
  AccessorFormat format(std::size_t accessor) const;
  JsonView view(std::size_t accessor) const { return accessors_.at(accessor); }

  AccessorValues read(std::size_t accessor);

  // The bytes of a buffer view, decompressed where it is compressed.
  std::span<const std::byte> buffer_view(std::size_t buffer_view);

  // A file of a few bytes can ask for any amount of memory (accessors without data, meshes shown by
  // many nodes, compressed streams). Counts the values decoded so far and throws input_error once there
  // are more than a file of this size can sensibly hold.
  void spend(std::size_t values);

 private:
  struct ByteRange {
    std::size_t buffer = 0, offset = 0, length = 0;
  };
  ByteRange byte_range(const JsonView& view) const;
  std::span<const std::byte> bytes_of(const JsonView& view) const;
  std::vector<std::byte> decompress(const JsonView& view);
  void check_accessor(const JsonView& accessor) const;
  std::size_t view_stride(std::size_t buffer_view) const;
  void read_strided(const JsonView& place, const AccessorFormat& format, std::size_t buffer_view, std::size_t offset,
                    std::vector<double>& values);
  void apply_sparse(const JsonView& sparse, AccessorValues& result);

  const GltfDocument* document_;
  std::string file_;
  std::vector<JsonView> accessors_, views_;
  std::map<std::size_t, std::vector<std::byte>> decompressed_;
  std::size_t affordable_ = 0;
};

// One stored component as a number; normalised integers as glTF 2.0 section 3.6.2.2 maps them.
double decode_component(const std::byte* bytes, ComponentType type, bool normalized);
std::size_t component_size(ComponentType type);

// Maps a raw integer value to a fraction where the type is a normalised integer.
double normalize_component(double raw, ComponentType type);

}  // namespace sinew
