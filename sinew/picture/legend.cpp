#include "sinew/picture/legend.h"

#include <algorithm>
#include <cmath>

#include "sinew/picture/bar.h"
#include "sinew/picture/text.h"

namespace sinew {

double round_for_legend(double value) {
  if (!(value > 0)) return 1;
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double factor : {1.0, 2.0, 3.0, 5.0})
    if (value <= factor * power * (1 + 1e-9)) return factor * power;
  return 10 * power;
}

Image with_legend(const Image& sheet, const LegendTexts& texts, Vec3 (*color_of)(double), int scale) {
  const int inset = 8 * scale, bar = 14 * scale, between = 6 * scale;
  Image result(sheet.width, sheet.height + bar + 2 * inset);
  std::copy(sheet.rgb.begin(), sheet.rgb.end(), result.rgb.begin());
  std::fill(result.rgb.begin() + static_cast<std::ptrdiff_t>(sheet.rgb.size()), result.rgb.end(), std::uint8_t{236});
  const int top = sheet.height + inset, text_top = top + (bar - glyph_height * scale) / 2;
  draw_text(result, inset, text_top, texts.begin, label_color, scale);
  const int left = inset + text_width(texts.begin, scale) + between;
  const int width =
      std::max(20, std::min(200 * scale, sheet.width - left - text_width(texts.end, scale) - between - inset));
  draw_color_bar(result, left, top, width, bar, color_of);
  draw_text(result, left + width + between, text_top, texts.end, label_color, scale);
  return result;
}

}  // namespace sinew
