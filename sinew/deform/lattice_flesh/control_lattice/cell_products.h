// The product with turned cell matrices, sum_c R_c A_c R_c^T x, that every iteration of a step takes: single precision,
// the columns of a cell's matrix streamed through vector registers.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sinew/deform/lattice_flesh/control_lattice/cell_matrices.h"
#include "sinew/deform/lattice_flesh/patch_elasticity.h"
#include "sinew/linalg/small.h"

namespace sinew {

// A cache line, which all columns begin on.
struct alignas(64) FloatLine {
  float number[16];
};

// Dense single precision matrices of cells over some of their functions, and where each of these is in a vector.
struct CellProducts {
  std::vector<int> start{0};           // cells + 1: entries of each cell
  std::vector<int> slot;               // per entry: row of the vectors that it stands for
  std::vector<std::size_t> offset{0};  // cells + 1, in lines
  std::vector<FloatLine> column;       // cell by cell, column by column; 3 n numbers and zeros up to a whole line
  std::vector<int> slot_start, slot_entry;  // the entries of each slot, ascending: slots + 1, and one per entry

  std::size_t cells() const { return start.size() - 1; }
};

// mass_factor M + stiffness_factor S of each cell over the functions with slot[f] >= 0, of `slots` in all.
CellProducts cell_products(const CellMatrices& cells, std::span<const int> slot, int slots, double mass_factor,
                           double stiffness_factor);

// z_e = R_c A_c R_c^T x for the entries e of the cells [begin, end); `x` per slot, `z` per entry. `in_frames` leaves
// out the first turn: x is then per entry, in the cell's frame already.
void multiply_cells(const CellProducts& products, std::span<const PatchFrame<float>> frame, bool in_frames,
                    std::span<const Row<float>> x, std::size_t begin, std::size_t end, std::span<Row<float>> z);

// The same in plain loops: what the tests hold the kernel to.
void multiply_cells_reference(const CellProducts& products, std::span<const PatchFrame<float>> frame, bool in_frames,
                              std::span<const Row<float>> x, std::size_t begin, std::size_t end,
                              std::span<Row<float>> z);

}  // namespace sinew
