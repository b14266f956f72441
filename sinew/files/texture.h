// Materials and textures of a character, as far as pictures show them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// An sRGB picture: rows from top to bottom, four bytes per pixel: red, green, blue, and opacity, by which colours are
// not premultiplied.
struct Texture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // height x width x 4

  std::size_t pixels() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
};

// Largest width and height that untrusted files may have.
inline constexpr int most_texture_side = 8192;  // pixels

// Decodes PNG, JPEG or WebP, by the first bytes. Throws input_error with the fault alone, to follow the picture's name:
// "is no picture that Sinew reads (PNG, JPEG, WebP)". Pictures of more than `most_pixels` are refused before they are
// unpacked.
Texture decode_texture(std::span<const std::byte> bytes, std::size_t most_pixels = std::size_t{1} << 26);

enum class TextureWrap { repeat, mirror, clamp };

struct MaterialTexture {
  std::shared_ptr<const Texture> picture;  // never null
  TextureWrap wrap_u = TextureWrap::repeat, wrap_v = TextureWrap::repeat;
  bool nearest = false;  // magnify without interpolation
};

enum class AlphaMode { opaque, mask, blend };

struct SurfaceMaterial {
  Vec3 base_color{1, 1, 1};  // linear RGB, multiplied by the texture
  double opacity = 1;        // multiplied by the texture's
  AlphaMode alpha_mode = AlphaMode::opaque;
  double alpha_cutoff = 0.5;  // for AlphaMode::mask: pixels of less opacity are invisible
  Vec3 emission;              // linear RGB
  std::optional<MaterialTexture> texture;
};

}  // namespace sinew
