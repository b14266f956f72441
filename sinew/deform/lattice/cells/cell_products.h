// The product with rotated cell matrices, sum_c R_c A_c R_c^T x, the inner loop of every iteration of a step: single
// precision, with the columns of a cell's matrix streamed through vector registers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/flesh/patch_elasticity.h"
#include "sinew/deform/lattice/cells/cell_matrices.h"
#include "sinew/linalg/small.h"

namespace sinew {

// A cache line; all columns are aligned to it.
struct alignas(64) FloatLine {
  float number[16];
};

// Rotation R by rows and by columns, padded with a zero each. Computed once per pose, because loading a vector register
// from scalars that were just written stalls.
struct alignas(32) CellFrame {
  float row[3][4];
  float column[3][4];
};
CellFrame cell_frame(const Mat3& rotation);

// Dense single-precision matrices of the cells, each over those functions of the cell that are active.
struct CellProducts {
  std::vector<int> first;           // cells + 1: first entry of each cell, of which `count` are in use
  std::vector<int> count;           // per cell
  std::vector<int> slot;            // per entry: row of the vectors that it maps to
  std::vector<int> place;           // per entry: index of the function within the cell
  std::vector<std::size_t> offset;  // cells + 1, counted in lines
  std::vector<FloatLine> column;    // cell by cell, column by column; 3 count numbers, zero-padded to whole lines

  std::size_t cells() const { return count.size(); }
  std::size_t entries() const { return slot.size(); }  // in use or not
};

// The entries of each slot, ascending, so that sums have a fixed order.
struct SlotEntries {
  std::vector<int> start, entry;  // slots + 1, and one per entry in use
};
SlotEntries entries_of_slots(const CellProducts& products, int slots);

// Builds the matrices mass M + stiffness S + hold H of each cell over all functions with slot[f] >= 0. `factors`: one
// per cell, or one for all.
CellProducts cell_products(const CellMatrices& cells, std::span<const int> slot, std::span<const CellFactors> factors);

// Restricts `all` to the slots with active_slot >= 0, renumbered by it. Nothing is reassembled, and cells whose active
// functions did not change keep their columns. `active`: empty, or the result of an earlier call with the same `all`.
void restrict_products(const CellProducts& all, std::span<const int> active_slot, CellProducts& active);

// Computes z_e = R_c A_c R_c^T x for the entries e of the cells [begin, end); `x` per slot, `z` per entry. `in_frames`:
// `x` is per entry and already in the cell's frame, and R_c^T is skipped.
void multiply_cells(const CellProducts& products, std::span<const CellFrame> frame, bool in_frames,
                    std::span<const Row<float>> x, std::size_t begin, std::size_t end, std::span<Row<float>> z);

}  // namespace sinew
