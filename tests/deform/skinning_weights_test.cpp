// Algorithm 1 of one vertex, and the harmonic fields that stand for what examples do not say.
#include "sinew/deform/rig_space/skinning_weights.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "sinew/deform/rig_space/skinning_prior.h"
#include "tests/base/same_bits.h"
#include "tests/deform/elastic_examples.h"

namespace sinew {
namespace {

using test::at;

// Candidates around a vertex that follows some of them, and itself a little.
SkinningEquations random_equations(std::size_t candidates, std::uint64_t seed) {
  constexpr std::size_t poses = 15;
  test::Noise noise(seed);
  std::vector<Vec3> rest;
  for (std::size_t k = 0; k < candidates; ++k) rest.push_back(noise.vector());
  std::vector<double> offsets(3 * poses * candidates), at_rest;
  for (std::size_t p = 0; p < poses; ++p) {
    std::vector<Vec3> x;
    for (const Vec3& r : rest) x.push_back(r + 0.3 * noise.vector());
    const Vec3 vertex = (x[0] + x[1] + x[2] + x[3]) / 4 + 0.05 * noise.vector();
    for (std::size_t k = 0; k < candidates; ++k)
      for (std::size_t c = 0; c < 3; ++c)
        offsets[(k * poses + p) * 3 + c] = (x[k] - vertex)[c] / std::sqrt(double(poses));
  }
  for (const Vec3& r : rest) {
    const Vec3 offset = r - (rest[0] + rest[1] + rest[2] + rest[3]) / 4;
    at_rest.insert(at_rest.end(), {offset.x, offset.y, offset.z});
  }
  SkinningEquations equations;
  equations.examples = normal_equations(offsets, 3 * poses);
  equations.rest = normal_equations(at_rest, 3);
  // One field for each candidate, of which it alone is one; the vertex is their mean.
  std::vector<double> differences(candidates * candidates, -1 / double(candidates));
  for (std::size_t k = 0; k < candidates; ++k) differences[k * candidates + k] += 1;
  equations.harmonic = normal_equations(differences, candidates);
  return equations;
}

double total(const std::vector<double>& w) { return std::accumulate(w.begin(), w.end(), 0.0); }

TEST(SkinningWeights, AlgorithmOneEndsAtTheLastSetWithinBothBounds) {
  int by_growth = 0, by_delta = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SkinningEquations equations = random_equations(18, seed);
    equations.rest = normal_equations(std::vector<double>(3 * 18), 3);  // its bound never counts
    const SkinningFit all = fit_non_negative(equations);
    const SparseSkinningBounds bounds{.residual = seed % 2 ? 1.1 * all.residual : 10, .growth = 1.5};
    const SkinningFit fit = fit_sparse(equations, all, bounds);
    EXPECT_NEAR(total(fit.weight), 1, 1e-14);
    EXPECT_TRUE(std::is_sorted(fit.candidate.begin(), fit.candidate.end()));
    EXPECT_LE(fit.residual, std::min(bounds.residual, bounds.growth * all.residual));
    EXPECT_LE(fit.weight.size(), all.weight.size());
    // The weights that are left are the least squares of their own set.
    SkinningEquations left = equations;
    left.examples = reduced(equations.examples, fit.candidate);
    left.rest = reduced(equations.rest, fit.candidate);
    EXPECT_NEAR(fit_non_negative(left).residual, fit.residual, 1e-9);
    // One less is outside of a bound.
    const auto smallest = std::min_element(fit.weight.begin(), fit.weight.end()) - fit.weight.begin();
    std::vector<int> fewer = fit.candidate;
    fewer.erase(fewer.begin() + smallest);
    left.examples = reduced(equations.examples, fewer);
    left.rest = reduced(equations.rest, fewer);
    const double beyond = fit_non_negative(left).residual;
    by_growth += beyond > bounds.growth * all.residual && bounds.residual > beyond;
    by_delta += beyond > bounds.residual && bounds.growth * all.residual > beyond;
    EXPECT_GT(beyond, std::min(bounds.residual, bounds.growth * all.residual));
  }
  // Either bound alone ends it: with "or" between them, as printed, the other would go on.
  EXPECT_GT(by_growth, 0);
  EXPECT_GT(by_delta, 0);
}

TEST(SkinningWeights, ResidualsAboveDeltaKeepEveryCandidate) {
  const SkinningEquations equations = random_equations(18, 3);
  const SkinningFit all = fit_non_negative(equations);
  const SkinningFit fit = fit_sparse(equations, all, {.residual = 0.9 * all.residual, .growth = 10});
  EXPECT_EQ(fit.candidate, all.candidate);
  EXPECT_EQ(fit.weight, all.weight);
}

TEST(SkinningWeights, NegligibleResidualsMayGrow) {
  SkinningEquations equations = random_equations(18, 4);
  const SkinningFit all = fit_non_negative(equations);
  const SparseSkinningBounds strict{.residual = 10, .growth = 1};
  SparseSkinningBounds lenient = strict;
  lenient.negligible = 100 * all.residual;
  EXPECT_EQ(fit_sparse(equations, all, strict).candidate.size(), all.candidate.size());
  EXPECT_LT(fit_sparse(equations, all, lenient).candidate.size(), all.candidate.size());
}

TEST(SkinningWeights, RestAndFieldsPullAsHardAsTheyAreTold) {
  SkinningEquations equations = random_equations(18, 5);
  double last = fit_non_negative(equations).rest_residual;
  EXPECT_GT(last, 1e-3);
  for (const double weight : {1.0, 100.0, 1e4}) {
    equations.rest_weight = weight;
    const double now = fit_non_negative(equations).rest_residual;
    EXPECT_LT(now, last);
    last = now;
  }
  EXPECT_LT(last, 1e-4);
  equations.rest_weight = 0;
  equations.harmonic_weight = 1e6;
  const SkinningFit fit = fit_non_negative(equations);
  ASSERT_EQ(fit.weight.size(), 18u);
  for (const double w : fit.weight) EXPECT_NEAR(w, 1.0 / 18, 1e-5);
}

double field(const HarmonicFields& fields, int vertex, int k) {
  return fields.value[at(vertex) * at(fields.count) + at(k)];
}

// Vertices of the octahedron's middle and its six corners on the axes weigh as the inverse squares of their distances,
// since the second differences along the axes add up to zero.
TEST(HarmonicFields, OfAnOctahedronsMiddleAreKnown) {
  const Vec3 half{1, 2, 0.5};
  TetrahedralMesh mesh{{{0, 0, 0}}, {}};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const double side : {-1, 1}) {
      Vec3 corner;
      corner[axis] = side * half[axis];
      mesh.positions.push_back(corner);
    }
  for (const int x : {1, 2})
    for (const int y : {3, 4})
      for (const int z : {5, 6}) {
        Tetrahedron t{0, x, y, z};
        const auto p = [&](std::size_t k) { return mesh.positions[at(t[k])]; };
        if (volume(p(0), p(1), p(2), p(3)) < 0) std::swap(t[1], t[2]);
        mesh.tetrahedra.push_back(t);
      }
  const std::vector<int> boundary{1, 2, 3, 4, 5, 6};
  const HarmonicFields fields = harmonic_fields(mesh, boundary, 21);
  ASSERT_EQ(fields.value.size(), 7u * 21u);
  for (int k = 0; k < 21; ++k) {
    double sum = 0, weights = 0, square = 0;
    for (const int v : boundary) {
      const double weight = 1 / squared_norm(mesh.positions[at(v)]);
      sum += weight * field(fields, v, k);
      weights += weight;
      square += field(fields, v, k) * field(fields, v, k);
    }
    EXPECT_NEAR(field(fields, 0, k), sum / weights, 1e-13);
    EXPECT_NEAR(square / 6, 1, 1e-12);
  }
}

// Each inner value is the mean of those around it, by the cotangents of the dihedral angles: the Laplacian of linear
// elements in another form.
TEST(HarmonicFields, AreHarmonicInside) {
  const TetrahedralMesh mesh = test::perturbed_unit_cells({4, 4, 5}, 0.15, 6).mesh;
  const test::Inside parts = test::inside_of(mesh);
  const HarmonicFields fields = harmonic_fields(mesh, parts.boundary, 5);
  std::vector<double> rest(mesh.positions.size() * 5), size(rest.size());
  for (const Tetrahedron& t : mesh.tetrahedra)
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) {
        if (i == j) continue;
        std::array<std::size_t, 2> other{};
        for (std::size_t k = 0, n = 0; k < 4; ++k)
          if (k != i && k != j) other[n++] = k;
        const auto p = [&](std::size_t k) { return mesh.positions[at(t[k])]; };
        const Vec3 edge = p(other[1]) - p(other[0]);
        const Vec3 one = cross(edge, p(i) - p(other[0])), two = cross(edge, p(j) - p(other[0]));
        const double weight = norm(edge) * dot(one, two) / norm(cross(one, two)) / 6;
        for (int k = 0; k < 5; ++k) {
          const double term = weight * (field(fields, t[j], k) - field(fields, t[i], k));
          rest[at(t[i]) * 5 + at(k)] += term;
          size[at(t[i]) * 5 + at(k)] += std::abs(term);
        }
      }
  for (const int v : parts.interior)
    for (std::size_t k = 0; k < 5; ++k) EXPECT_LT(std::abs(rest[at(v) * 5 + k]), 1e-11 * size[at(v) * 5 + k]);
}

TEST(HarmonicFields, AreSmoothByTurns) {
  const TetrahedralMesh mesh = test::lattice_block({8, 8, 8}, {8, 8, 8});
  const test::Inside parts = test::inside_of(mesh);
  const HarmonicFields fields = harmonic_fields(mesh, parts.boundary, 12);
  std::array<double, 12> difference{};
  for (const Triangle& t : boundary_surface(mesh).triangles)
    for (std::size_t k = 0; k < 12; ++k) {
      const double d = field(fields, t[0], static_cast<int>(k)) - field(fields, t[1], static_cast<int>(k));
      difference[k] += d * d;
    }
  for (std::size_t k = 0; k < 12; k += 3) {
    EXPECT_LT(difference[k + 1], difference[k] / 2);
    EXPECT_LT(difference[k + 2], difference[k + 1] / 2);
  }
}

TEST(HarmonicFields, AreTheSameForAnyNumberOfThreads) {
  const TetrahedralMesh mesh = test::lattice_block({6, 5, 5}, {6, 5, 5});
  const test::Inside parts = test::inside_of(mesh);
  test::expect_same_bits([&] { return harmonic_fields(mesh, parts.boundary, 40).value; });
}

}  // namespace
}  // namespace sinew
