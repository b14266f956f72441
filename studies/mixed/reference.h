// Error of mixed elements relative to the nonlinear equilibrium that they approximate (free_rotations.h), with the same
// vertices held.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "studies/mixed/bar.h"
#include "studies/mixed/posed_body.h"

namespace sinew {

struct ReferenceRow {
  std::string pose;
  MixedMaterial material = MixedMaterial::arap;
  double reach = 0;                         // of the rotation field; 0: clusters
  bool solved = false;                      // false: one of the two was not found
  double energy = 0;                        // of `mixed`, with the closest rotations; joules
  double reference_energy = 0;              // the least that was reached from any of the reaches
  double rms = 0, max = 0;                  // distance of vertices, relative to `length`
  double volume = 0, reference_volume = 0;  // ratios
  double milliseconds = 0, reference_milliseconds = 0;
  int reference_iterations = 0;
};

// Creates the body to be posed, for a material and a reach of the rotation field.
using MakeBody = std::function<PosedBody(MixedMaterial material, double reach)>;

// Compares one pose of a body, for all materials and both rotation fields. `length`, metres: the unit of distances. The
// equilibrium is computed from both mixed solutions, and the one with the least energy is used.
std::vector<ReferenceRow> compare_with_free_rotations(const std::string& name, const TetrahedralMesh& mesh,
                                                      const std::vector<Affine>& pose, double length,
                                                      const MakeBody& make_body, const Progress& progress = {});

// The bar bent by 90 and 120 degrees, and twisted by 120 with its end faces held, without which a body with free
// rotations would not be twisted. Distances relative to its width.
std::vector<ReferenceRow> reference_experiment(const Bar& bar, const Material& material = {3e4, 0.45, 1000},
                                               const Progress& progress = {});

// A character with its left hip and elbow bent by 60 and 90 degrees, as far as it has them; distances relative to its
// height.
std::vector<ReferenceRow> character_reference(const Character& character, const std::string& name,
                                              int tetrahedra = 4000, const Progress& progress = {});

}  // namespace sinew
