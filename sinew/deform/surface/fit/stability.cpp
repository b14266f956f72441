#include "sinew/deform/surface/fit/stability.h"

#include "runtime/parts/model_numbers.h"

namespace sinew {

double stability_load(const VertexParameters& p, double largest_eigenvalue) {
  return SINEW_STABILITY_LOAD(p.alpha, p.beta, p.gamma, p.lambda, p.delta, largest_eigenvalue);
}

}  // namespace sinew
