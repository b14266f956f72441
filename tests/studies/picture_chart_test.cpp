#include "studies/common/picture_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/base/refusal.h"

namespace sinew {
namespace {

// Lowest and highest row and column that have this colour, or something that leans to it.
struct Extent {
  int left = 1 << 20, right = -1, top = 1 << 20, bottom = -1;
};
Extent extent(const Image& image, const std::array<std::uint8_t, 3>& color, int right_of_plot) {
  Extent e;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < right_of_plot; ++x) {
      const std::uint8_t* p = image.pixel(x, y);
      if (p[0] != color[0] || p[1] != color[1] || p[2] != color[2]) continue;
      e.left = std::min(e.left, x), e.right = std::max(e.right, x);
      e.top = std::min(e.top, y), e.bottom = std::max(e.bottom, y);
    }
  return e;
}

TEST(PictureChart, TicksAreRound) {
  EXPECT_EQ(chart_ticks(0, 1, false, 5), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(chart_ticks(-3, 12, false, 4), (std::vector<double>{0, 5, 10}));
  EXPECT_EQ(chart_ticks(3, 60, true, 6), (std::vector<double>{5, 10, 20, 50}));
  EXPECT_EQ(chart_ticks(0.5, 2e6, true, 6), (std::vector<double>{1, 10, 100, 1000, 10000, 100000, 1000000}));
}

TEST(PictureChart, LinesGoWhereTheirNumbersAre) {
  Chart chart;
  chart.x_title = "time";
  chart.y_title = "energy";
  chart.lines = {{"low", {0, 1}, {1, 1}, chart_color(0), false}, {"high", {0, 0.5}, {3, 3}, chart_color(1), false}};
  const Image image = draw_chart(chart);
  ASSERT_EQ(image.width, 900);
  // Without the names at the right.
  const Extent low = extent(image, chart_color(0), 800), high = extent(image, chart_color(1), 800);
  EXPECT_NEAR(low.left, high.left, 1);
  EXPECT_NEAR(high.right - high.left, 0.5 * (low.right - low.left), 2);
  EXPECT_LT(high.bottom, low.top);
  EXPECT_LE(low.bottom - low.top, 3);  // level
}

TEST(PictureChart, WhatIsBeyondTheAxisIsCutOff) {
  Chart chart;
  chart.lines = {{"peak", {0, 1, 2}, {0, 100, 0}, chart_color(0), false}};
  chart.highest = 10;
  const Extent cut = extent(draw_chart(chart), chart_color(0), 800);
  chart.lines[0].y = {0, 10, 0};
  const Extent whole = extent(draw_chart(chart), chart_color(0), 800);
  EXPECT_NEAR(cut.top, whole.top, 3);
  EXPECT_NEAR(cut.left, whole.left, 3);
}

TEST(PictureChart, LogarithmsAreEvenlySpaced) {
  Chart chart;
  chart.logarithmic_y = true;
  std::vector<int> rows;
  for (const double y : {1.0, 10.0, 100.0}) {
    chart.lines = {{"all", {0, 1}, {1, 100}, chart_color(0), false},
                   {"one", {0.2, 0.8}, {y, y}, chart_color(1), false}};
    rows.push_back(extent(draw_chart(chart), chart_color(1), 800).top);
  }
  EXPECT_NEAR(rows[0] - rows[1], rows[1] - rows[2], 1);
  EXPECT_GT(rows[1], rows[2]);
}

TEST(PictureChart, RefusesWhatCannotBeDrawn) {
  Chart chart;
  const auto refused = [&] { return test::refusal(ErrorKind::usage, [&] { draw_chart(chart); }); };
  EXPECT_NE(refused().find("needs a line"), std::string::npos);
  chart.lines = {{"short", {0, 1}, {1}, chart_color(0), false}};
  EXPECT_NE(refused().find("short"), std::string::npos);
  chart.lines = {{"zero", {0, 1}, {0, 1}, chart_color(0), false}};
  EXPECT_NO_THROW(draw_chart(chart));
  chart.logarithmic_y = true;
  EXPECT_NE(refused().find("zero"), std::string::npos);
}

}  // namespace
}  // namespace sinew
