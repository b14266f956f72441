// Every family of skinning on the same bends of one character, measured and compared with nonlinear elasticity.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "studies/skinning/families.h"
#include "studies/skinning/skin_measures.h"

namespace sinew {

struct SkinningResult {
  BentSkin posed;
  SkinMeasures measures;
  double distance = 0;  // from the nonlinear family, RMS over the skin of the bones that meet, in heights
};

struct SkinningRun {
  std::string family;
  std::string failure;                  // sentence; empty: it ran
  std::vector<SkinningResult> results;  // per bend; empty where it failed
};

struct SkinningComparison {
  std::string character;
  SimulationSurface surface;
  double height = 1;  // metres
  std::vector<Bend> bends;
  std::vector<SkinningRun> runs;  // in the order of skinning_families()

  // Where nonlinear elasticity has the skin in a bend: metres, world, per vertex; empty where it did not run.
  std::span<const Vec3> reference(std::size_t bend) const;
};

// `joints`: pattern of the joints that bend; empty: usual_bends(). Throws input_error for a character without skin
// weights or such joints. A family that fails on this character gets the sentence in place of results.
SkinningComparison compare_skinning(const Character& character, const std::string& name, const std::string& joints,
                                    const FamilyOptions& options = {}, const Progress& progress = {});

}  // namespace sinew
