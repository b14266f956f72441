// Forward and backward substitution over the panels.
#pragma once

#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "sinew/linalg/cholesky/numeric.h"
#include "sinew/linalg/cholesky/symbolic.h"

namespace sinew::cholesky {

// Number of vectors that are solved together, so that each panel is read once for all of them.
inline constexpr std::size_t most_vectors_at_once = 8;

// Offsets of the scratch memory of one run of supernodes, in numbers, not bytes.
struct Scratch {
  std::size_t rows_begin = 0;     // gathered or computed rows
  std::size_t columns_begin = 0;  // results for the node's own columns, one set per part of D^-1
  std::size_t columns_stride = 0;
};

// The work space of one call: the vectors in slots, then the scratch of every task and of the top.
struct WorkspaceLayout {
  std::size_t vector_stride = 0;
  std::vector<Scratch> task_scratch;  // offsets behind the vectors
  Scratch top_scratch;
  std::size_t scratch_size = 0;
};

WorkspaceLayout workspace_layout(const Symbolic& symbolic);

// Work spaces of running calls, kept for later ones. Several threads may solve at once, and one thread may be inside
// two solutions (a scheduler that takes other work while it waits).
template <class Real>
class WorkspacePool {
 public:
  std::vector<Real> take();
  void give_back(std::vector<Real> workspace);

 private:
  std::mutex mutex_;
  std::vector<std::vector<Real>> free_;
};

// For each supernode, whether a solution in these block rows needs it: the supernodes of the rows and their ancestors.
std::vector<char> nodes_of_rows(const Symbolic& symbolic, std::span<const int> rows);

// x = A^-1 b for `count` <= most_vectors_at_once vectors, one after the other in b and x. Where `only` is not empty,
// only the rows of the supernodes that it marks are written, with the same bits; it must also mark their ancestors.
template <class Entry>
void substitute(const Symbolic& symbolic, const WorkspaceLayout& layout, const Panels<Entry>& panels,
                WorkspacePool<Arithmetic<Entry>>& pool, std::span<const double> b, std::span<double> x,
                std::size_t count, std::span<const char> only);

}  // namespace sinew::cholesky
