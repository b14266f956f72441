// Products with turned cell matrices: the vector kernel against plain loops, and the choice of functions.
#include "sinew/deform/lattice/cells/cell_products.h"

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "sinew/deform/lattice/solver/active_functions.h"
#include "tests/deform/lattice/lattice_bodies.h"

namespace sinew {
namespace {

using namespace test;

struct ProductSetting {
  CellProducts products;
  std::vector<CellFrame> frame;
  std::vector<Row<float>> per_slot, per_entry;
};

ProductSetting setting(const CellMatrices& cells, const std::vector<int>& slot, int slots) {
  ProductSetting s;
  s.products = cell_products(cells, slot, std::array{CellFactors{900, 0.7, 0.3}});
  for (std::size_t c = 0; c < cells.cells(); ++c)
    s.frame.push_back(cell_frame(rigid_motion({1, double(c), 2}, 0.3 * double(c + 1), {}).linear));
  const auto number = [](std::size_t k) { return static_cast<float>(std::sin(1.7 * static_cast<double>(k) + 0.3)); };
  for (std::size_t k = 0; k < static_cast<std::size_t>(slots); ++k)
    s.per_slot.push_back({number(3 * k), number(3 * k + 1), number(3 * k + 2), 0});
  for (std::size_t k = 0; k < s.products.entries(); ++k)
    s.per_entry.push_back({number(5 * k), number(5 * k + 1), number(5 * k + 2), 0});
  return s;
}

// In doubles, from the same columns.
void multiply_by_plain_loops(const ProductSetting& s, bool in_frames, const std::vector<Row<float>>& x,
                             std::vector<Row<float>>& z) {
  for (std::size_t c = 0; c < s.products.cells(); ++c) {
    const auto first = static_cast<std::size_t>(s.products.first[c]), n = static_cast<std::size_t>(s.products.count[c]);
    const auto turned = [&](bool back, const Vec3& v) {
      Vec3 sum;
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) sum[a] += double{back ? s.frame[c].row[a][b] : s.frame[c].row[b][a]} * v[b];
      return sum;
    };
    std::vector<double> local, product(3 * n);
    for (std::size_t k = first; k < first + n; ++k) {
      const Row<float>& row = x[in_frames ? k : static_cast<std::size_t>(s.products.slot[k])];
      const Vec3 v{double{row.x}, double{row.y}, double{row.z}}, own = in_frames ? v : turned(false, v);
      local.insert(local.end(), {own.x, own.y, own.z});
    }
    const std::size_t stride = (3 * n + 15) / 16 * 16;  // whole lines
    for (std::size_t j = 0; j < 3 * n; ++j) {
      const float* column = n > 0 ? &s.products.column[s.products.offset[c]].number[0] + j * stride : nullptr;
      for (std::size_t i = 0; i < 3 * n; ++i) product[i] += double{column[i]} * local[j];
    }
    for (std::size_t k = 0; k < n; ++k) {
      const Vec3 v = turned(true, {product[3 * k], product[3 * k + 1], product[3 * k + 2]});
      z[first + k] = {static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), 0};
    }
  }
}

void expect_plain_loops(const ProductSetting& s) {
  for (const bool in_frames : {false, true}) {
    const std::vector<Row<float>>& x = in_frames ? s.per_entry : s.per_slot;
    std::vector<Row<float>> fast(s.products.entries()), plain(s.products.entries());
    multiply_cells(s.products, s.frame, in_frames, x, 0, s.products.cells(), fast);
    multiply_by_plain_loops(s, in_frames, x, plain);
    double size = 0;
    for (const Row<float>& r : plain)
      size = std::max({size, std::abs(double(r.x)), std::abs(double(r.y)), std::abs(double(r.z))});
    ASSERT_GT(size, 0);
    for (std::size_t c = 0; c < s.products.cells(); ++c)
      for (int e = s.products.first[c]; e < s.products.first[c] + s.products.count[c]; ++e) {
        const Row<float>&a = fast[static_cast<std::size_t>(e)], &b = plain[static_cast<std::size_t>(e)];
        EXPECT_NEAR(a.x, b.x, 2e-5 * size);
        EXPECT_NEAR(a.y, b.y, 2e-5 * size);
        EXPECT_NEAR(a.z, b.z, 2e-5 * size);
      }
  }
}

void expect_plain_loops_of_every_size() {
  for (const int levels : {1, 2}) {
    LatticeBarOptions options;
    options.levels = levels;
    options.bone_hold = 1e5;
    const LatticeDescription d = lattice_bar_description(options);
    // Every number of functions per cell from one on, so that every remainder of the vector loops occurs.
    for (std::size_t kept = 1; kept <= d.role.size(); kept += kept < 30 ? 1 : 17) {
      std::vector<int> slot(d.role.size(), -1);
      for (std::size_t k = 0; k < kept; ++k) slot[k] = static_cast<int>(k);
      expect_plain_loops(setting(d.cells, slot, static_cast<int>(kept)));
    }
  }
}

// On this processor's registers, then on smaller ones.
TEST(LatticeProducts, KernelEqualsPlainLoops) {
  for (const std::int64_t target : {std::int64_t{0}, std::int64_t{HWY_AVX2}, std::int64_t{HWY_STATIC_TARGET}}) {
    if (target != 0 && (hwy::SupportedTargets() & target) == 0) continue;
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    expect_plain_loops_of_every_size();
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  }
}

TEST(LatticeProducts, ChosenFunctionsHaveTheSameMatrices) {
  LatticeBarOptions options;
  options.levels = 2;
  const LatticeDescription d = lattice_bar_description(options);
  std::vector<int> all(d.role.size()), some(d.role.size(), -1);
  int slots = 0;
  for (std::size_t f = 0; f < all.size(); ++f) {
    all[f] = static_cast<int>(f);
    if (f % 3 != 1) some[f] = slots++;
  }
  const CellProducts whole = cell_products(d.cells, all, std::array{CellFactors{1, 2, 3}});
  const CellProducts expected = cell_products(d.cells, some, std::array{CellFactors{1, 2, 3}});
  CellProducts restricted;
  restrict_products(whole, all, restricted);  // memory of another choice
  restrict_products(whole, some, restricted);
  ASSERT_EQ(restricted.count, expected.count);
  for (std::size_t c = 0; c < expected.cells(); ++c) {
    const auto n = static_cast<std::size_t>(expected.count[c]);
    for (std::size_t k = 0; k < n; ++k)
      EXPECT_EQ(restricted.slot[static_cast<std::size_t>(restricted.first[c]) + k],
                expected.slot[static_cast<std::size_t>(expected.first[c]) + k]);
    const std::size_t lines = expected.offset[c + 1] - expected.offset[c];
    for (std::size_t l = 0; l < lines; ++l)
      for (std::size_t k = 0; k < 16; ++k)
        ASSERT_EQ(restricted.column[restricted.offset[c] + l].number[k],
                  expected.column[expected.offset[c] + l].number[k]);
  }
}

// Every slot's entries, ascending, each once.
TEST(LatticeProducts, EntriesOfSlotsAreAllEntries) {
  const LatticeDescription d = lattice_bar_description({});
  std::vector<int> slot(d.role.size());
  for (std::size_t f = 0; f < slot.size(); ++f) slot[f] = static_cast<int>(f);
  const CellProducts products = cell_products(d.cells, slot, std::array{CellFactors{1, 1, 1}});
  const SlotEntries entries = entries_of_slots(products, static_cast<int>(slot.size()));
  EXPECT_EQ(entries.entry.size(), products.entries());
  for (std::size_t s = 0; s < slot.size(); ++s)
    for (int k = entries.start[s]; k < entries.start[s + 1]; ++k) {
      EXPECT_EQ(products.slot[static_cast<std::size_t>(entries.entry[static_cast<std::size_t>(k)])],
                static_cast<int>(s));
      if (k > entries.start[s]) {
        EXPECT_LT(entries.entry[static_cast<std::size_t>(k) - 1], entries.entry[static_cast<std::size_t>(k)]);
      }
    }
}

}  // namespace
}  // namespace sinew
