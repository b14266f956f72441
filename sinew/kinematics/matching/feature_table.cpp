#include "sinew/kinematics/matching/feature_table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sinew {
namespace {

constexpr float never = std::numeric_limits<float>::infinity();

// Sorts rows so that each 16 in a row are alike.
void put_alike_together(std::span<const float> values, std::size_t width, std::span<std::size_t> rows) {
  if (rows.size() <= FeatureTable::lanes) return;
  std::size_t widest = 0;
  float largest = -1;
  for (std::size_t d = 0; d < width; ++d) {
    float least = never, most = -never;
    for (const std::size_t row : rows) {
      least = std::min(least, values[row * width + d]);
      most = std::max(most, values[row * width + d]);
    }
    if (most - least > largest) largest = most - least, widest = d;
  }
  // Halves of whole blocks.
  const std::size_t blocks = (rows.size() + FeatureTable::lanes - 1) / FeatureTable::lanes;
  const std::size_t half = blocks / 2 * FeatureTable::lanes;
  std::nth_element(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(half), rows.end(),
                   [&](std::size_t a, std::size_t b) {
                     const float x = values[a * width + widest], y = values[b * width + widest];
                     return x < y || (x == y && a < b);
                   });
  put_alike_together(values, width, rows.first(half));
  put_alike_together(values, width, rows.subspan(half));
}

std::size_t groups_of(std::size_t count) { return (count + FeatureTable::lanes - 1) / FeatureTable::lanes; }

}  // namespace

FeatureTable::FeatureTable(std::span<const float> values, std::size_t width, std::span<const float> costs)
    : rows_(costs.size()), width_(width), blocks_(groups_of(rows_)) {
  const std::size_t groups = groups_of(blocks_);
  order_.resize(rows_);
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  put_alike_together(values, width, order_);
  values_.resize(blocks_ * width * lanes, 0.0F);
  costs_.resize(blocks_ * lanes, never);
  middle_.resize(groups * width * lanes, 0.0F);
  half_.resize(groups * width * lanes, 0.0F);
  box_costs_.resize(groups * lanes, never);
  for (std::size_t block = 0; block < blocks_; ++block) {
    const std::size_t begin = block * lanes, end = std::min(rows_, begin + lanes);
    for (std::size_t k = begin; k < end; ++k) {
      costs_[k] = costs[order_[k]];
      box_costs_[block] = std::min(box_costs_[block], costs_[k]);
    }
    for (std::size_t d = 0; d < width; ++d) {
      float least = never, most = -never;
      for (std::size_t k = begin; k < end; ++k) {
        const float value = values[order_[k] * width + d];
        values_[(block * width + d) * lanes + k - begin] = value;
        least = std::min(least, value);
        most = std::max(most, value);
      }
      const std::size_t at = ((block / lanes) * width + d) * lanes + block % lanes;
      // Halves first, so that what is large does not overflow.
      middle_[at] = 0.5F * least + 0.5F * most;
      half_[at] = 0.5F * most - 0.5F * least;
    }
  }
}

std::size_t FeatureTable::bytes() const {
  return sizeof(float) * (values_.size() + costs_.size() + middle_.size() + half_.size() + box_costs_.size()) +
         sizeof(std::size_t) * order_.size();
}

void FeatureTable::compare(std::size_t block, std::span<const float> query, NearestRow& nearest) const {
  float sums[lanes];
  const float* const own = values_.data() + block * width_ * lanes;
  for (std::size_t k = 0; k < lanes; ++k) sums[k] = costs_[block * lanes + k];
  // A block is left as soon as all its rows are too far.
  constexpr std::size_t chunk = 7;
  for (std::size_t begin = 0; begin < width_; begin += chunk) {
    const std::size_t end = std::min(width_, begin + chunk);
    for (std::size_t d = begin; d < end; ++d) {
      const float wanted = query[d];
      for (std::size_t k = 0; k < lanes; ++k) {
        const float away = own[d * lanes + k] - wanted;
        sums[k] += away * away;
      }
    }
    float least = sums[0];
    for (std::size_t k = 1; k < lanes; ++k) least = sums[k] < least ? sums[k] : least;
    if (least > nearest.cost) return;
  }
  for (std::size_t k = 0; k < lanes; ++k) {
    if (!(sums[k] <= nearest.cost) || block * lanes + k >= rows_) continue;
    const std::size_t row = order_[block * lanes + k];
    const bool as_near = sums[k] == nearest.cost && nearest.row < rows_ && row < nearest.row;
    if (sums[k] < nearest.cost || as_near) nearest = {row, sums[k]};
  }
}

NearestRow FeatureTable::nearest_of_all(std::span<const float> query, float most) const {
  NearestRow nearest{rows_, most};
  for (std::size_t block = 0; block < blocks_; ++block) compare(block, query, nearest);
  return nearest;
}

NearestRow FeatureTable::nearest(std::span<const float> query, float most) const {
  // A box's bound is a sum of the same form as those of its rows, but rounded otherwise; rows that are as near as their
  // box must not be passed over.
  constexpr float rounding = 1 - 1e-5F;
  NearestRow nearest{rows_, most};
  float bounds[lanes];
  for (std::size_t group = 0; group * lanes < blocks_; ++group) {
    const float* const middle = middle_.data() + group * width_ * lanes;
    const float* const half = half_.data() + group * width_ * lanes;
    for (std::size_t k = 0; k < lanes; ++k) bounds[k] = box_costs_[group * lanes + k];
    for (std::size_t d = 0; d < width_; ++d) {
      const float wanted = query[d];
      for (std::size_t k = 0; k < lanes; ++k) {
        // Twice the way from the box, 0 inside, without a branch.
        const float outside = std::fabs(middle[d * lanes + k] - wanted) - half[d * lanes + k];
        const float away = outside + std::fabs(outside);
        bounds[k] += 0.25F * (away * away);
      }
    }
    const std::size_t count = std::min(lanes, blocks_ - group * lanes);
    for (std::size_t k = 0; k < count; ++k)
      if (rounding * bounds[k] <= nearest.cost) compare(group * lanes + k, query, nearest);
  }
  return nearest;
}

}  // namespace sinew
