// Conjugate gradients on the condensed system: the kernels against plain loops, solutions against direct ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/deform/mixed/condensed_matrix.h"
#include "sinew/deform/mixed/mixed_elements.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "sinew/deform/mixed/volume_gradients.h"
#include "sinew/deform/mixed/volume_rows.h"
#include "tests/deform/mixed/mixed_bodies.h"

namespace sinew {
namespace {

using test::at;

using test::shared;

MixedBody uneven_body(const TetrahedralMesh& mesh, MixedMaterial material, Element element = Element::linear,
                      double skew_share = 1) {
  return mixed_body(mesh.positions, test::uneven_samples(mesh, element, 0.45), stretch_energy(material),
                    test::some_pins(mesh), {skew_share});
}

double length(std::span<const double> a) { return std::sqrt(std::inner_product(a.begin(), a.end(), a.begin(), 0.0)); }

std::vector<double> noise(std::size_t count, std::uint64_t seed) {
  test::Noise number(seed);
  std::vector<double> values(count);
  for (double& v : values) v = number();
  return values;
}

std::size_t unsigned_of(int number) { return static_cast<std::size_t>(number); }

void plain_volume_change(const VolumeRows& rows, std::span<const double> u, std::size_t begin, std::size_t end,
                         std::span<double> change) {
  for (std::size_t r = begin; r < end; ++r) {
    double sum = 0;
    for (std::size_t e = unsigned_of(rows.row_start[r]); e < unsigned_of(rows.row_start[r + 1]); ++e) {
      const double* at = &u[3 * unsigned_of(rows.vertex[e])];
      const VolumeEntry& entry = rows.by_row[e];
      sum += double{entry.x} * at[0] + double{entry.y} * at[1] + double{entry.z} * at[2];
    }
    change[r] = sum;
  }
}

void add_plain_volume_forces(const VolumeRows& rows, std::span<const double> tension, std::size_t begin,
                             std::size_t end, std::span<double> force) {
  for (std::size_t v = begin; v < end; ++v)
    for (std::size_t item = unsigned_of(rows.vertex_start[v]); item < unsigned_of(rows.vertex_start[v + 1]); ++item) {
      const VolumeEntry& entry = rows.by_vertex[item];
      const double factor = tension[unsigned_of(rows.row[item])];
      force[3 * v] += double{entry.x} * factor;
      force[3 * v + 1] += double{entry.y} * factor;
      force[3 * v + 2] += double{entry.z} * factor;
    }
}

TEST(VolumeRows, KernelsAgreeWithPlainLoops) {
  for (const Element element : {Element::linear, Element::patch}) {
    const TetrahedralMesh mesh = test::irregular_block({4, 3, 3}, 3);
    const MixedBody body = uneven_body(mesh, MixedMaterial::corotated, element);
    VolumeRows rows = volume_rows(body, body.samples.lambda);
    ASSERT_EQ(rows.rows(), body.samples.size());
    turn_volume_rows(body, test::random_rotations(body.samples.size(), 3, 5), rows);
    const std::size_t n = 3 * body.free.vertex.size();
    const std::vector<double> u = noise(n + 1, 7), tension = noise(rows.rows(), 9);
    std::vector<double> change(rows.rows()), plain_change(rows.rows()), force = noise(n, 11), plain_force = force;
    volume_change(rows, u, 0, rows.rows(), change);
    plain_volume_change(rows, u, 0, rows.rows(), plain_change);
    add_volume_forces(rows, tension, 0, n / 3, force);
    add_plain_volume_forces(rows, tension, 0, n / 3, plain_force);
    for (std::size_t r = 0; r < change.size(); ++r) EXPECT_NEAR(change[r], plain_change[r], 1e-12);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(force[i], plain_force[i], 1e-12);
  }
}

// L (x) 1 + D^T C D is the condensed matrix as it is assembled from its blocks, to the single precision of D.
TEST(VolumeRows, MakeTheCondensedMatrixOfPoissonsAndTheVolumePart) {
  for (const Element element : {Element::linear, Element::patch}) {
    const TetrahedralMesh mesh = test::irregular_block({4, 3, 3}, 3);
    const MixedBody body = uneven_body(mesh, MixedMaterial::corotated, element);
    const std::vector<Mat3> rotations = test::random_rotations(body.samples.size(), 3, 5);
    const auto moduli = volume_moduli(body);
    ASSERT_TRUE(moduli);
    for (std::size_t s = 0; s < moduli->size(); ++s) EXPECT_NEAR((*moduli)[s], body.samples.lambda[s], 1e-12);
    MaterialResponse response;
    material_response(body, std::vector<Mandel>(body.samples.size(), Mandel::identity()), response);
    BlockMatrix matrix = condensed_pattern(body);
    assemble_condensed(body, rotations, response.hessian, matrix);
    VolumeRows rows = volume_rows(body, *moduli);
    turn_volume_rows(body, rotations, rows);

    const std::size_t n = 3 * body.free.vertex.size();
    const std::vector<double> u = noise(n + 1, 13);
    std::vector<double> whole(n), parts(n), change(rows.rows());
    multiply(matrix, std::span(u).first(n), whole);
    multiply(poisson_matrix(body), std::span(u).first(n), parts, 3);
    volume_change(rows, u, 0, rows.rows(), change);
    for (std::size_t r = 0; r < rows.rows(); ++r) change[r] *= rows.weight[r];
    add_volume_forces(rows, change, 0, n / 3, parts);
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(whole[i], parts[i], 1e-6 * length(whole));
  }
}

// All materials are quadratic about S = I with these moduli; a body with other resistance to skew has no such form.
TEST(VolumeRows, AreThereForEveryMaterialAboutTheRestStretch) {
  const TetrahedralMesh mesh = test::irregular_block({2, 2, 2}, 3);
  for (const MixedMaterial material : test::all_mixed_materials) {
    EXPECT_TRUE(volume_moduli(uneven_body(mesh, material)));
    EXPECT_FALSE(volume_moduli(uneven_body(mesh, material, Element::linear, 0.5)));
  }
}

// A bar whose far half is bent by `degrees`; one of two rotations in each element.
struct Bend {
  std::shared_ptr<const MixedBody> body;
  test::OwnedLoad load;
};
Bend bent_bar(std::array<int, 3> cells, MixedMaterial material, double poisson, double degrees,
              Element element = Element::linear, double skew_share = 1) {
  const test::Block bar = test::block(cells, {4, 1, 1});
  const Vec3 joint{2, 0.5, 0.5};
  const Mat3 q = to_matrix(axis_angle({0, 0, 1}, degrees * 3.14159265358979 / 180));
  MixedPins pins;
  const int j = cells[1] / 2, k = cells[2] / 2;
  for (const int i : {0, cells[0] / 4, 3 * cells[0] / 4, cells[0]}) pins.held.push_back(bar.vertex(i, j, k));
  ElementFields fields;
  fields.material = {3e4, poisson, 1000};
  Bend bend{shared(mixed_body(bar.mesh.positions, strain_samples(bar.mesh, element, fields), stretch_energy(material),
                              pins, {skew_share})),
            {}};
  const StrainSamples& samples = bend.body->samples;
  for (std::size_t s = 0; s < samples.size(); ++s) {
    double x = 0;
    const int count = samples.start[s + 1] - samples.start[s];
    for (int e = samples.start[s]; e < samples.start[s + 1]; ++e)
      x += bar.mesh.positions[at(samples.vertex[at(e)])].x / count;
    bend.load.rotations.push_back(x < 2 ? Mat3::identity() : q);
  }
  bend.load.held = test::at_rest(bar.mesh.positions, pins.held);
  for (std::size_t p = 2; p < 4; ++p) bend.load.held[p] = q * (bend.load.held[p] - joint) + joint;
  return bend;
}

double residual_of(const Bend& bend, std::span<const Vec3> positions) {
  const std::vector<Mandel> identity(bend.body->samples.size(), Mandel::identity());
  MaterialResponse response;
  material_response(*bend.body, identity, response);
  return length(residual_forces(*bend.body, bend.load.load(), positions,
                                linearized_stresses(*bend.body, bend.load.rotations, positions, identity, response)));
}

// The residual is what was asked for, of the system itself and not of a recurrence, down to rounding.
TEST(MixedIterations, ReachTheResidualAskedFor) {
  for (const Element element : {Element::linear, Element::patch}) {
    const Bend bend = bent_bar({12, 3, 3}, MixedMaterial::corotated, 0.45, 90, element);
    const Bend arap = bent_bar({12, 3, 3}, MixedMaterial::arap, 0.45, 90);
    std::vector<Vec3> exact, start, positions;
    MixedSolver(bend.body, test::direct).solve(bend.load.load(), exact);
    if (element == Element::linear) MixedSolver(arap.body).solve(arap.load.load(), start);
    for (const double tolerance : {1e-2, 1e-4, 1e-7, 1e-10}) {
      const MixedSolverOptions options{1e-8, 100, MixedLinearSolver::iterative, tolerance};
      const MixedStatistics statistics = MixedSolver(bend.body, options).solve(bend.load.load(), positions);
      EXPECT_EQ(statistics.solves, 1);
      EXPECT_GT(statistics.iterations, 0);
      EXPECT_LE(statistics.residual, tolerance);
      EXPECT_LT(test::largest_difference(positions, exact), 10 * tolerance);
      if (element == Element::linear) {
        const double scale = residual_of(bend, start);
        EXPECT_NEAR(residual_of(bend, positions), statistics.residual * scale, 0.01 * tolerance * scale);
      }
    }
  }
}

// The condition number is bounded by (16) for any mesh and pose: so are iterations.
TEST(MixedIterations, DoNotGrowWithTheMeshOrThePose) {
  for (const int across : {3, 6, 9})
    for (const double degrees : {30.0, 90.0, 150.0}) {
      const Bend bend = bent_bar({4 * across, across, across}, MixedMaterial::corotated, 0.45, degrees);
      std::vector<Vec3> positions;
      EXPECT_LE(MixedSolver(bend.body).solve(bend.load.load(), positions).iterations, 18);
    }
}

// Other resistance to skew, other materials: the assembled matrix, with the same preconditioner.
TEST(MixedIterations, AgreeWithDirectSolutions) {
  for (const MixedMaterial material : test::all_mixed_materials)
    for (const double skew_share : {1.0, 0.3, 0.0}) {
      SCOPED_TRACE(testing::Message() << "material " << static_cast<int>(material) << ", kappa / mu " << skew_share);
      const Bend bend = bent_bar({12, 3, 3}, material, 0.45, 40, Element::linear, skew_share);
      std::vector<Vec3> direct, iterated;
      MixedSolver(bend.body, test::direct).solve(bend.load.load(), direct);
      const MixedSolverOptions options{1e-8, 100, MixedLinearSolver::iterative, 1e-9};
      const MixedStatistics statistics = MixedSolver(bend.body, options).solve(bend.load.load(), iterated);
      EXPECT_LT(test::largest_difference(direct, iterated), 1e-6);
      EXPECT_EQ(statistics.iterations > 0, skew_share > 0 && !condenses_to_poisson(*bend.body));
    }
}

// Frames of a bend, one after another: fewer iterations, the same positions to tolerance, the same bits for the same
// poses in a row, and nothing of what came before the range.
TEST(MixedIterations, MayStartFromThePoseBefore) {
  MixedSolverOptions options;
  options.start_from_last_pose = true;
  const Bend first = bent_bar({24, 6, 6}, MixedMaterial::corotated, 0.45, 60);
  MixedSolver alone(first.body), chained(first.body, options), again(first.body, options);
  std::vector<Vec3> a, b, c;
  again.solve(bent_bar({24, 6, 6}, MixedMaterial::corotated, 0.45, 150).load.load(), c);
  again.forget_last_pose();
  int iterations = 0, chained_iterations = 0;
  for (int frame = 0; frame < 8; ++frame) {
    const Bend bend = bent_bar({24, 6, 6}, MixedMaterial::corotated, 0.45, 60 + 3 * frame);
    const MixedStatistics fresh = alone.solve(bend.load.load(), a), next = chained.solve(bend.load.load(), b);
    again.solve(bend.load.load(), c);
    EXPECT_EQ(b, c);
    EXPECT_LE(next.residual, options.linear_tolerance);
    EXPECT_LT(test::largest_difference(a, b), 2e-4);
    if (frame == 0) {
      EXPECT_EQ(a, b);
      continue;
    }
    iterations += fresh.iterations;
    chained_iterations += next.iterations;
  }
  EXPECT_LT(chained_iterations, 0.8 * iterations);
  // Rest after all that is rest.
  chained.solve(test::rigid_load(*first.body, {}).load(), b);
  EXPECT_EQ(b, first.body->rest);
}

TEST(MixedIterations, DoNotDependOnTheNumberOfThreads) {
  const Bend bend = bent_bar({24, 6, 6}, MixedMaterial::corotated, 0.45, 90);
  std::vector<Vec3> one, many;
  set_thread_count(1);
  MixedSolver(bend.body).solve(bend.load.load(), one);
  set_thread_count(4);
  MixedSolver(bend.body).solve(bend.load.load(), many);
  set_thread_count(0);
  EXPECT_EQ(one, many);
}

}  // namespace
}  // namespace sinew
