// Sag of the benchmark limbs under their own weight, against converged solutions of an independent
// finite element library on the same meshes (docs/elements.md).
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <optional>
#include <string>

#include "bench/tet_file.h"
#include "sinew/elastic/strain_samples.h"
#include "studies/reference/static_equilibrium.h"

namespace sinew {
namespace {

struct Limb {
  TetrahedralMesh mesh;
  std::vector<int> core;
  std::size_t tip = 0;
};

// Empty, with one line of explanation, where the limbs are not there.
std::optional<Limb> limb(const std::string& name) {
  const auto file = bench::read_tet_file(bench::data_folder() / (name + ".tet"));
  if (!file) {
    std::cout << "skipped: no " << name << ".tet in " << bench::data_folder() << '\n';
    return std::nullopt;
  }
  std::optional<Limb> result(std::in_place);
  result->mesh.positions = file->vertices;
  result->core = file->core;
  result->tip = static_cast<std::size_t>(file->tip);
  for (std::size_t t = 0; t + 3 < file->tetrahedra.size(); t += 4)
    result->mesh.tetrahedra.push_back(
        {file->tetrahedra[t], file->tetrahedra[t + 1], file->tetrahedra[t + 2], file->tetrahedra[t + 3]});
  return result;
}

struct Sag {
  double linear, corotated;  // vertical displacement of the tip, metres
};

Sag sag(const Limb& limb, Element element, bool corotated = true) {
  ElementFields fields;
  fields.material = {1e5, 0.45, 1000};
  const StrainSamples samples = strain_samples(limb.mesh, element, fields);
  std::vector<Vec3> weight;
  for (const double mass : lumped_mass(limb.mesh, fields)) weight.push_back({0, -9.81 * mass, 0});
  Sag result{linear_equilibrium(samples, weight, limb.core)[limb.tip].y, 0};
  if (!corotated) return result;
  EquilibriumOptions options;
  options.tolerance = 1e-4;  // of the weight: a hundredth of the margins below
  const Equilibrium found = static_equilibrium(samples, limb.mesh.positions, weight, limb.core, options);
  result.corotated = found.positions[limb.tip].y - limb.mesh.positions[limb.tip].y;
  std::cout << "sag " << result.linear << " linear, " << result.corotated << " co-rotated, " << found.iterations
            << " steps\n";
  return result;
}

constexpr double extrapolated = -0.0121;  // co-rotated, mesh size to zero

TEST(Limbs, LinearTetrahedraSagAsInAnotherLibrary) {
  if (const auto arm = limb("arm11k")) {
    const Sag found = sag(*arm, Element::linear);
    EXPECT_NEAR(found.linear, -0.00910, 0.01 * 0.00910);
    EXPECT_NEAR(found.corotated, -0.01057, 0.01 * 0.01057);
  }
  if (const auto coarse = limb("limb_11k")) {
    EXPECT_NEAR(sag(*coarse, Element::linear).corotated, -0.00914, 0.01 * 0.00914);
  }
}

TEST(Limbs, LinearTetrahedraSagAsInAnotherLibraryOnTheFineMesh) {
  if (const auto fine = limb("limb_92k")) {
    EXPECT_NEAR(sag(*fine, Element::linear).corotated, -0.01061, 0.01 * 0.01061);
  }
}

TEST(Limbs, PatchesSagNearlyAsMuchAsTheConvergedSolution) {
  if (const auto coarse = limb("limb_11k")) {
    EXPECT_NEAR(sag(*coarse, Element::patch).corotated, extrapolated, 0.08 * -extrapolated);
  }
}

TEST(Limbs, PatchesSagNearlyAsMuchAsTheConvergedSolutionOnTheFineMesh) {
  if (const auto fine = limb("limb_92k")) {
    EXPECT_NEAR(sag(*fine, Element::patch).corotated, extrapolated, 0.04 * -extrapolated);
  }
}

}  // namespace
}  // namespace sinew
