// Whether free parameters can be told apart by what they move.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/deform/rig_space/rig_space_body.h"

namespace sinew {

struct DependentParameter {
  int parameter = -1;  // column that adds nothing to those before it
  int like = -1;       // the column that moves the body most like it; -1: the parameter moves nothing
  bool same = false;   // whether that one alone has the same effect
};

// Of a column whose effect is 1, the square of what has to be left of it when those before it are taken away.
inline constexpr double least_own_effect = 1e-9;

// All of them, those that move nothing first. `mass`: G^T M G, rows of `stride` numbers. `range`: what each parameter
// may change by; `nothing`: what counts as no motion, in metres times root of kilograms.
std::vector<DependentParameter> find_dependent(std::span<const double> mass, std::size_t columns, std::size_t stride,
                                               std::span<const double> range, double nothing,
                                               double own_effect = least_own_effect);

// Of `free`, whose column of `basis` each is, at the pose in question.
std::vector<DependentParameter> find_dependent(const RigSpaceBody& body, const Rig& rig, std::span<const int> free,
                                               const ReducedBasis& basis, double own_effect = least_own_effect);

// A sentence for each, with the remedy; those that move nothing in one.
std::vector<std::string> sentences_of(const Rig& rig, std::span<const int> free,
                                      std::span<const DependentParameter> dependent);

// Throws input_error naming all parameters of `free` that move nothing of the body, or do what others do.
void check_effects(const RigSpaceBody& body, const Rig& rig, std::span<const int> free, const ReducedBasis& basis);

}  // namespace sinew
