// Line charts as pictures.
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
  std::vector<double> x, y;  // equal lengths
  std::array<std::uint8_t, 3> color{};
  bool points = false;  // marks each point, for lines with few of them
};

struct Chart {
  std::string x_title, y_title;
  std::vector<ChartLine> lines;
  bool logarithmic_x = false, logarithmic_y = false;  // then all numbers on that axis must be positive
  // Range of the y axis, to which lines are clipped. Default: the range of the lines, from zero on if the axis is
  // linear.
  std::optional<double> lowest, highest;
  int width = 900, height = 460;  // pixels
};

// Colour of a line; those of different lines are distinguishable.
std::array<std::uint8_t, 3> chart_color(std::size_t line);

// Draws axes with round numbers, lines, and their names at the right. Throws usage_error where there is nothing to
// draw, x and y of a line differ in length, or a number cannot be drawn.
Image draw_chart(const Chart& chart);

// Round numbers from `from` to `to`, at least two if the axis is linear or spans a decade. Linear: about `wanted`
// multiples of 1, 2 or 5 times a power of ten. Logarithmic: 1, 2 and 5 in each decade, or only 1 if there would be too
// many.
std::vector<double> chart_ticks(double from, double to, bool logarithmic, int wanted);

}  // namespace sinew
