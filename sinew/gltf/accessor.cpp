#include "sinew/gltf/accessor.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sinew/base/machine_memory.h"

#include "sinew/gltf/read/accessor_meshopt.h"

namespace sinew {
namespace {

// Bounds of the numbers that a document may unpack to: a base amount for any file, and an amount per byte (compression
// yields up to about 20, and nodes may share meshes).
constexpr std::size_t free_values = 20'000'000, values_per_byte = 64;

// Share of the machine's memory that these numbers may fill; what is computed from them takes several times as much.
constexpr double share_of_memory = 0.125;

template <class T>
T load(const std::byte* bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

std::size_t round_up_to_4(std::size_t size) { return (size + 3) / 4 * 4; }

// Matrix columns start at multiples of four bytes (glTF 2.0 section 3.6.2.4).
std::size_t column_stride(const AccessorFormat& format) {
  const std::size_t size = component_size(format.type) * static_cast<std::size_t>(format.rows);
  return format.columns > 1 ? round_up_to_4(size) : size;
}

// Bytes from the first to the last component, without padding after the last column.
std::size_t element_size(const AccessorFormat& format) {
  return column_stride(format) * static_cast<std::size_t>(format.columns - 1) +
         component_size(format.type) * static_cast<std::size_t>(format.rows);
}

std::size_t packed_stride(const AccessorFormat& format) {
  return column_stride(format) * static_cast<std::size_t>(format.columns);
}

ComponentType component_type(const JsonView& view) {
  constexpr std::array<std::size_t, 6> known = {5120, 5121, 5122, 5123, 5125, 5126};
  const std::size_t code = view.to_integer();
  if (std::find(known.begin(), known.end(), code) == known.end())
    throw view.error("is " + std::to_string(code) + ", which is no component type of glTF; export the file again.");
  return static_cast<ComponentType>(code);
}

void set_shape(const JsonView& type_view, AccessorFormat& format) {
  struct Shape {
    std::string_view name;
    int columns, rows;
  };
  constexpr std::array<Shape, 7> shapes = {{{"SCALAR", 1, 1},
                                            {"VEC2", 1, 2},
                                            {"VEC3", 1, 3},
                                            {"VEC4", 1, 4},
                                            {"MAT2", 2, 2},
                                            {"MAT3", 3, 3},
                                            {"MAT4", 4, 4}}};
  const std::string name = type_view.to_string();
  const auto* shape = std::find_if(shapes.begin(), shapes.end(), [&](const Shape& s) { return s.name == name; });
  if (shape == shapes.end())
    throw type_view.error("is \"" + name + "\", which is no accessor type of glTF; export the file again.");
  format.columns = shape->columns;
  format.rows = shape->rows;
}

AccessorFormat accessor_format(const JsonView& accessor) {
  AccessorFormat format;
  format.count = accessor.at("count").to_integer();
  format.type = component_type(accessor.at("componentType"));
  format.normalized = accessor.bool_or("normalized", false);
  set_shape(accessor.at("type"), format);
  return format;
}

bool fits(std::size_t available, std::size_t offset, std::size_t count, std::size_t stride, std::size_t size) {
  if (count == 0) return true;
  if (offset > available || size > available - offset) return false;
  return count - 1 <= (available - offset - size) / stride;
}

}  // namespace

std::size_t component_size(ComponentType type) {
  switch (type) {
    case ComponentType::i8:
    case ComponentType::u8:
      return 1;
    case ComponentType::i16:
    case ComponentType::u16:
      return 2;
    case ComponentType::u32:
    case ComponentType::f32:
      return 4;
  }
  return 4;
}

double normalize_component(double raw, ComponentType type) {
  switch (type) {
    case ComponentType::i8:
      return std::max(raw / 127.0, -1.0);
    case ComponentType::u8:
      return raw / 255.0;
    case ComponentType::i16:
      return std::max(raw / 32767.0, -1.0);
    case ComponentType::u16:
      return raw / 65535.0;
    case ComponentType::u32:
    case ComponentType::f32:
      return raw;
  }
  return raw;
}

double decode_component(const std::byte* bytes, ComponentType type, bool normalized) {
  double raw = 0;
  switch (type) {
    case ComponentType::i8:
      raw = load<std::int8_t>(bytes);
      break;
    case ComponentType::u8:
      raw = load<std::uint8_t>(bytes);
      break;
    case ComponentType::i16:
      raw = load<std::int16_t>(bytes);
      break;
    case ComponentType::u16:
      raw = load<std::uint16_t>(bytes);
      break;
    case ComponentType::u32:
      raw = load<std::uint32_t>(bytes);
      break;
    case ComponentType::f32:
      raw = static_cast<double>(load<float>(bytes));
      break;
  }
  return normalized ? normalize_component(raw, type) : raw;
}

AccessorReader::AccessorReader(const GltfDocument& document)
    : document_(&document), file_(document.path.string()), affordable_(free_values) {
  for (const std::vector<std::byte>& buffer : document.buffers) affordable_ += values_per_byte * buffer.size();
  affordable_ = std::min(
      affordable_, static_cast<std::size_t>(share_of_memory * static_cast<double>(machine_memory())) / sizeof(double));
  const JsonView root(file_, *document.json, "");
  views_ = root.elements("bufferViews");
  accessors_ = root.elements("accessors");
  for (const JsonView& view : views_) {
    byte_range(view);
    if (view.integer_or("byteStride", 4) == 0) throw view.error("has a byteStride of 0; export the file again.");
    const auto extensions = view.find("extensions");
    if (const auto packed = extensions ? extensions->find("EXT_meshopt_compression") : std::nullopt)
      byte_range(packed->require_object());
  }
  for (const JsonView& accessor : accessors_) check_accessor(accessor);
}

void AccessorReader::spend(std::size_t values) {
  if (values > affordable_)
    throw input_error(file_ + ": unpacks to more numbers than a file of its size should hold, or than this machine " +
                      "has memory for; split the scene and keep one character.");
  affordable_ -= values;
}

AccessorFormat AccessorReader::format(std::size_t accessor) const { return accessor_format(accessors_.at(accessor)); }

AccessorReader::ByteRange AccessorReader::byte_range(const JsonView& view) const {
  ByteRange range;
  range.buffer = view.at("buffer").to_index(document_->buffers.size(), "buffer");
  range.offset = view.integer_or("byteOffset", 0);
  range.length = view.at("byteLength").to_integer();
  const std::size_t declared =
      JsonView(file_, (*document_->json)["buffers"][range.buffer], "buffers[" + std::to_string(range.buffer) + "]")
          .at("byteLength")
          .to_integer();
  if (range.offset > declared || range.length > declared - range.offset)
    throw view.error("reaches past the end of buffer " + std::to_string(range.buffer) + " (" +
                     std::to_string(declared) + " bytes); the file is damaged, export it again.");
  return range;
}

// Ranges were checked against the declared length; a placeholder buffer has no bytes at all.
std::span<const std::byte> AccessorReader::bytes_of(const JsonView& view) const {
  const ByteRange range = byte_range(view);
  const std::vector<std::byte>& buffer = document_->buffers[range.buffer];
  if (range.length > 0 && buffer.empty())
    throw view.error("needs buffer " + std::to_string(range.buffer) + ", which has no data; export the file again.");
  return std::span(buffer).subspan(range.length > 0 ? range.offset : 0, range.length);
}

std::vector<std::byte> AccessorReader::decompress(const JsonView& view) {
  const JsonView packed = view.at("extensions").at("EXT_meshopt_compression");
  MeshoptStream stream;
  stream.count = packed.at("count").to_integer();
  stream.stride = packed.at("byteStride").to_integer();
  stream.mode = packed.at("mode").to_string();
  stream.filter = packed.string_or("filter", "NONE");
  stream.bytes = bytes_of(packed);
  check_meshopt_stream(stream, packed);
  const std::size_t length = view.at("byteLength").to_integer();
  if (stream.count * stream.stride != length)
    throw packed.error("unpacks to " + std::to_string(stream.count * stream.stride) +
                       " bytes, but its buffer view has " + std::to_string(length) + "; export the file again.");
  spend(length);
  return decode_meshopt_stream(stream, packed);
}

std::span<const std::byte> AccessorReader::buffer_view(std::size_t index) {
  const JsonView& view = views_.at(index);
  const auto extensions = view.find("extensions");
  if (!extensions || !extensions->has("EXT_meshopt_compression")) return bytes_of(view);
  auto found = decompressed_.find(index);
  if (found == decompressed_.end()) found = decompressed_.emplace(index, decompress(view)).first;
  return found->second;
}

// 0 if the view leaves the stride to the accessor.
std::size_t AccessorReader::view_stride(std::size_t index) const {
  return views_.at(index).integer_or("byteStride", 0);
}

void AccessorReader::check_accessor(const JsonView& accessor) const {
  const AccessorFormat format = accessor_format(accessor);
  const auto check_range = [&](const JsonView& place, const AccessorFormat& stored) {
    const auto view = place.index("bufferView", views_.size(), "buffer view");
    if (!view) return;
    const std::size_t own_stride = view_stride(*view), size = element_size(stored);
    const std::size_t stride = own_stride > 0 ? own_stride : packed_stride(stored);
    if (stride < size)
      throw place.error("has elements of " + std::to_string(size) + " bytes, but its buffer view a byteStride of " +
                        std::to_string(stride) + "; export the file again.");
    if (!fits(views_[*view].at("byteLength").to_integer(), place.integer_or("byteOffset", 0), stored.count, stride,
              size))
      throw place.error("reaches past the end of buffer view " + std::to_string(*view) +
                        "; the file is damaged, export it again.");
  };
  check_range(accessor, format);
  const auto sparse = accessor.find("sparse");
  if (!sparse) return;
  const std::size_t count = sparse->at("count").to_integer();
  if (count > format.count) throw sparse->error("replaces more elements than the accessor has; export the file again.");
  AccessorFormat indices{count, component_type(sparse->at("indices").at("componentType")), false, 1, 1};
  if (indices.type != ComponentType::u8 && indices.type != ComponentType::u16 && indices.type != ComponentType::u32)
    throw sparse->at("indices").error("are not unsigned integers; export the file again.");
  AccessorFormat replaced = format;
  replaced.count = count;
  sparse->at("indices").at("bufferView");
  sparse->at("values").at("bufferView");
  check_range(sparse->at("indices"), indices);
  check_range(sparse->at("values"), replaced);
}

void AccessorReader::read_strided(const JsonView& place, const AccessorFormat& format, std::size_t view,
                                  std::size_t offset, std::vector<double>& values) {
  const std::span<const std::byte> bytes = buffer_view(view);
  const std::size_t own_stride = view_stride(view), columns = column_stride(format),
                    width = component_size(format.type);
  const std::size_t stride = own_stride > 0 ? own_stride : packed_stride(format);
  if (!fits(bytes.size(), offset, format.count, stride, element_size(format)))
    throw place.error("reaches past the end of its data; the file is damaged, export it again.");
  std::size_t out = 0;
  for (std::size_t i = 0; i < format.count; ++i) {
    const std::byte* element = bytes.data() + offset + i * stride;
    for (int column = 0; column < format.columns; ++column)
      for (int row = 0; row < format.rows; ++row)
        values[out++] = decode_component(
            element + static_cast<std::size_t>(column) * columns + static_cast<std::size_t>(row) * width, format.type,
            format.normalized);
  }
}

void AccessorReader::apply_sparse(const JsonView& sparse, AccessorValues& result) {
  const JsonView indices_view = sparse.at("indices"), values_view = sparse.at("values");
  const std::size_t count = sparse.at("count").to_integer();
  const AccessorFormat index_format{count, component_type(indices_view.at("componentType")), false, 1, 1};
  AccessorFormat value_format = result.format;
  value_format.count = count;
  const auto width = static_cast<std::size_t>(result.format.components());
  spend(count * (width + 1));
  std::vector<double> indices(count), values(count * width);
  read_strided(indices_view, index_format, indices_view.at("bufferView").to_index(views_.size(), "buffer view"),
               indices_view.integer_or("byteOffset", 0), indices);
  read_strided(values_view, value_format, values_view.at("bufferView").to_index(views_.size(), "buffer view"),
               values_view.integer_or("byteOffset", 0), values);
  for (std::size_t i = 0; i < count; ++i) {
    const auto element = static_cast<std::size_t>(indices[i]);
    if (element >= result.format.count)
      throw indices_view.error("name element " + std::to_string(element) + " of an accessor that has " +
                               std::to_string(result.format.count) + "; export the file again.");
    if (i > 0 && indices[i] <= indices[i - 1])
      throw indices_view.error("do not rise strictly at entry " + std::to_string(i) + "; export the file again.");
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                result.values.begin() + static_cast<std::ptrdiff_t>(element * width));
  }
}

AccessorValues AccessorReader::read(std::size_t index) {
  const JsonView& accessor = accessors_.at(index);
  AccessorValues result{accessor_format(accessor), {}};
  const auto width = static_cast<std::size_t>(result.format.components());
  if (result.format.count > std::numeric_limits<std::size_t>::max() / width) spend(result.format.count);
  spend(result.format.count * width);
  result.values.assign(result.format.count * width, 0.0);
  if (const auto view = accessor.index("bufferView", views_.size(), "buffer view"))
    read_strided(accessor, result.format, *view, accessor.integer_or("byteOffset", 0), result.values);
  if (const auto sparse = accessor.find("sparse")) apply_sparse(*sparse, result);
  return result;
}

}  // namespace sinew
