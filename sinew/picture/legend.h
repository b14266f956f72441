// The legend below a sheet: what the colours of its pictures stand for.
#pragma once

#include <string>

#include "sinew/files/png.h"
#include "sinew/linalg/small.h"

namespace sinew {

// 1, 2, 3 or 5 times a power of ten, the least that is no less than `value`; 1 where that is not positive.
double round_for_legend(double value);

// Texts at both ends of the bar.
struct LegendTexts {
  std::string begin, end;
};

// The sheet with a bar of colours below it: `color_of` is linear RGB at a share from 0 to 1 of the bar; `scale` is the
// size of a text's dot in pixels.
Image with_legend(const Image& sheet, const LegendTexts& texts, Vec3 (*color_of)(double), int scale);

}  // namespace sinew
