#include "sinew/kinematics/graph/window_distance.h"

#include <algorithm>
#include <cmath>

namespace sinew {

GroundAlignment align_on_ground(std::span<const Vec3> first, std::span<const Vec3> second,
                                std::span<const double> weights) {
  Vec3 from, to;
  double sum = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    from += weights[k] * second[k];
    to += weights[k] * first[k];
    sum += weights[k];
  }
  from = Vec3{from.x, 0, from.z} / sum;
  to = Vec3{to.x, 0, to.z} / sum;
  double along = 0, across = 0, squares = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    const Vec3 a = first[k] - to, b = second[k] - from;
    along += weights[k] * (a.x * b.x + a.z * b.z);
    across += weights[k] * (a.x * b.z - a.z * b.x);
    squares += weights[k] * (a.x * a.x + a.z * a.z + b.x * b.x + b.z * b.z + (a.y - b.y) * (a.y - b.y));
  }
  const double heading = std::atan2(across, along);
  const double left = std::max(0.0, squares - 2 * std::hypot(along, across)) / sum;
  return {{heading, to - turned(heading, from)}, std::sqrt(left)};
}

WindowDistances::WindowDistances(std::span<const double> weights, int window)
    : weights_(weights.begin(), weights.end()), window_(static_cast<std::size_t>(window)) {}

void WindowDistances::add_run(std::span<const Vec3> positions, std::size_t windows) {
  const std::size_t points = weights_.size(), frames = positions.size() / points;
  Vec3 centre;
  for (std::size_t f = 0; f < frames; ++f)
    for (std::size_t k = 0; k < points; ++k) centre += weights_[k] * positions[f * points + k];
  centre = Vec3{centre.x, 0, centre.z} / static_cast<double>(std::max<std::size_t>(frames, 1));
  std::vector<Vec3> place(frames);
  std::vector<double> squares(frames, 0.0);
  for (std::size_t f = 0; f < frames; ++f) {
    const std::size_t at = planar_.size();
    planar_.resize(at + 2 * points);
    turned_.resize(at + 2 * points);
    heights_.resize(heights_.size() + points);
    for (std::size_t k = 0; k < points; ++k) {
      const Vec3 p = positions[f * points + k] - centre;
      const double root = std::sqrt(weights_[k]);
      planar_[at + k] = root * p.x;
      planar_[at + points + k] = turned_[at + k] = root * p.z;
      turned_[at + points + k] = -root * p.x;
      heights_[at / 2 + k] = root * p.y;
      place[f] += weights_[k] * p;
      squares[f] += weights_[k] * squared_norm(p);
    }
  }
  for (std::size_t f = 0; f < frames; ++f) {
    const bool whole = f < windows && f + window_ <= frames;
    Vec3 middle;
    double spread = 0;
    for (std::size_t t = 0; whole && t < window_; ++t) {
      middle += place[f + t] / static_cast<double>(window_);
      spread += squares[f + t] / static_cast<double>(window_);
    }
    begins_.push_back(whole ? 1 : 0);
    middle_.push_back({middle.x, 0, middle.z});
    spread_.push_back(spread - middle.x * middle.x - middle.z * middle.z);
    centre_.push_back(centre);
  }
}

// Frames from `frame` on as columns; zeros behind the last one.
DenseMatrix WindowDistances::part(const std::vector<double>& values, std::size_t per_frame, std::size_t frame,
                                  std::size_t count) const {
  DenseMatrix result(per_frame, count);
  const std::size_t have = std::min(count, frames() - std::min(frame, frames()));
  std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(frame * per_frame), have * per_frame, result.value.begin());
  return result;
}

// Means over windows of the products of frames.
DenseMatrix WindowDistances::window_sums(const std::vector<double>& first, const std::vector<double>& second,
                                         std::size_t per_frame, std::size_t i, std::size_t j, std::size_t rows,
                                         std::size_t columns) const {
  const std::size_t longer = window_ - 1;
  const DenseMatrix products =
      transposed_product(part(first, per_frame, i, rows + longer), part(second, per_frame, j, columns + longer));
  DenseMatrix sums(rows, columns);
  const auto direct = [&](std::size_t row, std::size_t column) {
    double sum = 0;
    for (std::size_t t = 0; t < window_; ++t) sum += products(row + t, column + t);
    return sum;
  };
  for (std::size_t row = 0; row < rows; ++row) sums(row, 0) = direct(row, 0);
  for (std::size_t column = 1; column < columns; ++column) {
    sums(0, column) = direct(0, column);
    const double* before = sums.column(column - 1).data();
    const double* goes = products.column(column - 1).data();
    const double* comes = products.column(column + longer).data() + window_;
    double* here = sums.column(column).data() + 1;
    for (std::size_t row = 0; row + 1 < rows; ++row) here[row] = before[row] + (comes[row] - goes[row]);
  }
  for (double& sum : sums.value) sum /= static_cast<double>(window_);
  return sums;
}

void WindowDistances::distances(std::size_t i, std::size_t j, DenseMatrix& result) const {
  const std::size_t points = weights_.size(), rows = result.rows, columns = result.columns;
  const DenseMatrix along = window_sums(planar_, planar_, 2 * points, i, j, rows, columns),
                    across = window_sums(planar_, turned_, 2 * points, i, j, rows, columns),
                    heights = window_sums(heights_, heights_, points, i, j, rows, columns);
  for (std::size_t column = 0; column < columns; ++column) {
    const Vec3 b = middle_[j + column];
    for (std::size_t row = 0; row < rows; ++row) {
      const Vec3 a = middle_[i + row];
      const double c = along(row, column) - a.x * b.x - a.z * b.z, s = across(row, column) - a.x * b.z + a.z * b.x;
      const double square =
          spread_[i + row] + spread_[j + column] - 2 * heights(row, column) - 2 * std::sqrt(c * c + s * s);
      result(row, column) = std::sqrt(std::max(0.0, square));
    }
  }
  for (std::size_t column = 0; column < columns; ++column)
    for (std::size_t row = 0; row < rows; ++row)
      if (!begins(i + row) || !begins(j + column)) result(row, column) = HUGE_VAL;
}

GroundAlignment WindowDistances::alignment(std::size_t i, std::size_t j) const {
  const std::size_t points = weights_.size();
  const auto points_of = [&](std::size_t frame) {
    std::vector<Vec3> positions;
    for (std::size_t f = frame; f < frame + window_; ++f)
      for (std::size_t k = 0; k < points; ++k) {
        // Points of no weight have lost their place, and need none.
        const double root = weights_[k] > 0 ? std::sqrt(weights_[k]) : 1;
        const Vec3 p{planar_[2 * f * points + k], heights_[f * points + k], planar_[(2 * f + 1) * points + k]};
        positions.push_back(p / root + centre_[f]);
      }
    return positions;
  };
  std::vector<double> weights;
  for (std::size_t t = 0; t < window_; ++t) weights.insert(weights.end(), weights_.begin(), weights_.end());
  return align_on_ground(points_of(i), points_of(j), weights);
}

}  // namespace sinew
