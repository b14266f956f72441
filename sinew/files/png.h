// Images in memory, and PNG files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// An sRGB image: rows from top to bottom, three bytes per pixel (red, green, blue).
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

// The size in a PNG's header; empty if the bytes are not a PNG.
std::optional<PictureSize> png_size(std::span<const std::byte> bytes);

// Decodes into height x width x `channels` bytes (3: red, green, blue; 4: with opacity). False if the data is damaged.
bool unpack_png(std::span<const std::byte> bytes, int channels, std::span<std::uint8_t> pixels);

// Decodes a PNG. Throws input_error if it is not one; `name` is used in the message.
Image decode_png(std::span<const std::byte> bytes, const std::filesystem::path& name);

// Writes the whole file or nothing, like write_file() of base/file.h.
void write_png(const std::filesystem::path& path, const Image& image);

// Copies a picture into a larger one, with its upper left corner at (x, y).
void paste(const Image& picture, int x, int y, Image& sheet);

}  // namespace sinew
