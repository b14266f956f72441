// Whether free parameters can be told apart by what they move.
#pragma once

#include <cstddef>
#include <span>

#include "sinew/character/rig.h"
#include "sinew/deform/rig_space/rig_space_body.h"

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

// Throws input_error naming the parameter where one of `free` moves nothing of the body, or does what others do. `basis`
// has a column for each, at the pose in question.
void check_effects(const RigSpaceBody& body, const Rig& rig, std::span<const int> free, const ReducedBasis& basis);

}  // namespace sinew
