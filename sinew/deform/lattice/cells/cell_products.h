// The product with turned cell matrices, sum_c R_c A_c R_c^T x, that every iteration of a step takes: single precision,
// the columns of a cell's matrix streamed through vector registers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/flesh/patch_elasticity.h"
#include "sinew/deform/lattice/cells/cell_matrices.h"
#include "sinew/linalg/small.h"

namespace sinew {

// A cache line, which all columns begin on.
struct alignas(64) FloatLine {
  float number[16];
};

// R by rows and by columns, each with a zero behind it: made once a pose, since a register that is filled from single
// numbers just written waits for them.
struct alignas(32) CellFrame {
  float row[3][4];
  float column[3][4];
};
CellFrame cell_frame(const Mat3& rotation);

// Dense single precision matrices of cells, each over some of the cell's functions: those that are active.
struct CellProducts {
  std::vector<int> first;           // cells + 1: where a cell's entries begin; it has `count` of them in use
  std::vector<int> count;           // per cell
  std::vector<int> slot;            // per entry: row of the vectors that it stands for
  std::vector<int> place;           // per entry: which of the functions of the cell it is
  std::vector<std::size_t> offset;  // cells + 1, in lines
  std::vector<FloatLine> column;    // cell by cell, column by column; 3 count numbers and zeros up to a whole line

  std::size_t cells() const { return count.size(); }
  std::size_t entries() const { return slot.size(); }  // in use or not
};

// The entries of each slot, ascending, for sums in a fixed order.
struct SlotEntries {
  std::vector<int> start, entry;  // slots + 1, and one per entry in use
};
SlotEntries entries_of_slots(const CellProducts& products, int slots);

// mass M + stiffness S + hold H of each cell, factors per cell or one for all, over all functions with slot[f] >= 0.
CellProducts cell_products(const CellMatrices& cells, std::span<const int> slot, std::span<const CellFactors> factors);

// The rows and columns of `all` whose slot has an active_slot >= 0, which becomes their slot: nothing is assembled
// anew, and cells where the same functions stay active keep their columns. `active` is empty, or what an earlier call
// with the same `all` has made.
void restrict_products(const CellProducts& all, std::span<const int> active_slot, CellProducts& active);

// z_e = R_c A_c R_c^T x for the entries e of the cells [begin, end); `x` per slot, `z` per entry. `in_frames` leaves
// out the first turn: x is then per entry, in the cell's frame already.
void multiply_cells(const CellProducts& products, std::span<const CellFrame> frame, bool in_frames,
                    std::span<const Row<float>> x, std::size_t begin, std::size_t end, std::span<Row<float>> z);

}  // namespace sinew
