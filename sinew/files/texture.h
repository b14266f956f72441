// How a surface is seen: its colours, and the picture that it wears, as characters bring them along.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/linalg/small.h"

namespace sinew {

// Rows from top to bottom, four bytes a pixel: red, green, blue, sRGB encoded and not multiplied by the fourth,
// opacity.
struct Texture {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgba;  // height x width x 4

  std::size_t pixels() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
};

// What a stranger's file may ask for.
inline constexpr int most_texture_side = 8192;  // pixels

// Reads PNG, JPEG and WebP, whichever the first bytes say. Throws input_error with the fault alone, to stand behind the
// picture's name: "is no picture that Sinew reads (PNG, JPEG, WebP)". `most_pixels`: more are refused, before anything
// is unpacked.
Texture decode_texture(std::span<const std::byte> bytes, std::size_t most_pixels = std::size_t{1} << 26);

enum class TextureWrap { repeat, mirror, clamp };

struct MaterialTexture {
  std::shared_ptr<const Texture> picture;  // never null
  TextureWrap wrap_u = TextureWrap::repeat, wrap_v = TextureWrap::repeat;
  bool nearest = false;  // enlarged without smoothing between pixels
};

enum class AlphaMode { opaque, mask, blend };

struct SurfaceMaterial {
  Vec3 base_color{1, 1, 1};  // linear RGB, times the texture's
  double opacity = 1;        // times the texture's
  AlphaMode alpha_mode = AlphaMode::opaque;
  double alpha_cutoff = 0.5;  // of mask: less opacity shows nothing
  Vec3 emission;              // linear RGB, light of its own
  std::optional<MaterialTexture> texture;
};

}  // namespace sinew
