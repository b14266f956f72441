// Rows of features, searched for the one nearest to a query.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

struct NearestRow {
  std::size_t row = 0;
  float cost = 0;
};

// Rows that are alike lie in blocks of 16, the leaves of a tree that halves them across their widest spread; the rows
// of a block are compared side by side. Blocks have boxes around their rows, 16 of which are compared with the query
// side by side as well; blocks whose box is farther than a row that was found are passed over.
class FeatureTable {
 public:
  static constexpr std::size_t lanes = 16;

  // `values`: rows x width. `costs`: of each row, added to its squared distance; infinity: it is never found.
  FeatureTable(std::span<const float> values, std::size_t width, std::span<const float> costs);

  std::size_t rows() const { return rows_; }
  std::size_t width() const { return width_; }
  // Bytes of rows and boxes.
  std::size_t bytes() const;

  // The row with the least sum of squared distance and cost that is less than `most`; of equal ones the first. Without
  // one the row is rows() and the cost `most`.
  NearestRow nearest(std::span<const float> query, float most) const;
  // The row without boxes: every row is compared.
  NearestRow nearest_of_all(std::span<const float> query, float most) const;

 private:
  void compare(std::size_t block, std::span<const float> query, NearestRow& nearest) const;

  std::size_t rows_, width_, blocks_;
  std::vector<std::size_t> order_;    // row of each lane of the blocks
  std::vector<float> values_;         // blocks x width x lanes
  std::vector<float> costs_;          // blocks x lanes
  std::vector<float> middle_, half_;  // of boxes, and of their widths: groups of 16 blocks x width x lanes
  std::vector<float> box_costs_;      // least of each block's rows: groups x lanes
};

}  // namespace sinew
