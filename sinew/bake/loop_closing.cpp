#include "sinew/bake/loop_closing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "sinew/bake/fields.h"

namespace sinew {
namespace {

constexpr std::size_t looked_at = 6;  // number of differences that the oscillation is fitted to
constexpr std::size_t least_looked_at = 4;

}  // namespace

double DecayingSwing::now(double frames) const {
  return std::pow(rate, frames) * std::sin(angle * (frames + 1)) / std::sin(angle);
}

double DecayingSwing::before(double frames) const {
  return -std::pow(rate, frames + 1) * std::sin(angle * frames) / std::sin(angle);
}

DecayingSwing fit_decay(std::span<const std::vector<Vec3>> e, const SwingBounds& bounds) {
  DecayingSwing swing{(bounds.slowest.rate + bounds.fastest.rate) / 2,
                      (bounds.slowest.angle + bounds.fastest.angle) / 2};
  if (e.size() < least_looked_at) return swing;
  double aa = 0, ab = 0, bb = 0, ay = 0, by = 0;
  for (std::size_t k = 1; k + 1 < e.size(); ++k) {
    aa += inner_product(e[k], e[k]);
    ab += inner_product(e[k], e[k - 1]);
    bb += inner_product(e[k - 1], e[k - 1]);
    ay += inner_product(e[k], e[k + 1]);
    by += inner_product(e[k - 1], e[k + 1]);
  }
  const double determinant = aa * bb - ab * ab;
  if (!(determinant > 1e-9 * aa * bb)) return swing;
  // The roots of z^2 = c1 z + c2 are rate e^(+-i angle).
  const double c1 = (ay * bb - by * ab) / determinant, c2 = (by * aa - ay * ab) / determinant;
  const double rate = std::sqrt(std::max(-c2, 0.0));
  swing.rate = std::clamp(rate, bounds.fastest.rate, bounds.slowest.rate);
  swing.angle = std::clamp(rate > 0 ? std::acos(std::clamp(c1 / (2 * rate), -1.0, 1.0)) : 0, bounds.slowest.angle,
                           bounds.fastest.angle);
  return swing;
}

bool LoopClosing::add(int cycle, std::int64_t frame, std::vector<Vec3> points, std::vector<double> curves) {
  // The last frame of a cycle is less than a frame before the next cycle's first.
  const bool full = points_.size() == looked_at;
  const auto dropped = cycle != cycle_ ? points_.size() : full ? std::size_t{1} : std::size_t{0};
  points_.erase(points_.begin(), points_.begin() + static_cast<std::ptrdiff_t>(dropped));
  curves_.erase(curves_.begin(), curves_.begin() + static_cast<std::ptrdiff_t>(dropped));
  cycle_ = cycle;
  frame_ = frame;
  alike_ = largest_norm(points) <= limits_.tolerance ? alike_ + 1 : 0;
  points_.push_back(std::move(points));
  curves_.push_back(std::move(curves));
  if (static_cast<double>(alike_) >= limits_.window) return true;
  if (static_cast<double>(cycle - 1) * limits_.length + static_cast<double>(frame) < limits_.enough) return false;
  give_up();
  return true;
}

void LoopClosing::due(std::int64_t frame, std::span<Vec3> points, std::span<double> curves) const {
  double last = 0, before = 0;  // coefficients of the last two differences
  if (swing_) {
    double frames = static_cast<double>(frame - frame_) + (frame > frame_ ? 0 : limits_.length);
    for (; std::pow(swing_->rate, frames) > 1e-6; frames += limits_.length) {
      last += swing_->now(frames);
      before += swing_->before(frames);
    }
  }
  const std::size_t k = points_.size() - 1, earlier = k > 0 ? k - 1 : k;
  for (std::size_t v = 0; v < points.size(); ++v) points[v] = last * points_[k][v] + before * points_[earlier][v];
  for (std::size_t i = 0; i < curves.size(); ++i) curves[i] = last * curves_[k][i] + before * curves_[earlier][i];
}

}  // namespace sinew
