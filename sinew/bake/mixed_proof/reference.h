// How far mixed elements are from the nonlinear equilibrium that they stand in for (free_rotations.h), with the same
// vertices held.
#pragma once

#include <string>
#include <vector>

#include "sinew/bake/mixed_proof/bar.h"
#include "sinew/bake/mixed_proof/posed_body.h"
#include "sinew/base/progress.h"

namespace sinew {

struct ReferenceRow {
  std::string pose;
  MixedMaterial material = MixedMaterial::arap;
  double reach = 0;             // of the rotation field; 0: clusters
  bool solved = false;          // false: one of the two was not found
  double energy = 0;            // of `mixed`, with the closest rotations; joules
  double reference_energy = 0;  // least of all that were reached from the reaches given
  double rms = 0, max = 0;      // distance of vertices, over `length`
  double volume = 0, reference_volume = 0;  // ratios
  double milliseconds = 0, reference_milliseconds = 0;
  int reference_iterations = 0;
};

// One pose of a body, for all materials. `length`: what distances are measured against, metres. The equilibrium is
// found from the mixed solution of each reach, and the one of least energy counts.
std::vector<ReferenceRow> compare_with_free_rotations(const std::string& name, const TetrahedralMesh& mesh,
                                                      const std::vector<Bone>& bones, const std::vector<Affine>& pose,
                                                      const Material& material, double length,
                                                      const std::vector<double>& reaches = {0, 1},
                                                      const Progress& progress = {});

// The bar bent by 60, 90 and 120 degrees and twisted by 120.
std::vector<ReferenceRow> reference_experiment(const Bar& bar, const Material& material = {3e4, 0.45, 1000},
                                               const Progress& progress = {});

}  // namespace sinew
