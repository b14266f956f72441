// Numbers over numbers as lines in a picture.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sinew/files/png.h"

namespace sinew {

struct ChartLine {
  std::string name;
  std::vector<double> x, y;  // as long as each other
  std::array<std::uint8_t, 3> color{};
  bool points = false;  // marked, for few
};

struct Chart {
  std::string x_title, y_title;
  std::vector<ChartLine> lines;
  bool logarithmic_x = false, logarithmic_y = false;  // then all of these numbers are above zero
  // Of the y axis; without, what the lines need, from zero on where the axis is linear. Lines are cut off at both.
  std::optional<double> lowest, highest;
  int width = 900, height = 460;  // pixels
};

// Of lines that can be told apart.
std::array<std::uint8_t, 3> chart_color(std::size_t line);

// Axes with round numbers, lines, and their names at the right. Throws usage_error where there is nothing to draw, a
// line's x and y differ in number, or a number cannot be drawn.
Image draw_chart(const Chart& chart);

// Round numbers from `from` to `to`, at least two where the axis is linear or spans a decade: multiples of 1, 2 or 5
// times a power of ten, about `wanted` of them; with a logarithmic axis those of 1, 2 and 5 in each decade, or 1 alone
// where they would be many.
std::vector<double> chart_ticks(double from, double to, bool logarithmic, int wanted);

}  // namespace sinew
