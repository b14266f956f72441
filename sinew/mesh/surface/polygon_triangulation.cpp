#include "sinew/mesh/surface/polygon_triangulation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

namespace sinew {
namespace {

struct Point2 {
  double x = 0, y = 0;
  bool operator==(const Point2&) const = default;
};

// Twice the signed area of a triangle, positive if it is counter-clockwise.
double turn(const Point2& a, const Point2& b, const Point2& c) {
  return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
}

// Vector of the polygon's areas projected along the three axes (Newell).
Vec3 area_normal(std::span<const Vec3> corners) {
  Vec3 normal{};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 a = corners[i] - corners[0], b = corners[(i + 1) % corners.size()] - corners[0];
    normal += cross(a, b);
  }
  return normal;
}

// The polygon projected along the axis with the largest area, counter-clockwise. Coordinates are not changed, so that
// collinear points stay collinear.
std::vector<Point2> projected(std::span<const Vec3> corners) {
  const Vec3 normal = area_normal(corners);
  std::size_t axis = 0;
  for (const std::size_t other : {std::size_t{1}, std::size_t{2}})
    if (std::fabs(normal[other]) > std::fabs(normal[axis])) axis = other;
  const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
  const double side = normal[axis] < 0 ? -1 : 1;
  std::vector<Point2> points;
  points.reserve(corners.size());
  for (const Vec3& x : corners) points.push_back({side * x[u], x[v]});
  return points;
}

// A grid over a plane that finds the corners near a triangle.
class CornerGrid {
 public:
  CornerGrid(const std::vector<Point2>& points, const std::vector<int>& corners) : points_(points) {
    if (corners.empty()) return;
    low_ = high_ = points[static_cast<std::size_t>(corners[0])];
    for (const int corner : corners) {
      const Point2& p = points[static_cast<std::size_t>(corner)];
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }
    size_ = std::clamp(static_cast<int>(std::sqrt(static_cast<double>(corners.size()))), 1, 4096);
    scale_ = {cells_per_unit(high_.x - low_.x), cells_per_unit(high_.y - low_.y)};
    sort_into_cells(corners);
  }

  // Calls `visit` with the corners near a triangle until it returns `found`, and returns whether it did. A corner for
  // which it returns `gone` is never visited again.
  enum class Visited { passed, found, gone };
  template <class Visit>
  bool find(const std::array<Point2, 3>& triangle, const Visit& visit) {
    if (start_.empty()) return false;
    const auto [bottom, top] = std::minmax({triangle[0].y, triangle[1].y, triangle[2].y});
    if (top < low_.y || bottom > high_.y) return false;
    const int last_row = row(top);
    for (int r = row(bottom); r <= last_row; ++r) {
      const auto [left, right] = extent_in_row(triangle, r);
      if (left > right || right < low_.x || left > high_.x) continue;
      for (std::size_t cell = index(r, column(left)), last = index(r, column(right)); cell <= last; ++cell)
        if (find_in_cell(cell, visit)) return true;
    }
    return false;
  }

 private:
  // 0 (one cell for everything) if the extent is not usable.
  double cells_per_unit(double extent) const {
    const double scale = size_ / extent;
    return extent > 0 && scale > 0 && std::isfinite(scale) ? scale : 0;
  }
  int cell_along(double x, double low, double high, double scale) const {
    return scale == 0 ? 0 : std::min(static_cast<int>((std::clamp(x, low, high) - low) * scale), size_ - 1);
  }
  int column(double x) const { return cell_along(x, low_.x, high_.x, scale_.x); }
  int row(double y) const { return cell_along(y, low_.y, high_.y, scale_.y); }
  std::size_t index(int r, int c) const {
    return static_cast<std::size_t>(r) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(c);
  }

  template <class Visit>
  bool find_in_cell(std::size_t cell, const Visit& visit) {
    for (std::uint32_t k = start_[cell]; k < end_[cell];) {
      const Visited visited = visit(corners_[k]);
      if (visited == Visited::found) return true;
      if (visited == Visited::gone)
        corners_[k] = corners_[--end_[cell]];
      else
        ++k;
    }
    return false;
  }

  void sort_into_cells(const std::vector<int>& corners) {
    start_.assign(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_) + 1, 0);
    const auto cell_of = [&](int corner) {
      const Point2& p = points_[static_cast<std::size_t>(corner)];
      return index(row(p.y), column(p.x));
    };
    for (const int corner : corners) ++start_[cell_of(corner) + 1];
    std::partial_sum(start_.begin(), start_.end(), start_.begin());
    corners_.resize(corners.size());
    end_.assign(start_.begin(), start_.end() - 1);
    for (const int corner : corners) corners_[end_[cell_of(corner)]++] = corner;
  }

  // Range that the triangle covers in a row of corners, slightly widened against rounding.
  std::pair<double, double> extent_in_row(const std::array<Point2, 3>& triangle, int r) const {
    const double slack = 1e-9 * (high_.y - low_.y);
    const double bottom = (scale_.y == 0 ? low_.y : low_.y + r / scale_.y) - slack;
    const double top = (scale_.y == 0 ? high_.y : low_.y + (r + 1) / scale_.y) + slack;
    double left = infinity, right = -infinity;
    const auto reach = [&](double x) { left = std::min(left, x), right = std::max(right, x); };
    for (std::size_t k = 0; k < 3; ++k) {
      const Point2 &a = triangle[k], &b = triangle[(k + 1) % 3];
      if (a.y >= bottom && a.y <= top) reach(a.x);
      for (const double y : {bottom, top})
        if ((a.y - y) * (b.y - y) < 0) reach(a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)));
    }
    const double wider = 1e-9 * (high_.x - low_.x);
    return {left - wider, right + wider};
  }

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  const std::vector<Point2>& points_;
  Point2 low_, high_, scale_;
  int size_ = 0;
  std::vector<std::uint32_t> start_, end_;  // of each cell in corners_, row by row
  std::vector<int> corners_;
};

// Rules for corners inside an ear, from those for a proper polygon to those for the rest of one that crosses itself.
enum class Strictness { closed, open, flat, anything };

class EarCutter {
 public:
  EarCutter(std::vector<Point2> points, std::vector<Triangle>& triangles)
      : points_(std::move(points)),
        triangles_(triangles),
        left_(points_.size()),
        previous_(left_),
        next_(left_),
        alive_(left_, 1),
        queued_(left_, 0),
        touched_(left_, 0),
        waiting_(left_),
        grid_(points_, not_convex()) {
    for (std::size_t i = 0; i < left_; ++i) {
      previous_[i] = static_cast<int>(i == 0 ? left_ - 1 : i - 1);
      next_[i] = static_cast<int>(i + 1 == left_ ? 0 : i + 1);
    }
  }

  void cut() {
    // Limit of passes with a weaker rule, each of which may be long, before any corner is accepted.
    constexpr int most_walks = 64;
    std::vector<int> corners(left_);
    std::iota(corners.begin(), corners.end(), 0);
    for (int stuck = 0; left_ > 2; ++stuck) {
      cut_in_rounds(std::move(corners));
      corners.clear();
      for (const Strictness how : {Strictness::open, Strictness::flat, Strictness::anything})
        if (left_ > 2 && (stuck < most_walks || how == Strictness::anything) && cut_once(how, corners)) break;
    }
  }

 private:
  const Point2& at(int corner) const { return points_[static_cast<std::size_t>(corner)]; }
  static std::size_t index(int corner) { return static_cast<std::size_t>(corner); }
  int previous(int corner) const { return previous_[index(corner)]; }
  int next(int corner) const { return next_[index(corner)]; }
  double turn_at(int corner) const { return turn(at(previous(corner)), at(corner), at(next(corner))); }

  // Corners at which the polygon is not convex. Only these can be inside an ear, and no corner becomes one of them
  // later.
  std::vector<int> not_convex() const {
    std::vector<int> corners;
    const std::size_t count = points_.size();
    for (std::size_t i = 0; i < count; ++i)
      if (!(turn(points_[(i + count - 1) % count], points_[i], points_[(i + 1) % count]) > 0))
        corners.push_back(static_cast<int>(i));
    return corners;
  }

  // A round never cuts two neighbouring ears. An ear with a corner inside waits until that is removed or becomes
  // convex.
  void cut_in_rounds(std::vector<int> round) {
    std::vector<int> later;
    for (const int corner : round) queued_[index(corner)] = 1;
    for (; !round.empty() && left_ > 2; round.swap(later), later.clear()) {
      ++rounds_;
      for (const int corner : round) {
        if (left_ <= 2) break;
        if (!alive_[index(corner)]) continue;
        if (touched_[index(corner)] == rounds_) {
          later.push_back(corner);
          continue;
        }
        queued_[index(corner)] = 0;
        if (!is_ear(corner, Strictness::closed)) continue;
        cut_off(corner, later);
      }
    }
    for (const int corner : round) queued_[index(corner)] = 0;
  }

  // One pass around the polygon with a weaker rule; returns whether anything was cut. `later`: corners to check again.
  bool cut_once(Strictness how, std::vector<int>& later) {
    ++rounds_;
    const std::size_t before = left_;
    int corner = some_;
    for (std::size_t step = 0; step < before && left_ > 2; ++step) {
      const int after = next(corner);
      if (touched_[index(corner)] != rounds_ && is_ear(corner, how)) cut_off(corner, later);
      corner = after;
    }
    for (const int queued : later) queued_[index(queued)] = 0;
    return left_ < before;
  }

  bool is_ear(int corner, Strictness how) {
    const double area = turn_at(corner);
    if (how == Strictness::anything) return true;
    if (how == Strictness::flat && area == 0) return true;
    if (!(area > 0)) return false;
    const int a = previous(corner), c = next(corner);
    const std::array<Point2, 3> ear{at(a), at(corner), at(c)};
    return !grid_.find(ear, [&](int other) {
      using Visited = CornerGrid::Visited;
      if (!alive_[index(other)] || turn_at(other) > 0) return Visited::gone;
      if (other == a || other == corner || other == c || !stands_in(other, ear, how)) return Visited::passed;
      if (how == Strictness::closed) waiting_[index(other)].push_back(corner);
      return Visited::found;
    });
  }

  // A corner at the same position as one of the ear's is where the polygon touches itself: it is inside if the polygon
  // continues into the ear from there.
  bool stands_in(int other, const std::array<Point2, 3>& ear, Strictness how) const {
    const Point2& p = at(other);
    for (std::size_t k = 0; k < 3; ++k)
      if (p == ear[k]) return how == Strictness::closed && goes_into(other, ear[k], ear[(k + 1) % 3], ear[(k + 2) % 3]);
    const double ab = turn(ear[0], ear[1], p), bc = turn(ear[1], ear[2], p), ca = turn(ear[2], ear[0], p);
    return how == Strictness::closed ? ab >= 0 && bc >= 0 && ca >= 0 : ab > 0 && bc > 0 && ca > 0;
  }
  // True if a direction lies between the ear's two edges at the same position.
  bool goes_into(int other, const Point2& place, const Point2& right, const Point2& left) const {
    for (const int neighbour : {previous(other), next(other)})
      if (turn(place, right, at(neighbour)) > 0 && turn(place, at(neighbour), left) > 0) return true;
    return false;
  }

  void cut_off(int corner, std::vector<int>& later) {
    const int a = previous(corner), c = next(corner);
    triangles_.push_back({a, corner, c});
    alive_[index(corner)] = 0;
    next_[index(a)] = c;
    previous_[index(c)] = a;
    some_ = c;
    --left_;
    for (const int neighbour : {a, c}) {
      touched_[index(neighbour)] = rounds_;
      enqueue(neighbour, later);
      if (turn_at(neighbour) > 0) wake(neighbour, later);
    }
    wake(corner, later);
  }
  void enqueue(int corner, std::vector<int>& later) {
    if (queued_[index(corner)] || !alive_[index(corner)]) return;
    queued_[index(corner)] = 1;
    later.push_back(corner);
  }
  void wake(int corner, std::vector<int>& later) {
    for (const int waiting : waiting_[index(corner)]) enqueue(waiting, later);
    waiting_[index(corner)].clear();
  }

  std::vector<Point2> points_;
  std::vector<Triangle>& triangles_;
  std::size_t left_;
  std::vector<int> previous_, next_;
  std::vector<char> alive_, queued_;
  std::vector<int> touched_;               // round in which a neighbour was cut off
  std::vector<std::vector<int>> waiting_;  // ears that contain this corner
  CornerGrid grid_;
  int rounds_ = 0;
  int some_ = 0;  // any remaining corner
};

// Divides a quadrilateral along the first diagonal, unless only the second one is inside.
void cut_quadrilateral(const std::vector<Point2>& p, std::vector<Triangle>& triangles) {
  const auto fits = [&](std::size_t a) {
    const std::size_t b = (a + 1) % 4, c = (a + 2) % 4, d = (a + 3) % 4;
    return turn(p[a], p[b], p[c]) > 0 && turn(p[a], p[c], p[d]) > 0;
  };
  if (!fits(0) && fits(1)) {
    triangles.push_back({1, 2, 3});
    triangles.push_back({1, 3, 0});
  } else {
    triangles.push_back({0, 1, 2});
    triangles.push_back({0, 2, 3});
  }
}

}  // namespace

void triangulate_polygon(std::span<const Vec3> corners, std::vector<Triangle>& triangles) {
  if (corners.size() < 3) return;
  if (corners.size() == 3) {
    triangles.push_back({0, 1, 2});
  } else if (corners.size() == 4) {
    cut_quadrilateral(projected(corners), triangles);
  } else {
    EarCutter(projected(corners), triangles).cut();
  }
}

}  // namespace sinew
