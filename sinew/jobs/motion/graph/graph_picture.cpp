#include "sinew/jobs/motion/graph/graph_picture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "sinew/base/index.h"
#include "sinew/picture/colors.h"
#include "sinew/picture/legend.h"
#include "sinew/picture/lines.h"
#include "sinew/picture/srgb.h"
#include "sinew/picture/text.h"

namespace sinew {
namespace {

constexpr int side = 720, margin = 28, scale = 2;
constexpr std::array<std::uint8_t, 3> paper{236, 236, 236}, mark{255, 255, 255}, edge{90, 120, 170},
    faint{190, 190, 190};

void fill_rectangle(Image& image, int x0, int y0, int x1, int y1, const std::array<std::uint8_t, 3>& color) {
  for (int y = std::max(0, y0); y < std::min(image.height, y1); ++y)
    for (int x = std::max(0, x0); x < std::min(image.width, x1); ++x)
      std::copy(color.begin(), color.end(), image.pixel(x, y));
}

// The distances, dark where windows are alike; lines between clips, and a white square on each transition.
void draw_map(const MotionGraph& all, const MotionGraph& kept, std::span<const WindowRun> runs,
              const SimilarWindows& similar, double brightest, Image& image) {
  const auto cells = static_cast<double>(similar.map.rows);
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) {
      const auto cell = [&](int pixel) { return static_cast<std::size_t>(pixel * cells / side); };
      const std::array<std::uint8_t, 3> color = srgb_bytes(heat_color(similar.map(cell(x), cell(y)) / brightest));
      std::copy(color.begin(), color.end(), image.pixel(margin + x, margin + y));
    }
  std::vector<double> begin(runs.size() + 1, 0.0);
  for (std::size_t r = 0; r < runs.size(); ++r) begin[r + 1] = begin[r] + static_cast<double>(runs[r].count);
  const auto pixel = [&](double window) { return margin + static_cast<int>(window * side / begin.back()); };
  for (std::size_t r = 1; r < runs.size(); ++r) {
    fill_rectangle(image, pixel(begin[r]), margin, pixel(begin[r]) + 1, margin + side, faint);
    fill_rectangle(image, margin, pixel(begin[r]), margin + side, pixel(begin[r]) + 1, faint);
  }
  for (const GraphTransition& each : kept.transitions) {
    const auto clip_of = [&](int clip) {
      std::size_t c = 0;
      while (all.clips[c].name != kept.clips[index(clip)].name) ++c;
      return c;
    };
    const int x = pixel(begin[clip_of(each.from)] + each.from_frame + 0.5),
              y = pixel(begin[clip_of(each.to)] + each.to_frame + 0.5);
    fill_rectangle(image, x - 1, y - 1, x + 2, y + 2, mark);
  }
}

// Clips around a circle, those that loop in it with a ring, and lines that are thicker the more transitions there are.
void draw_graph(const MotionGraph& all, const MotionGraph& kept, int left, Image& image) {
  std::set<std::string> in_graph;
  for (const GraphClip& clip : kept.clips) in_graph.insert(clip.name);
  std::map<std::pair<int, int>, int> count;
  for (const GraphTransition& each : kept.transitions) ++count[{each.from, each.to}];
  std::map<std::string, PicturePoint> place;
  const double radius = side * 0.36, middle_x = left + side / 2.0, middle_y = margin + side / 2.0;
  const auto n = static_cast<double>(all.clips.size());
  const auto direction = [&](std::size_t c) { return 2 * std::numbers::pi * static_cast<double>(c) / n; };
  for (std::size_t c = 0; c < all.clips.size(); ++c)
    place[all.clips[c].name] = {middle_x + radius * std::sin(direction(c)), middle_y - radius * std::cos(direction(c))};
  for (const auto& [clips, ways] : count) {
    if (clips.first > clips.second) continue;
    const PicturePoint &a = place[kept.clips[index(clips.first)].name],
                       &b = place[kept.clips[index(clips.second)].name];
    if (clips.first != clips.second) draw_line(image, a, b, edge, 0.8 + std::log2(1.0 + ways) * 0.7);
  }
  for (std::size_t c = 0; c < all.clips.size(); ++c) {
    const GraphClip& clip = all.clips[c];
    const PicturePoint& at = place[clip.name];
    const bool is_in = in_graph.contains(clip.name);
    draw_line(image, at, at, is_in ? label_color : faint, 14);
    if (clip.loops) draw_line(image, at, at, is_in ? mark : paper, 6);
    const int small = n > 24 ? 1 : scale;
    // Labels stand outside, and fit the picture.
    std::string label = clip.name;
    const double out_x = at.x + 14 * std::sin(direction(c)), out_y = at.y - 14 * std::cos(direction(c));
    const bool right = std::sin(direction(c)) >= 0;
    const int room = right ? left + side - static_cast<int>(out_x) : static_cast<int>(out_x) - left;
    while (label.size() > 4 && text_width(label, small) > room) label.pop_back();
    draw_text(image, static_cast<int>(out_x) - (right ? 0 : text_width(label, small)),
              static_cast<int>(out_y) - glyph_height * small / 2, label, is_in ? label_color : faint, small);
  }
}

}  // namespace

Image graph_picture(const MotionGraph& all, const MotionGraph& kept, std::span<const WindowRun> runs,
                    const SimilarWindows& similar) {
  Image image(2 * side + 3 * margin, side + 2 * margin);
  fill_rectangle(image, 0, 0, image.width, image.height, paper);
  double most = 0;
  for (const double value : similar.map.value)
    if (std::isfinite(value)) most = std::max(most, value);
  const double brightest = round_for_legend(std::min(most, 2 * all.threshold));
  if (similar.map.rows > 0) draw_map(all, kept, runs, similar, brightest, image);
  draw_graph(all, kept, 2 * margin + side, image);
  char end[32];
  std::snprintf(end, sizeof(end), "%.3g m", brightest);
  return with_legend(image, {"0", end}, heat_color, scale);
}

}  // namespace sinew
