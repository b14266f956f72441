#include "sinew/files/png.h"

#include <algorithm>
#include <climits>
#include <memory>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#endif
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb_image_write.h>
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STBI_ONLY_PNG
#define STBI_NO_STDIO
#include <stb_image.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace sinew {
namespace {

constexpr int rgb_channels = 3;

void append(void* context, void* data, int size) {
  auto& bytes = *static_cast<std::vector<std::byte>*>(context);
  const auto* begin = static_cast<const std::byte*>(data);
  bytes.insert(bytes.end(), begin, begin + size);
}

}  // namespace

std::vector<std::byte> encode_png(const Image& image) {
  std::vector<std::byte> bytes;
  if (image.width <= 0 || image.height <= 0) throw usage_error("a picture needs at least one pixel to be written");
  if (!stbi_write_png_to_func(append, &bytes, image.width, image.height, rgb_channels, image.rgb.data(),
                              image.width * rgb_channels))
    throw simulation_error("the picture is too large to be encoded as PNG; ask for a smaller one");
  return bytes;
}

std::optional<PictureSize> png_size(std::span<const std::byte> bytes) {
  PictureSize size;
  int file_channels = 0;
  if (bytes.size() > INT_MAX ||
      !stbi_info_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                             &size.width, &size.height, &file_channels))
    return std::nullopt;
  return size;
}

bool unpack_png(std::span<const std::byte> bytes, int channels, std::span<std::uint8_t> pixels) {
  int width = 0, height = 0, file_channels = 0;
  const std::unique_ptr<stbi_uc, void (*)(void*)> unpacked(
      bytes.size() > INT_MAX
          ? nullptr
          : stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(bytes.data()), static_cast<int>(bytes.size()),
                                  &width, &height, &file_channels, channels),
      stbi_image_free);
  if (!unpacked || pixels.size() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height) *
                                        static_cast<std::size_t>(channels))
    return false;
  std::copy_n(unpacked.get(), pixels.size(), pixels.data());
  return true;
}

Image decode_png(std::span<const std::byte> bytes, const std::filesystem::path& name) {
  const std::optional<PictureSize> size = png_size(bytes);
  Image image = size ? Image(size->width, size->height) : Image();
  if (!size || !unpack_png(bytes, rgb_channels, image.rgb))
    throw input_error(name.string() + " is not a PNG picture that can be read; export it again");
  return image;
}

void write_png(const std::filesystem::path& path, const Image& image) { write_file(path, encode_png(image)); }

void paste(const Image& picture, int x, int y, Image& sheet) {
  for (int row = 0; row < picture.height; ++row)
    std::copy_n(picture.pixel(0, row), static_cast<std::size_t>(picture.width) * 3, sheet.pixel(x, y + row));
}

}  // namespace sinew
