// Whether free parameters can be told apart by what they move.
#pragma once

#include <cstddef>
#include <span>

namespace sinew {

struct DependentParameters {
  int parameter = -1;  // column that adds nothing to those before it; -1: none
  int like = -1;       // the column that moves the body most like it; -1: the parameter moves nothing
  bool same = false;   // whether that one alone has the same effect
};

// `mass`: G^T M G, rows of `stride` numbers. `range`: what each parameter may change by; `nothing`: what counts as no
// motion, in metres times root of kilograms.
DependentParameters find_dependent(std::span<const double> mass, std::size_t columns, std::size_t stride,
                                   std::span<const double> range, double nothing);

}  // namespace sinew
