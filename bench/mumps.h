// MUMPS, if it is installed (SINEW_BENCH_MUMPS), as a second direct solver for comparison.
#pragma once

#include <dmumps_c.h>

#include <cstddef>
#include <vector>

#include "sinew/linalg/block_matrix.h"

namespace sinew {

// The fastest packaged direct solver with a permissive licence: L D L^T, METIS, one thread.
class Mumps {
 public:
  explicit Mumps(const BlockMatrix& matrix) {
    for (int row = 0; row < matrix.rows; ++row)
      for (int k = matrix.row_start[static_cast<std::size_t>(row)];
           k < matrix.row_start[static_cast<std::size_t>(row) + 1]; ++k)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) {
            const int r = 3 * row + i + 1, c = 3 * matrix.column[static_cast<std::size_t>(k)] + j + 1;
            if (r < c) continue;
            row_.push_back(r);
            column_.push_back(c);
            value_.push_back(matrix.block[static_cast<std::size_t>(k)].m[3 * i + j]);
          }
    id_.comm_fortran = -987654;
    id_.par = 1;
    id_.sym = 1;  // positive definite
    run(-1);
    for (const int quiet : {0, 1, 2, 3}) id_.icntl[quiet] = quiet == 3 ? 0 : -1;
    id_.icntl[6] = 5;  // METIS
    id_.n = 3 * matrix.rows;
    id_.nnz = static_cast<MUMPS_INT8>(row_.size());
    id_.irn = row_.data();
    id_.jcn = column_.data();
    id_.a = value_.data();
    run(1);
  }
  ~Mumps() { run(-2); }
  Mumps(const Mumps&) = delete;
  Mumps& operator=(const Mumps&) = delete;
  void factor() { run(2); }
  void solve(std::vector<double>& x) {
    id_.rhs = x.data();
    run(3);
  }

 private:
  void run(int job) {
    id_.job = job;
    dmumps_c(&id_);
  }
  DMUMPS_STRUC_C id_{};
  std::vector<int> row_, column_;
  std::vector<double> value_;
};

}  // namespace sinew
