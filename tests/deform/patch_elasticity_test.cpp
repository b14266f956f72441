// The patches' forces against the strain samples that define them, and the vector kernel against plain loops.
#include "sinew/deform/lattice_flesh/patch_elasticity.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/deform/bars.h"

namespace sinew {
namespace {

using namespace test;

std::vector<PaddedVec3> shaken_positions(const TetrahedralMesh& mesh) {
  std::vector<PaddedVec3> positions;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Vec3& x = mesh.positions[v];
    const double k = static_cast<double>(v);
    positions.push_back({x.x + 0.01 * std::sin(1.3 * k), x.y + 0.01 * std::sin(2.9 * k), x.z + 0.01 * std::sin(0.7 * k), 0});
  }
  return positions;
}

Mat3 frame_rotation(std::size_t p) { return to_matrix(axis_angle(normalized(Vec3{1, 2, -0.5}), 0.4 * static_cast<double>(p))); }

class PatchElasticityOf : public testing::TestWithParam<Element> {
 protected:
  FleshDescription description_ = [] {
    FleshDescription d = bar_description(Bar{});
    for (std::size_t t = 0; t < d.mesh.tetrahedra.size(); ++t) {
      d.young.resize(d.mesh.tetrahedra.size());
      d.young[t] = 1e4 * (1 + 0.5 * std::sin(static_cast<double>(t)));
    }
    return d;
  }();
  StrainSamples samples_ = strain_samples(description_.mesh, GetParam(), {description_.material, description_.young, {}});
  PatchElasticity elasticity_ = patch_elasticity(description_.mesh, GetParam(), samples_);
  std::vector<PaddedVec3> positions_ = shaken_positions(description_.mesh);
};

// With one frame for all, forces are those of the samples: sum_s V_s R (2 mu e_s + lambda tr(e_s) I) g_sv.
TEST_P(PatchElasticityOf, AddsUpToTheSamples) {
  const Mat3 rotation = frame_rotation(2);
  const double load = 0.75;
  std::vector<PaddedVec3> entry(elasticity_.vertex.size());
  std::vector<Vec3> force(positions_.size()), expected(positions_.size()), world;
  for (const PaddedVec3& p : positions_) world.push_back({p.x, p.y, p.z});
  for (std::size_t p = 0; p < elasticity_.patches.size(); ++p)
    patch_forces(elasticity_, p, patch_frame(rotation), load, positions_, entry);
  for (std::size_t e = 0; e < entry.size(); ++e)
    force[static_cast<std::size_t>(elasticity_.vertex[e])] += Vec3{entry[e].x, entry[e].y, entry[e].z};
  double scale = 0;
  for (std::size_t s = 0; s < samples_.size(); ++s) {
    const Mat3 turned = transpose(rotation) * deformation_gradient(samples_, s, world);
    const Mat3 strain = (turned + transpose(turned)) * 0.5 - Mat3::identity() * load;
    const Mat3 stress = strain * (2 * samples_.shear[s]) + Mat3::identity() * (samples_.lambda[s] * trace(strain));
    for (auto k = static_cast<std::size_t>(samples_.start[s]); k < static_cast<std::size_t>(samples_.start[s + 1]); ++k) {
      const Vec3 part = rotation * (stress * samples_.gradient[k]) * samples_.volume[s];
      expected[static_cast<std::size_t>(samples_.vertex[k])] += part;
      scale = std::max(scale, norm(part));
    }
  }
  ASSERT_GT(scale, 0);
  for (std::size_t v = 0; v < force.size(); ++v) EXPECT_LT(distance(force[v], expected[v]), 1e-11 * scale);
}

TEST_P(PatchElasticityOf, KernelIsThePlainLoops) {
  std::vector<PaddedVec3> fast(elasticity_.vertex.size()), plain(fast.size());
  for (const double load : {0.0, 1.0}) {
    double scale = 0;
    for (std::size_t p = 0; p < elasticity_.patches.size(); ++p) {
      patch_forces(elasticity_, p, patch_frame(frame_rotation(p)), load, positions_, fast);
      patch_forces_reference(elasticity_, p, patch_frame(frame_rotation(p)), load, positions_, plain);
    }
    for (const PaddedVec3& f : plain) scale = std::max(scale, norm(Vec3{f.x, f.y, f.z}));
    ASSERT_GT(scale, 0);
    for (std::size_t e = 0; e < fast.size(); ++e) {
      EXPECT_LT(norm(Vec3{fast[e].x - plain[e].x, fast[e].y - plain[e].y, fast[e].z - plain[e].z}), 1e-12 * scale);
      EXPECT_EQ(fast[e].zero, 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Elements, PatchElasticityOf, testing::Values(Element::linear, Element::patch));

}  // namespace
}  // namespace sinew
