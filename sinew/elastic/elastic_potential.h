// An elastic energy as a function of the coefficients q of a displacement field, d(x) = sum_i q_i phi_i(x): the
// interface for equilibria and time steps.
#pragma once

#include <span>

#include "sinew/linalg/block_matrix.h"
#include "sinew/linalg/small.h"

namespace sinew {

// Spans have one vector per function, metres. An instance holds work space and must be used by one thread at a time.
class ElasticPotential {
 public:
  virtual ~ElasticPotential() = default;

  virtual int functions() const = 0;
  virtual double energy(std::span<const Vec3> q) = 0;                            // U, joules
  virtual void gradient(std::span<const Vec3> q, std::span<Vec3> gradient) = 0;  // dU/dq, newtons
  virtual BlockMatrix hessian_pattern() const = 0;                               // all blocks zero
  virtual void hessian(std::span<const Vec3> q, BlockMatrix& hessian) = 0;       // d^2 U / dq dq, N/m, overwritten
};

}  // namespace sinew
