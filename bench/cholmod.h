// CHOLMOD, if it is installed (SINEW_BENCH_CHOLMOD), as the reference for the numeric factorisation.
#pragma once

#include <dlfcn.h>
#include <suitesparse/cholmod.h>

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <stdexcept>
#include <vector>

#include "sinew/linalg/block_matrix.h"

extern "C" void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*,
                       const int*, const double*, const int*, const double*, double*, const int*);

namespace sinew {

// Limits OpenBLAS, and CHOLMOD's own OpenMP loops, to one thread.
inline void use_one_thread() {
  using Set = void (*)(int);
  if (const auto set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))) set(1);
  if (const auto set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"))) set(0);
}

// Gflop/s of a large product by the BLAS that CHOLMOD uses: the processor's practical maximum.
inline double blas_rate() {
  const int size = 1536;
  const double one = 1;
  const std::vector<double> a(static_cast<std::size_t>(size) * size, 1e-3);
  std::vector<double> c(a.size());
  use_one_thread();
  double least = 1e9;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const std::clock_t begin = std::clock();
    dgemm_("N", "T", &size, &size, &size, &one, a.data(), &size, a.data(), &size, &one, c.data(), &size);
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return 2e-9 * size * size * size / least;
}

// Supernodal L L^T in one thread. With `metis`, CHOLMOD orders the scalar graph by METIS, as Sinew does; otherwise it
// takes the best of all its orderings.
class Cholmod {
 public:
  explicit Cholmod(const BlockMatrix& matrix, bool metis) {
    use_one_thread();
    cholmod_start(&common_);
    common_.supernodal = CHOLMOD_SUPERNODAL;
    if (metis) {
      common_.nmethods = 1;
      common_.method[0].ordering = CHOLMOD_METIS;
    }
    const auto size = 3 * static_cast<std::size_t>(matrix.rows);
    matrix_ = cholmod_allocate_sparse(size, size, 9 * matrix.block.size(), 1, 1, -1, CHOLMOD_REAL, &common_);
    if (!matrix_) throw std::runtime_error("CHOLMOD has no memory for the matrix");
    // By symmetry, rows are columns; CHOLMOD reads the lower triangle (stype -1).
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
  double operations() const { return common_.fl; }  // for its ordering, without the zeros that it adds
  double entries() const { return common_.lnz; }

 private:
  cholmod_common common_{};
  cholmod_sparse* matrix_ = nullptr;
  cholmod_factor* factor_ = nullptr;
};

}  // namespace sinew
