#include "sinew/kinematics/matching/feature_table.h"

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

constexpr float never = std::numeric_limits<float>::infinity();

std::size_t groups_of(std::size_t count) { return (count + FeatureTable::lanes - 1) / FeatureTable::lanes; }

}  // namespace

FeatureTable::FeatureTable(std::span<const float> values, std::size_t width, std::span<const float> costs)
    : rows_(costs.size()), width_(width), blocks_(groups_of(rows_)) {
  const std::size_t groups = groups_of(blocks_);
  values_.resize(blocks_ * width * lanes, 0.0F);
  costs_.resize(blocks_ * lanes, never);
  lower_.resize(groups * width * lanes, 0.0F);
  upper_.resize(groups * width * lanes, 0.0F);
  box_costs_.resize(groups * lanes, never);
  for (std::size_t block = 0; block < blocks_; ++block) {
    const std::size_t begin = block * lanes, end = std::min(rows_, begin + lanes);
    for (std::size_t row = begin; row < end; ++row) {
      costs_[row] = costs[row];
      box_costs_[block] = std::min(box_costs_[block], costs[row]);
    }
    for (std::size_t d = 0; d < width; ++d) {
      float least = never, most = -never;
      for (std::size_t row = begin; row < end; ++row) {
        const float value = values[row * width + d];
        values_[(block * width + d) * lanes + row - begin] = value;
        least = std::min(least, value);
        most = std::max(most, value);
      }
      const std::size_t at = ((block / lanes) * width + d) * lanes + block % lanes;
      lower_[at] = least;
      upper_[at] = most;
    }
  }
}

std::size_t FeatureTable::bytes() const {
  return sizeof(float) * (values_.size() + costs_.size() + lower_.size() + upper_.size() + box_costs_.size());
}

void FeatureTable::compare(std::size_t block, std::span<const float> query, NearestRow& nearest) const {
  float sums[lanes];
  const float* const own = values_.data() + block * width_ * lanes;
  for (std::size_t k = 0; k < lanes; ++k) sums[k] = costs_[block * lanes + k];
  for (std::size_t d = 0; d < width_; ++d) {
    const float wanted = query[d];
    for (std::size_t k = 0; k < lanes; ++k) {
      const float away = own[d * lanes + k] - wanted;
      sums[k] += away * away;
    }
  }
  for (std::size_t k = 0; k < lanes; ++k)
    if (sums[k] < nearest.cost) nearest = {block * lanes + k, sums[k]};
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
    const float* const lower = lower_.data() + group * width_ * lanes;
    const float* const upper = upper_.data() + group * width_ * lanes;
    for (std::size_t k = 0; k < lanes; ++k) bounds[k] = box_costs_[group * lanes + k];
    for (std::size_t d = 0; d < width_; ++d) {
      const float wanted = query[d];
      for (std::size_t k = 0; k < lanes; ++k) {
        const float below = lower[d * lanes + k] - wanted, above = wanted - upper[d * lanes + k];
        const float outside = below > above ? below : above;
        const float away = outside > 0 ? outside : 0;
        bounds[k] += away * away;
      }
    }
    const std::size_t count = std::min(lanes, blocks_ - group * lanes);
    for (std::size_t k = 0; k < count; ++k)
      if (rounding * bounds[k] < nearest.cost) compare(group * lanes + k, query, nearest);
  }
  return nearest;
}

}  // namespace sinew
