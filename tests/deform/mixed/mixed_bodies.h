// Small bodies for the tests of mixed finite elements.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "sinew/deform/mixed/mixed_body.h"
#include "sinew/deform/mixed/mixed_solver.h"
#include "tests/elastic/blocks.h"

namespace sinew::test {

// Solutions to rounding, for comparisons: no iterations but Newton's.
inline constexpr MixedSolverOptions direct{1e-8, 100, MixedLinearSolver::direct};

inline constexpr MixedMaterial all_mixed_materials[] = {MixedMaterial::arap, MixedMaterial::corotated,
                                                        MixedMaterial::stable_neo_hookean,
                                                        MixedMaterial::st_venant_kirchhoff};

inline std::shared_ptr<const MixedBody> shared(MixedBody body) {
  return std::make_shared<const MixedBody>(std::move(body));
}

// A block of irregular tetrahedra.
inline TetrahedralMesh irregular_block(std::array<int, 3> cells, std::uint64_t seed) {
  TetrahedralMesh mesh = block(cells, {double(cells[0]), double(cells[1]), double(cells[2])}).mesh;
  Noise noise(seed);
  for (Vec3& p : mesh.positions) p += noise.vector() * 0.1;
  return mesh;
}

// Young's modulus from 1 to 3 pascals, a different one in each tetrahedron.
inline StrainSamples uneven_samples(const TetrahedralMesh& mesh, Element element, double poisson) {
  std::vector<double> young(mesh.tetrahedra.size());
  Noise noise(3);
  for (double& e : young) e = 2 + noise();
  ElementFields fields;
  fields.material.poisson = poisson;
  fields.young = young;
  return strain_samples(mesh, element, fields);
}

// Rotations without pattern, by up to `most` radians.
inline std::vector<Mat3> random_rotations(std::size_t count, double most, std::uint64_t seed) {
  std::vector<Mat3> rotations;
  Noise noise(seed);
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3 axis = normalized(noise.vector());
    rotations.push_back(to_matrix(axis_angle(axis, most * noise())));
  }
  return rotations;
}

// The corners of a face held, three vertices tied, one of them twice.
inline MixedPins some_pins(const TetrahedralMesh& mesh) {
  const Tetrahedron& first = mesh.tetrahedra.front();
  const Tetrahedron& last = mesh.tetrahedra.back();
  return {{first[0], first[1], first[2]}, {last[1], last[2], last[3], last[2]}, {0.7, 0.2, 1.5, 0.4}};
}

inline std::vector<Vec3> at_rest(const std::vector<Vec3>& rest, const std::vector<int>& vertices) {
  std::vector<Vec3> positions;
  for (const int v : vertices) positions.push_back(rest[at(v)]);
  return positions;
}

// A load and what its spans show.
struct OwnedLoad {
  std::vector<Mat3> rotations;
  std::vector<Vec3> held, tied, forces;

  MixedLoad load() const { return {rotations, held, tied, forces}; }
};

// Rotations, displaced pins and forces without pattern.
inline OwnedLoad random_load(const MixedBody& body, double angle, double displacement, std::uint64_t seed) {
  OwnedLoad load{random_rotations(body.samples.size(), angle, seed), at_rest(body.rest, body.pins.held),
                 at_rest(body.rest, body.pins.tied), std::vector<Vec3>(body.rest.size())};
  Noise noise(seed + 1);
  for (Vec3& p : load.held) p += noise.vector() * displacement;
  for (Vec3& p : load.tied) p += noise.vector() * displacement;
  for (Vec3& f : load.forces) f = noise.vector() * displacement;
  return load;
}

// The whole rig moved by `motion`.
inline OwnedLoad rigid_load(const MixedBody& body, const Affine& motion) {
  return {std::vector<Mat3>(body.samples.size(), motion.linear),
          mapped(at_rest(body.rest, body.pins.held), motion),
          mapped(at_rest(body.rest, body.pins.tied), motion),
          {}};
}

// The larger of the two; a number that is none does not get lost.
inline double worse(double a, double b) {
  return std::isfinite(a) && std::isfinite(b) ? std::max(a, b) : std::numeric_limits<double>::infinity();
}

inline double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = worse(most, distance(a[k], b[k]));
  return most;
}

}  // namespace sinew::test
