#include "studies/common/picture_chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/picture/lines.h"
#include "sinew/picture/text.h"

namespace sinew {
namespace {

using Color = std::array<std::uint8_t, 3>;

constexpr Color paper{255, 255, 255}, ink{40, 40, 40}, grid{225, 225, 225};
constexpr int letter = 2;  // pixels of a dot of the font
constexpr int gap = 10, swatch = 26, legend_line = 24;

// An axis: maps numbers to fractions of its length.
struct Axis {
  double from = 0, to = 1;
  bool logarithmic = false;

  double at(double v) const {
    return logarithmic ? std::log(v / from) / std::log(to / from) : (v - from) / (to - from);
  }
};

std::string short_number(double v) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", v);
  return text;
}

void check(const Chart& chart) {
  if (chart.lines.empty()) throw usage_error("a chart needs a line to draw.");
  const auto drawable = [](double v, bool logarithmic) { return std::isfinite(v) && (!logarithmic || v > 0); };
  for (const ChartLine& line : chart.lines) {
    if (line.x.empty() || line.x.size() != line.y.size())
      throw usage_error("the line '" + line.name +
                        "' of a chart needs as many numbers across as up, and one at least.");
    for (std::size_t k = 0; k < line.x.size(); ++k)
      if (!drawable(line.x[k], chart.logarithmic_x) || !drawable(line.y[k], chart.logarithmic_y))
        throw usage_error("the line '" + line.name + "' of a chart has a number that cannot be drawn.");
  }
}

// An axis slightly wider than the numbers, so that no line is on the frame.
Axis axis_of(double least, double most, bool logarithmic) {
  if (logarithmic) {
    const double factor = most > least ? std::pow(most / least, 0.04) : 2;
    return {least / factor, most * factor, true};
  }
  const double margin = most > least ? 0.04 * (most - least) : std::max(1.0, std::abs(most));
  return {least >= 0 && least < margin ? 0 : least - margin, most + margin, false};
}

Axis across(const Chart& chart) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const ChartLine& line : chart.lines)
    for (const double x : line.x) least = std::min(least, x), most = std::max(most, x);
  if (!chart.logarithmic_x && most > least) return {least, most, false};
  return axis_of(least, most, chart.logarithmic_x);
}

Axis upward(const Chart& chart) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (const ChartLine& line : chart.lines)
    for (const double y : line.y) least = std::min(least, y), most = std::max(most, y);
  if (!chart.logarithmic_y && least > 0) least = 0;
  Axis axis = axis_of(least, most, chart.logarithmic_y);
  axis.from = chart.lowest.value_or(axis.from);
  axis.to = chart.highest.value_or(axis.to);
  if (!(axis.from < axis.to)) throw usage_error("the lowest number of a chart must lie below its highest.");
  return axis;
}

// Clips a segment to y in 0 to 1 (fractions of the axis); false if nothing remains.
bool cut(double& x0, double& y0, double& x1, double& y1) {
  double begin = 0, end = 1;
  for (const double bound : {0.0, 1.0}) {
    const bool out0 = bound == 0 ? y0 < 0 : y0 > 1, out1 = bound == 0 ? y1 < 0 : y1 > 1;
    if (out0 && out1) return false;
    if (!out0 && !out1) continue;
    const double t = (bound - y0) / (y1 - y0);
    if (out0)
      begin = std::max(begin, t);
    else
      end = std::min(end, t);
  }
  if (begin > end) return false;
  const double dx = x1 - x0, dy = y1 - y0, x = x0, y = y0;
  x0 = x + begin * dx, y0 = y + begin * dy;
  x1 = x + end * dx, y1 = y + end * dy;
  return true;
}

struct Frame {
  double left = 0, top = 0, right = 0, bottom = 0;  // pixels
  PicturePoint at(double x, double y) const { return {left + x * (right - left), bottom - y * (bottom - top)}; }
};

void draw_axes(Image& image, const Chart& chart, const Frame& frame, const Axis& x, const Axis& y) {
  const auto whole = [](double v) { return static_cast<int>(std::lround(v)); };
  for (const double tick : chart_ticks(x.from, x.to, x.logarithmic, 8)) {
    const double at = x.at(tick);
    draw_line(image, frame.at(at, 0), frame.at(at, 1), grid, 1);
    const std::string text = short_number(tick);
    draw_text(image, whole(frame.at(at, 0).x) - text_width(text, letter) / 2, whole(frame.bottom) + gap, text, ink,
              letter);
  }
  for (const double tick : chart_ticks(y.from, y.to, y.logarithmic, 6)) {
    const double at = y.at(tick);
    draw_line(image, frame.at(0, at), frame.at(1, at), grid, 1);
    const std::string text = short_number(tick);
    draw_text(image, whole(frame.left) - gap - text_width(text, letter),
              whole(frame.at(0, at).y) - glyph_height * letter / 2, text, ink, letter);
  }
  draw_line(image, frame.at(0, 0), frame.at(1, 0), ink, 1.5);
  draw_line(image, frame.at(0, 0), frame.at(0, 1), ink, 1.5);
  draw_text(image, whole((frame.left + frame.right) / 2) - text_width(chart.x_title, letter) / 2,
            whole(frame.bottom) + 2 * gap + glyph_height * letter + 4, chart.x_title, ink, letter);
  draw_text(image, gap, gap, chart.y_title, ink, letter);
}

void draw_curve(Image& image, const ChartLine& line, const Frame& frame, const Axis& x, const Axis& y) {
  for (std::size_t k = 0; k < line.x.size(); ++k) {
    const double px = x.at(line.x[k]), py = y.at(line.y[k]);
    if ((line.points || line.x.size() == 1) && py >= 0 && py <= 1)
      draw_line(image, frame.at(px, py), frame.at(px, py), line.color, 8);
    if (k == 0) continue;
    double x0 = x.at(line.x[k - 1]), y0 = y.at(line.y[k - 1]), x1 = px, y1 = py;
    if (cut(x0, y0, x1, y1)) draw_line(image, frame.at(x0, y0), frame.at(x1, y1), line.color, 2.2);
  }
}

}  // namespace

std::array<std::uint8_t, 3> chart_color(std::size_t line) {
  constexpr Color colors[] = {{31, 90, 180}, {210, 50, 45},  {40, 150, 70},  {150, 80, 190}, {230, 140, 20},
                              {90, 90, 90},  {30, 165, 180}, {200, 90, 150}, {130, 85, 40},  {0, 0, 0}};
  return colors[line % std::size(colors)];
}

std::vector<double> chart_ticks(double from, double to, bool logarithmic, int wanted) {
  std::vector<double> result;
  const double slack = 1e-9;
  if (logarithmic) {
    const int first = static_cast<int>(std::floor(std::log10(from))),
              last = static_cast<int>(std::ceil(std::log10(to)));
    const bool decades = 3 * std::log10(to / from) > 1.5 * wanted;
    for (int k = first; k <= last; ++k)
      for (const double m : {1.0, 2.0, 5.0}) {
        const double tick = m * std::pow(10.0, k);
        if (decades && m > 1) continue;
        if (tick >= from * (1 - slack) && tick <= to * (1 + slack)) result.push_back(tick);
      }
    return result;
  }
  const double rough = (to - from) / wanted, decade = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * decade;
  for (const double m : {5.0, 2.0, 1.0})
    if (m * decade >= rough * (1 - slack)) step = m * decade;
  const double margin = slack * (to - from);
  for (double k = std::ceil((from - margin) / step); k * step <= to + margin; ++k) result.push_back(k * step + 0.0);
  return result;
}

Image draw_chart(const Chart& chart) {
  check(chart);
  const Axis x = across(chart), y = upward(chart);
  Image image(chart.width, chart.height);
  for (std::size_t k = 0; k < image.rgb.size(); ++k) image.rgb[k] = paper[k % 3];

  int names = 0, numbers = 0;
  for (const ChartLine& line : chart.lines) names = std::max(names, text_width(line.name, letter));
  for (const double tick : chart_ticks(y.from, y.to, y.logarithmic, 6))
    numbers = std::max(numbers, text_width(short_number(tick), letter));
  const int text_height = glyph_height * letter;
  Frame frame;
  frame.left = 2 * gap + numbers;
  frame.top = 2 * gap + text_height + 4;
  frame.right = chart.width - names - swatch - 4 * gap;
  frame.bottom = chart.height - 3 * gap - 2 * text_height - 4;
  if (frame.right <= frame.left || frame.bottom <= frame.top)
    throw usage_error("a chart is too small for its own texts.");

  draw_axes(image, chart, frame, x, y);
  for (const ChartLine& line : chart.lines) draw_curve(image, line, frame, x, y);
  for (std::size_t k = 0; k < chart.lines.size(); ++k) {
    const double top = frame.top + legend_line * static_cast<double>(k), left = frame.right + 2 * gap;
    const double middle = top + text_height / 2.0;
    draw_line(image, {left, middle}, {left + swatch, middle}, chart.lines[k].color, 3);
    draw_text(image, static_cast<int>(left) + swatch + gap, static_cast<int>(top), chart.lines[k].name, ink, letter);
  }
  return image;
}

}  // namespace sinew
