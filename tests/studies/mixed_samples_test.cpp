// Patches as samples of mixed bodies: moduli, rotations, and what they are for: bending near incompressibility.
#include "studies/mixed/mixed_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "sinew/base/error.h"
#include "sinew/deform/mixed/condensed_matrix.h"
#include "sinew/deform/mixed/mixed_elements.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "sinew/deform/mixed/rotation_clusters.h"
#include "tests/deform/mixed/mixed_bodies.h"

namespace sinew {
namespace {

using test::at;

// A body that is deformed alike everywhere has the energy of its moduli, whatever the samples are.
TEST(MixedSamples, HaveTheModuliOfTheTetrahedra) {
  const TetrahedralMesh mesh = test::irregular_block({4, 3, 3}, 5);
  std::vector<double> young, poisson, fill;
  test::Noise noise(7);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    young.push_back(2 + noise());
    poisson.push_back(0.3 + 0.15 * noise());
    fill.push_back(0.75 + 0.25 * noise());
  }
  ElementFields fields;
  fields.young = young;
  fields.poisson = poisson;
  fields.inside_fraction = fill;
  double shear = 0, lambda = 0;
  const StrainSamples linear = mixed_samples(mesh, Element::linear, fields);
  for (std::size_t t = 0; t < mesh.tetrahedra.size(); ++t) {
    const LameModuli moduli = lame_moduli(young[t], poisson[t]);
    EXPECT_DOUBLE_EQ(linear.shear[t], moduli.shear);
    EXPECT_DOUBLE_EQ(linear.lambda[t], moduli.lambda);
    shear += linear.volume[t] * linear.shear[t];
    lambda += linear.volume[t] * linear.lambda[t];
  }
  const StrainSamples patches = mixed_samples(mesh, Element::patch, fields);
  for (std::size_t s = 0; s < patches.size(); ++s) {
    if (s < mesh.tetrahedra.size()) {
      EXPECT_EQ(patches.lambda[s], 0);
    } else {
      EXPECT_GT(patches.lambda[s], 0);
    }
    shear -= patches.volume[s] * patches.shear[s];
    lambda -= patches.volume[s] * patches.lambda[s];
  }
  EXPECT_NEAR(shear, 0, 1e-10);
  EXPECT_NEAR(lambda, 0, 1e-10);
}

TEST(MixedSamples, GiveTheVolumePartARowForEachPatch) {
  const TetrahedralMesh mesh = test::irregular_block({4, 3, 3}, 5);
  const MixedBody body = mixed_body(mesh.positions, mixed_samples(mesh, Element::patch, {}),
                                    stretch_energy(MixedMaterial::corotated), test::some_pins(mesh));
  const auto moduli = volume_moduli(body);
  ASSERT_TRUE(moduli);
  const std::size_t tetrahedra = mesh.tetrahedra.size();
  EXPECT_EQ(std::count(moduli->begin(), moduli->begin() + static_cast<std::ptrdiff_t>(tetrahedra), 0.0),
            static_cast<std::ptrdiff_t>(tetrahedra));
  EXPECT_LT(moduli->size() - tetrahedra, tetrahedra / 4);
}

TEST(MixedSamples, RotationsOfPatchesAreMeansOfTheirTetrahedra) {
  const test::Block bar = test::block({8, 2, 2}, {4, 1, 1});
  std::vector<Bone> bones(2);
  bones[0].segments = {{{0, 0.5, 0.5}, {2, 0.5, 0.5}}};
  bones[1].segments = {{{2, 0.5, 0.5}, {4, 0.5, 0.5}}};
  const RotationClusters clusters = rotation_clusters(bar.mesh, bones, ClusterRule::segment);
  const RotationWeights tetrahedra = smooth_weights(bar.mesh, bones, clusters.bone);
  const RotationWeights all = sample_weights(bar.mesh, Element::patch, tetrahedra);
  const std::vector<int> patch = cluster_tetrahedra(bar.mesh, patch_size);
  const std::size_t m = bar.mesh.tetrahedra.size();
  ASSERT_EQ(all.size(), mixed_samples(bar.mesh, Element::patch, {}).size());
  const auto weight_of = [](const RotationWeights& weights, std::size_t s, int bone) {
    for (int k = weights.start[s]; k < weights.start[s + 1]; ++k)
      if (weights.bone[at(k)] == bone) return weights.weight[at(k)];
    return 0.0;
  };
  std::vector<double> sum(all.size() - m, 0.0), count(all.size() - m, 0.0);
  for (std::size_t t = 0; t < m; ++t) {
    EXPECT_EQ(weight_of(all, t, 0), weight_of(tetrahedra, t, 0));
    sum[at(patch[t])] += weight_of(tetrahedra, t, 0);  // all have one volume
    count[at(patch[t])] += 1;
  }
  for (std::size_t p = 0; p < sum.size(); ++p) {
    EXPECT_NEAR(weight_of(all, m + p, 0), sum[p] / count[p], 2e-3);
    EXPECT_NEAR(weight_of(all, m + p, 0) + weight_of(all, m + p, 1), 1, 1e-12);
    const auto first = at(all.start[m + p]);
    if (all.start[m + p + 1] - all.start[m + p] == 2) {
      EXPECT_GE(all.weight[first], all.weight[first + 1]);
    }
  }
  const RotationWeights same = sample_weights(bar.mesh, Element::linear, tetrahedra);
  EXPECT_EQ(same.weight, tetrahedra.weight);
  EXPECT_THROW(sample_weights(bar.mesh, Element::patch, all), Error);
}

// A cantilever of four cells across, nu = 0.45, against Timoshenko's beam: linear tetrahedra lock, patches do not.
TEST(MixedSamples, PatchesBendWhereTetrahedraLock) {
  constexpr double young = 3e4, poisson = 0.45, force = 10, length = 4;
  const test::Block bar = test::block({16, 4, 4}, {length, 1, 1});
  MixedPins pins;
  std::vector<Vec3> forces(bar.mesh.positions.size());
  for (int j = 0; j <= 4; ++j)
    for (int k = 0; k <= 4; ++k) {
      pins.held.push_back(bar.vertex(0, j, k));
      const double share = (j % 4 == 0 ? 0.5 : 1) * (k % 4 == 0 ? 0.5 : 1) / 16;
      forces[at(bar.vertex(16, j, k))] = {0, -force * share, 0};
    }
  ElementFields fields;
  fields.material = {young, poisson, 1000};
  const double shear = young / (2 * (1 + poisson));
  const double beam = force * length * length * length / (3 * young / 12) + force * length / (5.0 / 6.0 * shear);
  const auto sag = [&](Element element) {
    const auto body =
        std::make_shared<const MixedBody>(mixed_body(bar.mesh.positions, mixed_samples(bar.mesh, element, fields),
                                                     stretch_energy(MixedMaterial::corotated), pins, {0}));
    test::OwnedLoad load = test::rigid_load(*body, {});
    load.forces = forces;
    std::vector<Vec3> positions;
    MixedSolver(body).solve(load.load(), positions);
    double work = 0;
    for (std::size_t v = 0; v < forces.size(); ++v) work += dot(forces[v], positions[v] - bar.mesh.positions[v]);
    return work / force;
  };
  EXPECT_NEAR(sag(Element::patch) / beam, 0.96, 0.02);  // the clamp holds the section's sides too
  EXPECT_LT(sag(Element::linear) / beam, 0.65);
}

// Iterations and contact on patches: the same searches as on tetrahedra.
TEST(MixedSamples, PatchesNeedNoMoreIterations) {
  const test::Block bar = test::block({12, 3, 3}, {4, 1, 1});
  const Mat3 q = to_matrix(axis_angle({0, 0, 1}, 1.5));
  MixedPins pins{{bar.vertex(0, 1, 1), bar.vertex(3, 1, 1), bar.vertex(9, 1, 1), bar.vertex(12, 1, 1)}, {}, {}};
  const StrainSamples samples = mixed_samples(bar.mesh, Element::patch, {});
  const auto body = std::make_shared<const MixedBody>(
      mixed_body(bar.mesh.positions, samples, stretch_energy(MixedMaterial::corotated), pins));
  test::OwnedLoad load = test::rigid_load(*body, {});
  for (std::size_t s = 0; s < samples.size(); ++s) {
    double x = 0;
    const int count = samples.start[s + 1] - samples.start[s];
    for (int e = samples.start[s]; e < samples.start[s + 1]; ++e)
      x += bar.mesh.positions[at(samples.vertex[at(e)])].x / count;
    if (x > 2) load.rotations[s] = q;
  }
  for (std::size_t p : {2u, 3u}) load.held[p] = q * (load.held[p] - Vec3{2, 0.5, 0.5}) + Vec3{2, 0.5, 0.5};
  std::vector<Vec3> iterated, direct;
  const MixedStatistics statistics = MixedSolver(body).solve(load.load(), iterated);
  MixedSolver(body, test::direct).solve(load.load(), direct);
  EXPECT_LE(statistics.iterations, 16);
  EXPECT_LT(test::largest_difference(iterated, direct), 1e-3);
}

}  // namespace
}  // namespace sinew
