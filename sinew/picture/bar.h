// Colour bars that explain the colours of a picture.
#pragma once

#include "sinew/files/png.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Fills the rectangle with `color_of(share)`, linear RGB, where share runs from 0 at the left edge to 1 at the right.
// Clipped to the picture.
template <class ColorOf>
void draw_color_bar(Image& image, int x, int y, int width, int height, const ColorOf& color_of);

// Draws one column of the bar.
void fill_column(Image& image, int x, int y, int height, const Vec3& linear_color);

template <class ColorOf>
void draw_color_bar(Image& image, int x, int y, int width, int height, const ColorOf& color_of) {
  for (int column = 0; column < width; ++column)
    fill_column(image, x + column, y, height, color_of(width > 1 ? static_cast<double>(column) / (width - 1) : 0.0));
}

}  // namespace sinew
