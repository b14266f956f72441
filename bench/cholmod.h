// CHOLMOD, where it is installed (SINEW_BENCH_CHOLMOD), as the yardstick of the numeric factorisation.
#pragma once

#include <suitesparse/cholmod.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

#include "sinew/linalg/block_matrix.h"

// Of OpenBLAS; does nothing where another BLAS is installed.
extern "C" [[gnu::weak]] void openblas_set_num_threads(int threads);

namespace sinew {

// Supernodal L L^T with the BLAS on one thread. `metis` orders by METIS, as Sinew does, through CHOLMOD's own
// ordering of the scalar graph; otherwise CHOLMOD tries what it has and takes the best.
class Cholmod {
 public:
  explicit Cholmod(const BlockMatrix& matrix, bool metis) {
    if (openblas_set_num_threads) openblas_set_num_threads(1);
    cholmod_start(&common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    if (metis) {
      common_.nmethods = 1;
      common_.method[0].ordering = CHOLMOD_METIS;
    }
    const auto size = 3 * static_cast<std::size_t>(matrix.rows);
    matrix_ = cholmod_allocate_sparse(size, size, 9 * matrix.block.size(), 1, 1, -1, CHOLMOD_REAL, &common_);
    if (!matrix_) throw std::runtime_error("CHOLMOD has no memory for the matrix");
    // By symmetry a row is a column; its lower triangle counts (stype -1).
    auto* start = static_cast<int*>(matrix_->p);
    auto* row = static_cast<int*>(matrix_->i);
    auto* value = static_cast<double*>(matrix_->x);
    int next = 0;
    for (int r = 0; r < matrix.rows; ++r)
      for (int i = 0; i < 3; ++i) {
        start[3 * r + i] = next;
        for (int k = matrix.row_start[static_cast<std::size_t>(r)];
             k < matrix.row_start[static_cast<std::size_t>(r) + 1]; ++k)
          for (int j = 0; j < 3; ++j) {
            const int c = 3 * matrix.column[static_cast<std::size_t>(k)] + j;
            if (c < 3 * r + i) continue;
            row[next] = c;
            value[next++] = matrix.block[static_cast<std::size_t>(k)].m[3 * i + j];
          }
      }
    start[size] = next;
    factor_ = cholmod_analyze(matrix_, &common_);
  }
  ~Cholmod() {
    cholmod_free_factor(&factor_, &common_);
    cholmod_free_sparse(&matrix_, &common_);
    cholmod_finish(&common_);
  }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;

  void factor() {
    if (!cholmod_factorize(matrix_, factor_, &common_) || common_.status != CHOLMOD_OK)
      throw std::runtime_error("CHOLMOD could not factor the matrix");
  }
  double operations() const { return common_.fl; }  // of its ordering, without the zeros it adds
  double entries() const { return common_.lnz; }

 private:
  cholmod_common common_{};
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
};

}  // namespace sinew
