// Numeric factorisation: multifrontal, one dense front for the panels of a supernode.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "sinew/base/large_array.h"
#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/cholesky/panels.h"
#include "sinew/linalg/cholesky/symbolic.h"

namespace sinew::cholesky {

// The stored factor: for each supernode, in order of elimination, W followed by the packed D^-1 (panels.h).
template <class Entry>
struct Panels {
  LargeArray<Entry> data;          // with vector_padding more entries at the end
  std::vector<std::size_t> begin;  // per supernode and the end
  double inverse_scale = 1;        // factor that is contained in every stored D^-1

  const Entry* below(const Supernode&, std::size_t node) const { return data.get() + begin[node]; }
  const Entry* inverse(const Supernode& supernode, std::size_t node) const {
    return data.get() + begin[node] +
           9 * static_cast<std::size_t>(supernode.rows) * static_cast<std::size_t>(supernode.columns);
  }
  std::size_t entries() const { return begin.empty() ? 0 : begin.back(); }
};

// Work memory for factorisations of one pattern. The first factorisation releases its memory; from the second on, when
// the pattern is evidently factored repeatedly, memory is kept for the next. Several factorisations may use it at the
// same time.
class WorkMemory {
 public:
  LargeArray<double> take(std::size_t numbers);  // of at least this size
  void give_back(LargeArray<double> memory);
  void finish();  // call at the end of each factorisation

 private:
  std::mutex mutex_;
  std::vector<LargeArray<double>> kept_;
  int finished_ = 0;
};

// Fills `panels`, reusing their memory where they come from the same symbolic factorisation. All arithmetic is in
// double precision; only the finished panels are rounded to Real. Throws simulation_error naming the first block row,
// in order of elimination, where the matrix is not positive definite.
template <class Real>
void numeric_factorisation(const BlockMatrix& matrix, const Symbolic& symbolic, WorkMemory& memory,
                           Panels<Real>& panels);

// Rounds finished panels to half precision, D^-1 scaled by a power of two into its range. Returns false, and
// leaves `half` empty, where W leaves that range.
bool round_to_half(const Panels<float>& panels, const Symbolic& symbolic, Panels<Half>& half);

}  // namespace sinew::cholesky
