// The legend below a picture, which explains its colours.
#pragma once

#include <string>

#include "sinew/files/png.h"
#include "sinew/linalg/small.h"

namespace sinew {

// The least of 1, 2, 3 or 5 times a power of ten that is not less than `value`; 1 if `value` is not positive.
double round_for_legend(double value);

// Texts at the ends of the bar.
struct LegendTexts {
  std::string begin, end;
};

// The picture with a colour bar below it. `color_of` gives linear RGB for a share from 0 to 1 of the bar; `scale` is
// the size of a text's dot in pixels.
Image with_legend(const Image& sheet, const LegendTexts& texts, Vec3 (*color_of)(double), int scale);

}  // namespace sinew
