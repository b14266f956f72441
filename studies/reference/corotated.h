// Co-rotated linear elasticity over strain samples, for any deformation:
//
//   U = sum_s V_s (mu |S - I|^2 + lambda/2 tr(S - I)^2),   F = R S (polar decomposition)
//
// the small strain energy of elastic/stiffness.h measured in each sample's own rotated frame. At rest its Hessian is
// exactly rest_stiffness().
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Energy in joules at vertex positions (n, metres).
double corotated_energy(const StrainSamples& samples, std::span<const Vec3> positions);

// Elastic force on each vertex (n, newtons): minus the gradient of the energy.
std::vector<Vec3> corotated_forces(const StrainSamples& samples, std::span<const Vec3> positions);

enum class HessianForm {
  exact,            // second derivative of the energy; may be indefinite under compression
  frozen_rotation,  // rotations fixed: positive semi-definite; used by Newton's method here
};

// Adds the Hessian to `hessian`, which has the pattern of rest_stiffness() for the same samples.
void add_corotated_hessian(const StrainSamples& samples, std::span<const Vec3> positions, HessianForm form,
                           BlockMatrix& hessian);

}  // namespace sinew
