// Detection of free parameters that have no effect of their own on the body.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/deform/rig_space/rig_space_body.h"

namespace sinew {

struct DependentParameter {
  int parameter = -1;  // column that depends linearly on those before it
  int like = -1;       // the column with the most similar effect; -1: the parameter moves nothing
  bool same = false;   // true if `like` alone has the same effect
};

// Least fraction of a column's squared effect that must remain after projecting out the columns before it.
inline constexpr double least_own_effect = 1e-9;

// Returns all dependent parameters, those that move nothing first. `mass`: G^T M G, rows of `stride` numbers. `range`:
// range of each parameter. `nothing`: effect that counts as no motion, in metres times root of kilograms.
std::vector<DependentParameter> find_dependent(std::span<const double> mass, std::size_t columns, std::size_t stride,
                                               std::span<const double> range, double nothing,
                                               double own_effect = least_own_effect);

// Returns the dependent parameters among `free`, the columns of `basis`, at the pose of `basis`.
std::vector<DependentParameter> find_dependent(const RigSpaceBody& body, const Rig& rig, std::span<const int> free,
                                               const ReducedBasis& basis, double own_effect = least_own_effect);

// Returns a sentence with the remedy for each; those that move nothing share one.
std::vector<std::string> sentences_of(const Rig& rig, std::span<const int> free,
                                      std::span<const DependentParameter> dependent);

// Throws input_error naming all parameters of `free` that move nothing of the body or depend on others.
void check_effects(const RigSpaceBody& body, const Rig& rig, std::span<const int> free, const ReducedBasis& basis);

}  // namespace sinew
