// Small labels on pictures, in a bitmap font of five by seven dots.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "sinew/files/png.h"

namespace sinew {

inline constexpr std::array<std::uint8_t, 3> label_color{58, 62, 70};
inline constexpr int glyph_width = 5, glyph_height = 7;

// Width of a text in pixels, with each dot `scale` pixels wide.
int text_width(std::string_view text, int scale);

// Draws `text` with its upper left corner at (x, y), clipped to the picture. Small letters are drawn as capitals,
// characters without a glyph as a small box.
void draw_text(Image& image, int x, int y, std::string_view text, const std::array<std::uint8_t, 3>& color,
               int scale = 1);

}  // namespace sinew
