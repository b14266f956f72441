// Images in memory and as PNG files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// Rows from top to bottom, three bytes a pixel: red, green, blue, sRGB encoded.
struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // height x width x 3

  Image() = default;
  Image(int image_width, int image_height)
      : width(image_width),
        height(image_height),
        rgb(static_cast<std::size_t>(image_width) * static_cast<std::size_t>(image_height) * 3) {}
  std::uint8_t* pixel(int x, int y) {
    return rgb.data() +
           (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 3;
  }
  const std::uint8_t* pixel(int x, int y) const { return const_cast<Image*>(this)->pixel(x, y); }
};

std::vector<std::byte> encode_png(const Image& image);

struct PictureSize {
  int width = 0, height = 0;
};

// What the bytes announce; nothing where they are not a PNG.
std::optional<PictureSize> png_size(std::span<const std::byte> bytes);

// Fills height x width x `channels` (3: red, green, blue; 4: opacity too) bytes; false where the data is damaged.
bool unpack_png(std::span<const std::byte> bytes, int channels, std::span<std::uint8_t> pixels);

// Throws input_error where the bytes are not a PNG; `name` is what the message calls the file.
Image decode_png(std::span<const std::byte> bytes, const std::filesystem::path& name);

// Whole or not at all, as write_file of base/file.h.
void write_png(const std::filesystem::path& path, const Image& image);

// Copies a picture onto a sheet that has room for it, its upper left corner to (x, y).
void paste(const Image& picture, int x, int y, Image& sheet);

}  // namespace sinew
