#include "sinew/cook/muscles/spindle.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr int pieces_between_places = 12;

// A point of the Catmull-Rom spline from places[k] to the next one.
Vec3 spline(std::span<const Vec3> places, std::size_t k, double t) {
  const Vec3 &from = places[k], &to = places[k + 1];
  const Vec3 before = k > 0 ? places[k - 1] : 2.0 * from - to;
  const Vec3 after = k + 2 < places.size() ? places[k + 2] : 2.0 * to - from;
  const double t2 = t * t, t3 = t2 * t;
  return 0.5 * ((2.0 * from) + t * (to - before) + t2 * (2.0 * before - 5.0 * from + 4.0 * to - after) +
                t3 * (3.0 * (from - to) + after - before));
}

}  // namespace

Spindle::Spindle(std::span<const Vec3> places, double radius) : radius_(radius) {
  for (std::size_t k = 0; k + 1 < places.size(); ++k)
    for (int i = 0; i < pieces_between_places; ++i)
      curve_.push_back(spline(places, k, static_cast<double>(i) / pieces_between_places));
  curve_.push_back(places.back());
  low_ = high_ = curve_.front();
  along_.push_back(0);
  for (std::size_t k = 1; k < curve_.size(); ++k) {
    along_.push_back(along_.back() + distance(curve_[k], curve_[k - 1]));
    low_ = min(low_, curve_[k]), high_ = max(high_, curve_[k]);
  }
  length_ = along_.back();
  const Vec3 margin{radius, radius, radius};
  low_ -= margin, high_ += margin;
}

double Spindle::radius(double along) const {
  return radius_ * std::sin(std::numbers::pi * std::clamp(along, 0.0, 1.0));
}

Vec3 Spindle::at(double along) const {
  const double wanted = std::clamp(along, 0.0, 1.0) * length_;
  const auto next = std::upper_bound(along_.begin() + 1, along_.end() - 1, wanted);
  const auto k = static_cast<std::size_t>(next - along_.begin());
  const double piece = along_[k] - along_[k - 1];
  return curve_[k - 1] + (piece > 0 ? (wanted - along_[k - 1]) / piece : 0) * (curve_[k] - curve_[k - 1]);
}

InSpindle Spindle::locate(const Vec3& point) const {
  InSpindle found;
  double nearest = HUGE_VAL;
  for (std::size_t k = 0; k + 1 < curve_.size(); ++k) {
    const Vec3 piece = curve_[k + 1] - curve_[k];
    const double squared = squared_norm(piece);
    if (!(squared > 0)) continue;
    const double t = std::clamp(dot(point - curve_[k], piece) / squared, 0.0, 1.0);
    const double away = distance(point, curve_[k] + t * piece);
    if (away >= nearest) continue;
    nearest = away;
    found.along = (along_[k] + t * std::sqrt(squared)) / length_;
    found.direction = piece / std::sqrt(squared);
  }
  found.inside = nearest <= radius(found.along);
  return found;
}

}  // namespace sinew
