// Equilibria of the nonlinear energy on lattices: an exact solution and its order of convergence, and a cantilever that
// bends far, against CalculiX.
#include "studies/reference/nonlinear_equilibrium.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <numbers>
#include <optional>

#include "sinew/base/error.h"
#include "sinew/elastic/shared_strain.h"
#include "studies/reference/quartic_potential.h"
#include "studies/reference/static_equilibrium.h"
#include "tests/elastic/basis_samples.h"
#include "tests/elastic/calculix.h"
#include "tests/elastic/finite_differences.h"

namespace sinew {
namespace {

using test::at;
using test::LatticeBody;

constexpr double length = 1.0;  // metres, along x

// Of square section, its cells cubes.
LatticeBody beam(int cells, int level, const Material& material) {
  return test::lattice_body(test::box_lattice({cells, 1, 1}, {length, length / cells, length / cells}),
                            SubdivisionScheme::trilinear, test::LatticeBasis::nodal, level, level + 1, material);
}

std::vector<int> root(const LatticeBody& body) {
  std::vector<int> held;
  for (int i = 0; i < body.count(); ++i)
    if (body.rest(i).x < 1e-9) held.push_back(i);
  return held;
}

// Generalised forces of a traction (newtons per square metre, of the place) on the end at x = length: exact for
// tractions that are linear, and functions that are so on each triangle.
template <class Traction>
std::vector<Vec3> end_load(const LatticeBody& body, const Traction& traction) {
  std::vector<Vec3> forces(at(body.count()));
  for (const Tetrahedron& t : body.mesh.tetrahedra) {
    std::vector<int> face;
    for (const int v : t)
      if (body.mesh.positions[at(v)].x > length - 1e-9) face.push_back(v);
    if (face.size() != 3) continue;
    const auto x = [&](std::size_t corner) { return body.mesh.positions[at(face[corner])]; };
    const double area = 0.5 * norm(cross(x(1) - x(0), x(2) - x(0)));
    for (std::size_t a = 0; a < 3; ++a) {
      Vec3 share;  // int traction lambda_a dA, int lambda_a lambda_b dA = A / 12 (1 + delta_ab)
      for (std::size_t b = 0; b < 3; ++b) share += traction(x(b)) * (area / (a == b ? 6 : 12));
      for (int k = body.basis.start[at(face[a])]; k < body.basis.start[at(face[a]) + 1]; ++k)
        forces[at(body.basis.column[at(k)])] += share * body.basis.value[at(k)];
    }
  }
  return forces;
}

Vec3 place_of(const LatticeBody& body, const std::vector<Vec3>& q, const Vec3& x) {
  std::size_t nearest = 0;
  for (std::size_t v = 0; v < body.mesh.positions.size(); ++v)
    if (distance(body.mesh.positions[v], x) < distance(body.mesh.positions[nearest], x)) nearest = v;
  Vec3 sum;
  for (int k = body.basis.start[nearest]; k < body.basis.start[nearest + 1]; ++k)
    sum += q[at(body.basis.column[at(k)])] * body.basis.value[at(k)];
  return sum;
}

// Saint-Venant's pure bending by the curvature k about z, an exact solution of the small strain equations:
//   d = k (-x y', (x^2 + nu (y'^2 - z'^2)) / 2, nu y' z'),  y' and z' from the axis,
// under the traction -E k y' along x at the end. The root is prescribed as it bends there, the rest follows. The
// curvature is so small that what is nonlinear is far below the error of the lattice.
TEST(NonlinearEquilibrium, PureBendingConvergesAtSecondOrder) {
  const Material material{1e6, 0.3, 1000};
  constexpr double curvature = 1e-5, depth = length / 4, width = depth;
  const auto exact = [&](const Vec3& x) {
    const double y = x.y - depth / 2, z = x.z - width / 2;
    return curvature * Vec3{-x.x * y, 0.5 * (x.x * x.x + material.poisson * (y * y - z * z)), material.poisson * y * z};
  };
  const Vec3 tip{length, depth / 2, width / 2};
  std::vector<double> error, excess;
  for (int level = 0; level <= 3; ++level) {
    const LatticeBody body = beam(4, level, material);
    QuarticPotential potential(body.samples, body.count());
    std::vector<Vec3> start(at(body.count()));
    const std::vector<int> held = root(body);
    for (const int i : held) start[at(i)] = exact(body.rest(i));
    const auto load = end_load(body, [&](const Vec3& x) {
      return Vec3{-material.young * curvature * (x.y - depth / 2), 0, 0};
    });
    const NonlinearEquilibrium found = nonlinear_equilibrium(potential, start, load, held);
    error.push_back(norm(place_of(body, found.q, tip) - exact(tip)) / norm(exact(tip)));
    // Too stiff by this share.
    excess.push_back(exact(tip).y / place_of(body, found.q, tip).y - 1);
    std::cout << "level " << level << ": error of the tip " << 100 * error.back() << " %, too stiff by "
              << 100 * excess.back() << " %\n";
    EXPECT_LE(found.residual, 1e-8);
    EXPECT_LE(found.iterations, 4);
  }
  for (std::size_t level = 1; level < error.size(); ++level) {
    EXPECT_NEAR(std::log2(excess[level - 1] / excess[level]), 2, 0.05);
    EXPECT_LT(error[level], error[level - 1]);
  }
  EXPECT_NEAR(std::log2(error[2] / error[3]), 2, 0.15);
  EXPECT_LT(error[3], 0.025);
}

constexpr double depth = 0.1, width = 0.1;  // of the beams below, metres, along y and z

// CalculiX, quadratic tetrahedra with Green's strain (NLGEOM), of the same material: linear in Green's strain. Nothing
// where the program is missing.
std::optional<Vec3> calculix_tip(const Material& material, double force, std::array<int, 3> cells) {
  const test::Block body = test::block(cells, {length, depth, width});
  std::map<std::array<int, 2>, int> midside;
  test::CalculixModel model = test::ten_node_model(body.mesh, midside);
  model.nonlinear = true;
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    if (model.nodes[n].x < 1e-9) model.held.push_back(static_cast<int>(n));
  // Of a uniform load on six nodes the corners carry nothing.
  std::size_t faces = 0;
  for (const int pass : {0, 1})
    for (const Tetrahedron& t : body.mesh.tetrahedra) {
      std::vector<int> face;
      for (const int v : t)
        if (body.mesh.positions[at(v)].x > length - 1e-9) face.push_back(v);
      if (face.size() != 3) continue;
      if (pass == 0) ++faces;
      for (std::size_t c = 0; pass == 1 && c < 3; ++c) {
        const int a = face[c], b = face[(c + 1) % 3];
        model.forces[at(midside.at({std::min(a, b), std::max(a, b)}))].y -= force / (3.0 * static_cast<double>(faces));
      }
    }
  model.watched = body.vertex(cells[0], cells[1] / 2, cells[2] / 2);
  const auto folder = std::filesystem::temp_directory_path() / ("sinew_nonlinear_" + std::to_string(::getpid()));
  const auto result = test::run_calculix(model, material, folder);
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  EXPECT_TRUE(result) << "CalculiX failed";
  if (!result) return std::nullopt;
  return result->displacement;
}

// Computed by CalculiX 2.20 on 40 x 4 x 4 x 6 quadratic tetrahedra (calculix_tip), metres.
constexpr Vec3 calculix_fine{-0.2571231, -0.6071399, 0};

// P L^2 / E I = 3: the tip goes down by 0.6 of the length, and turns by 60 degrees. Each level starts from the one
// before, carried to its functions.
TEST(NonlinearEquilibrium, ACantileverThatBendsFarAgreesWithCalculix) {
  const Material material{1e6, 0.3, 1000};
  const double force = 3 * material.young * width * std::pow(depth, 3) / 12 / (length * length);
  // What is left to run here takes an eighth of the elements of the reference.
  const Vec3 reference = calculix_fine;
  if (test::calculix_is_there()) {
    const auto coarse = calculix_tip(material, force, {20, 2, 2});
    ASSERT_TRUE(coarse);
    EXPECT_LT(distance(*coarse, reference), 0.003 * norm(reference));
  } else {
    std::cout << "skipped: no program ccx (package calculix-ccx); compared with its figures all the same\n";
  }
  std::vector<Vec3> q;
  std::vector<double> error;
  for (int level = 0; level <= 3; ++level) {
    const LatticeBody body = beam(10, level, material);
    std::vector<Vec3> start(at(body.count()));
    if (level > 0) multiply(body.lattice.refine[at(level) - 1], q, start);
    QuarticPotential potential(body.samples, body.count());
    const auto load = end_load(body, [&](const Vec3&) { return Vec3{0, -force / (depth * width), 0}; });
    const NonlinearEquilibrium found = nonlinear_equilibrium(potential, start, load, root(body));
    q = found.q;
    const Vec3 tip = place_of(body, q, {length, depth / 2, width / 2});
    error.push_back(norm(tip - reference) / norm(reference));
    std::cout << "level " << level << ": tip " << tip.x << ", " << tip.y << ", error " << 100 * error.back() << " %, "
              << found.iterations << " iterations\n";
    EXPECT_LE(found.iterations, 15);
  }
  EXPECT_LT(error[3], 0.02);
  EXPECT_NEAR(std::log2(error[2] / error[3]), 2, 0.15);
}

// Half of each cell's shear measured as its mean, and all of its change of volume: what locks trilinear functions is
// gone.
TEST(NonlinearEquilibrium, SharedStrainsReachTheSameWithASixthOfTheFunctions) {
  const Material material{1e6, 0.3, 1000};
  const double force = 3 * material.young * width * std::pow(depth, 3) / 12 / (length * length);
  std::vector<Vec3> q;
  double error = 0;
  for (int level = 0; level <= 2; ++level) {
    const LatticeBody body = beam(10, level, material);
    const int parts = 1 << level;
    std::vector<int> cell;
    for (const Tetrahedron& t : body.mesh.tetrahedra) {
      Vec3 centre;
      for (const int v : t) centre += body.mesh.positions[at(v)] * (0.25 * parts / depth);
      cell.push_back((static_cast<int>(centre.x) * parts + static_cast<int>(centre.y)) * parts +
                     static_cast<int>(centre.z));
    }
    const StrainSamples samples = share_strain(body.samples, cell, 0.5);
    GreenStrainEnergy energy(samples, body.count());
    std::vector<Vec3> start(at(body.count()));
    if (level > 0) multiply(body.lattice.refine[at(level) - 1], q, start);
    const auto load = end_load(body, [&](const Vec3&) { return Vec3{0, -force / (depth * width), 0}; });
    q = nonlinear_equilibrium(energy, start, load, root(body)).q;
    const Vec3 tip = place_of(body, q, {length, depth / 2, width / 2});
    error = distance(tip, calculix_fine) / norm(calculix_fine);
    std::cout << "level " << level << ": error " << 100 * error << " %\n";
  }
  EXPECT_LT(error, 0.01);
}

// The co-rotated energy has the same equilibrium where strains are small, however far the body turns: an independent
// implementation, on the same samples.
TEST(NonlinearEquilibrium, AgreesWithTheCorotatedEnergyWhereStrainsAreSmall) {
  const Material material{1e6, 0.3, 1000};
  const LatticeBody body = beam(24, 0, material);
  const double side = length / 24, force = 3 * material.young * std::pow(side, 4) / 12 / (length * length);
  const auto load = end_load(body, [&](const Vec3&) { return Vec3{0, -force / (side * side), 0}; });
  QuarticPotential potential(body.samples, body.count());
  const NonlinearEquilibrium found =
      nonlinear_equilibrium(potential, std::vector<Vec3>(at(body.count())), load, root(body));
  const Equilibrium corotated = static_equilibrium(body.samples, body.positions, load, root(body), {1e-8, 500});
  double far = 0, apart = 0;
  for (int i = 0; i < body.count(); ++i) {
    far = std::max(far, norm(found.q[at(i)]));
    apart = std::max(apart, distance(body.rest(i) + found.q[at(i)], corotated.positions[at(i)]));
  }
  std::cout << "tip moves " << far << " m, the energies are apart by " << 100 * apart / far << " %\n";
  EXPECT_GT(far, 0.3);
  EXPECT_LT(apart, 0.01 * far);
}

TEST(NonlinearEquilibrium, TheForcesBalanceAndDoNotDependOnHowTheEnergyIsEvaluated) {
  const LatticeBody body = beam(4, 1, {1e4, 0.45, 1000});
  std::vector<Vec3> start(at(body.count()));
  const std::vector<int> held = root(body);
  for (const int i : held) start[at(i)] = {0.02, 0.3 * (body.rest(i).z - 0.125), -0.3 * (body.rest(i).y - 0.125)};
  const auto load = end_load(body, [](const Vec3& x) { return Vec3{200, 1000 * x.z, 0}; });
  QuarticPotential tensors(body.samples, body.count(), QuarticEvaluation::tensors);
  GreenStrainEnergy quadrature(body.samples, body.count());
  const NonlinearEquilibrium a = nonlinear_equilibrium(tensors, start, load, held);
  const NonlinearEquilibrium b = nonlinear_equilibrium(quadrature, start, load, held);
  for (int i = 0; i < body.count(); ++i) EXPECT_LT(distance(a.q[at(i)], b.q[at(i)]), 1e-8);
  for (const int i : held) EXPECT_EQ(a.q[at(i)], start[at(i)]);
  std::vector<Vec3> gradient(start.size());
  quadrature.gradient(a.q, gradient);
  std::vector<char> is_held(start.size(), 0);
  for (const int i : held) is_held[at(i)] = 1;
  Vec3 supports, loads;
  for (std::size_t i = 0; i < gradient.size(); ++i) {
    loads += load[i];
    if (is_held[i])
      supports += gradient[i] - load[i];
    else
      EXPECT_LT(norm(gradient[i] - load[i]), 1e-6);
  }
  EXPECT_LT(norm(supports + loads), 1e-7 * norm(loads));
}

// Pressed on its end beyond what a column carries, the straight state is a saddle: a slight push to the side takes it
// away, through states where the Hessian is indefinite. The elastica of 1.884 times Euler's load has its end turned by
// 120 degrees, at 0.123 and 0.803 of its length (Timoshenko and Gere 1961, table 2-4). How stiff the lattice is
// in bending is measured by a slight load first; strains reach 0.1, of which the elastica knows nothing.
TEST(NonlinearEquilibrium, AColumnBuckles) {
  const Material material{1e6, 0.3, 1000};
  const LatticeBody body = beam(20, 1, material);
  const double side = length / 20;
  QuarticPotential potential(body.samples, body.count());
  const std::vector<Vec3> rest(at(body.count()));
  const Vec3 end{length, side / 2, side / 2};
  const auto equilibrium = [&](const Vec3& force) {
    const auto load = end_load(body, [&](const Vec3&) { return force / (side * side); });
    return nonlinear_equilibrium(potential, rest, load, root(body));
  };
  const double slight = 1e-6;
  const double bending = slight * std::pow(length, 3) / (3 * place_of(body, equilibrium({0, slight, 0}).q, end).y);
  const double critical = std::pow(std::numbers::pi, 2) * bending / (4 * length * length);
  for (const double factor : {0.3, 1.884}) {
    const double force = factor * critical;
    const NonlinearEquilibrium found = equilibrium({-force, 1e-2 * force, 0});
    const Vec3 tip = place_of(body, found.q, end);
    std::cout << factor << " of Euler's load: tip " << tip.x << ", " << tip.y << "; " << found.iterations << " steps, "
              << found.factorizations << " factorisations\n";
    if (factor < 1) {
      EXPECT_LT(norm(tip), 0.01);
    } else {
      EXPECT_LT(distance(tip, {0.123 - 1, 0.803, 0}), 0.02);
      EXPECT_GT(found.factorizations, found.iterations);
    }
    const Eigen::MatrixXd hessian = test::hessian_of(potential, found.q);
    std::vector<int> free;
    for (int i = 0; i < body.count(); ++i)
      if (body.rest(i).x > 1e-9)
        for (int c = 0; c < 3; ++c) free.push_back(3 * i + c);
    EXPECT_EQ(Eigen::LLT<Eigen::MatrixXd>(hessian(free, free)).info(), Eigen::Success);  // a minimum
  }
}

TEST(NonlinearEquilibrium, WhatCannotBeFoundIsAnError) {
  const LatticeBody body = beam(4, 0, {1e4, 0.45, 1000});
  QuarticPotential potential(body.samples, body.count());
  const std::vector<Vec3> start(at(body.count())), load = end_load(body, [](const Vec3&) { return Vec3{200, 0, 0}; });
  EXPECT_THROW(nonlinear_equilibrium(potential, start, load, {}), Error);  // loose
  const std::vector<int> beyond{body.count()};
  EXPECT_THROW(nonlinear_equilibrium(potential, start, load, beyond), Error);
  EXPECT_THROW(nonlinear_equilibrium(potential, start, std::vector<Vec3>(3), root(body)), Error);
  EXPECT_THROW(nonlinear_equilibrium(potential, start, load, root(body), {1e-8, 1}), Error);
  std::vector<Vec3> broken = load;
  broken[5].y = std::nan("");
  EXPECT_THROW(nonlinear_equilibrium(potential, start, broken, root(body)), Error);
}

}  // namespace
}  // namespace sinew
