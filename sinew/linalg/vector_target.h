// Selection of the instruction set that vector kernels use.
//
// Kernels are compiled once per instruction set ("target"), and the widest one that the processor has is chosen at run
// time. Targets differ in the order of sums and in fused multiply-adds, hence in rounding: on one target results have
// the same bits in every run and for any number of threads, between two they differ by rounding (docs/conventions.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Name of the environment variable that use_vector_target_from_environment() reads.
inline constexpr const char* vector_target_variable = "SINEW_VECTOR_TARGET";

// Names of the targets that kernels are compiled for and this processor has, widest first: `avx512`, `avx2`, `portable`
// on x86-64. `portable` needs nothing beyond the build's baseline and is always there.
std::vector<std::string> vector_targets();

// Name of the target that kernels run with.
std::string vector_target();

// Makes kernels use the target `name`, or, where a kernel has no code for it, the next narrower one. Must be called
// before other threads run kernels. Throws usage_error where `name` is not one of vector_targets().
void use_vector_target(std::string_view name);

// Uses the target that SINEW_VECTOR_TARGET names; does nothing where it is unset or empty.
void use_vector_target_from_environment();

}  // namespace sinew
