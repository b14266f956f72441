// Decodes accessors of a glTF document to plain numbers: strided, sparse, quantised, and compressed by
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

// Storage format of an accessor's elements. Shapes are columns x rows; vectors have one column.
struct AccessorFormat {
  std::size_t count = 0;
  ComponentType type = ComponentType::f32;
  bool normalized = false;
  int columns = 1, rows = 1;

  int components() const { return columns * rows; }
};

// Decoded values: count x components, element by element, matrices column by column. Normalised integers are converted
// to fractions.
struct AccessorValues {
  AccessorFormat format;
  std::vector<double> values;

  std::span<const double> element(std::size_t i) const {
    const auto width = static_cast<std::size_t>(format.components());
    return std::span(values).subspan(i * width, width);
  }
};

// Reads the accessors of one document. All functions throw input_error if the accessor, or what it refers to, is
// broken. Values may be NaN or infinite; the caller decides what that means.
class AccessorReader {
 public:
  // Checks every accessor and buffer view of the document once, used or not.
  explicit AccessorReader(const GltfDocument& document);

  const std::string& file() const { return file_; }
  std::size_t accessor_count() const { return accessors_.size(); }
  std::size_t buffer_view_count() const { return views_.size(); }
  AccessorFormat format(std::size_t accessor) const;
  JsonView view(std::size_t accessor) const { return accessors_.at(accessor); }

  AccessorValues read(std::size_t accessor);

  // The bytes of a buffer view, decompressed if necessary.
  std::span<const std::byte> buffer_view(std::size_t buffer_view);

  // Counts decoded values and throws input_error if there are more than a file of this size can reasonably contain. A
  // file of a few bytes could otherwise ask for any amount of memory (accessors without data, meshes on many nodes,
  // compressed streams).
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

// Converts one stored component to a number; normalised integers as in glTF 2.0 section 3.6.2.2.
double decode_component(const std::byte* bytes, ComponentType type, bool normalized);
std::size_t component_size(ComponentType type);

// Converts a raw integer to a fraction if the component is a normalised integer.
double normalize_component(double raw, ComponentType type);

}  // namespace sinew
