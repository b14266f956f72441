// The bar of colours that says what the colours of a picture stand for.
#pragma once

#include "sinew/files/png.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Fills the rectangle with `color_of(share)`, linear RGB, where share runs from 0 at its left edge to 1 at its right;
// what falls outside the picture is cut off.
template <class ColorOf>
void draw_color_bar(Image& image, int x, int y, int width, int height, const ColorOf& color_of);

// One column of it.
void fill_column(Image& image, int x, int y, int height, const Vec3& linear_color);

template <class ColorOf>
void draw_color_bar(Image& image, int x, int y, int width, int height, const ColorOf& color_of) {
  for (int column = 0; column < width; ++column)
    fill_column(image, x + column, y, height, color_of(width > 1 ? static_cast<double>(column) / (width - 1) : 0.0));
}

}  // namespace sinew
