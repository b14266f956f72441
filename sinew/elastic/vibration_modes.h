// Free vibration of an elastic body about its rest shape: S x = (2 pi f)^2 M x.
#pragma once

#include <span>
#include <vector>

#include "sinew/elastic/strain_samples.h"
#include "sinew/linalg/block_matrix.h"

namespace sinew {

// Eigenmodes by increasing frequency.
struct VibrationModes {
  std::vector<double> frequency;         // hertz, increasing
  std::vector<std::vector<Vec3>> shape;  // per mode n vectors with x^T M x = 1; zero where held
  int iterations = 0;
};

// The `count` lowest modes with the held vertices fixed, by block inverse iteration with Rayleigh-Ritz projection;
// frequencies to 1e-9 relative. The mass matrix may be lumped or consistent. Throws simulation_error where the held
// vertices leave the body free to move rigidly (its stiffness is then singular).
VibrationModes vibration_modes(const BlockMatrix& stiffness, const BlockMatrix& mass, std::span<const int> held,
                               int count);

// Diagonal matrix of the lumped masses (kilograms per vertex).
BlockMatrix lumped_mass_matrix(std::span<const double> mass);

}  // namespace sinew
