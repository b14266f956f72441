#include "sinew/files/texture.h"

#include <turbojpeg.h>
#include <webp/decode.h>

#include <climits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "sinew/base/error.h"
#include "sinew/files/png.h"

namespace sinew {
namespace {

constexpr int texture_channels = 4;

Error damaged() { return input_error("is a damaged picture"); }

// Allocates the picture, unless it is too large.
Texture texture_of(PictureSize size, std::size_t most_pixels) {
  if (size.width < 1 || size.height < 1) throw damaged();
  Texture texture;
  texture.width = size.width;
  texture.height = size.height;
  if (size.width > most_texture_side || size.height > most_texture_side || texture.pixels() > most_pixels)
    throw input_error("is too large a picture, of " + std::to_string(size.width) + " x " + std::to_string(size.height) +
                      " pixels");
  texture.rgba.resize(texture.pixels() * texture_channels);
  return texture;
}

const unsigned char* unsigned_bytes(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

bool begins_with(std::span<const std::byte> bytes, std::size_t at, std::string_view magic) {
  if (bytes.size() < at + magic.size()) return false;
  for (std::size_t i = 0; i < magic.size(); ++i)
    if (std::to_integer<char>(bytes[at + i]) != magic[i]) return false;
  return true;
}

Texture decode_png_texture(std::span<const std::byte> bytes, std::size_t most_pixels) {
  const std::optional<PictureSize> size = png_size(bytes);
  if (!size) throw damaged();
  Texture texture = texture_of(*size, most_pixels);
  if (!unpack_png(bytes, texture_channels, texture.rgba)) throw damaged();
  return texture;
}

Texture decode_jpeg_texture(std::span<const std::byte> bytes, std::size_t most_pixels) {
  const std::unique_ptr<void, int (*)(tjhandle)> decoder(tjInitDecompress(), tjDestroy);
  if (!decoder) throw std::bad_alloc();
  PictureSize size;
  int subsampling = 0, color_space = 0;
  const auto length = static_cast<unsigned long>(bytes.size());
  if (tjDecompressHeader3(decoder.get(), unsigned_bytes(bytes), length, &size.width, &size.height, &subsampling,
                          &color_space) != 0)
    throw damaged();
  Texture texture = texture_of(size, most_pixels);
  // Warnings are accepted: photographs that lack a few bytes at the end are common.
  if (tjDecompress2(decoder.get(), unsigned_bytes(bytes), length, texture.rgba.data(), size.width, 0, size.height,
                    TJPF_RGBA, TJFLAG_LIMITSCANS) != 0 &&
      tjGetErrorCode(decoder.get()) == TJERR_FATAL)
    throw damaged();
  return texture;
}

Texture decode_webp_texture(std::span<const std::byte> bytes, std::size_t most_pixels) {
  PictureSize size;
  if (!WebPGetInfo(unsigned_bytes(bytes), bytes.size(), &size.width, &size.height)) throw damaged();
  Texture texture = texture_of(size, most_pixels);
  if (!WebPDecodeRGBAInto(unsigned_bytes(bytes), bytes.size(), texture.rgba.data(), texture.rgba.size(),
                          size.width * texture_channels))
    throw damaged();
  return texture;
}

}  // namespace

Texture decode_texture(std::span<const std::byte> bytes, std::size_t most_pixels) {
  using namespace std::string_view_literals;
  if (bytes.size() <= INT_MAX) {
    if (begins_with(bytes, 0, "\x89PNG")) return decode_png_texture(bytes, most_pixels);
    if (begins_with(bytes, 0, "\xff\xd8\xff")) return decode_jpeg_texture(bytes, most_pixels);
    if (begins_with(bytes, 0, "RIFF") && begins_with(bytes, 8, "WEBP")) return decode_webp_texture(bytes, most_pixels);
  }
  throw input_error("is no picture that Sinew reads (PNG, JPEG, WebP)");
}

}  // namespace sinew
