// Bodies in control lattices for tests: a bar with two bones.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/linalg/rotation.h"
#include "sinew/mesh/control_lattice/point_values.h"

namespace sinew::test {

inline constexpr double bar_length = 0.6, bar_width = 0.1;

// `along` hexahedra along x, two by two across; its axis y = z = 0 is two bones, "near" and "far", that meet half way.
inline ControlLattice lattice_bar(int along = 6) {
  ControlLattice lattice;
  const auto at = [](int i, int j, int k) { return (i * 3 + j) * 3 + k; };
  for (int i = 0; i <= along; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k)
        lattice.positions.push_back({bar_length * i / along, 0.5 * bar_width * (j - 1), 0.5 * bar_width * (k - 1)});
  for (int i = 0; i < along; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 2; ++k)
        add_hexahedron(lattice, {at(i, j, k), at(i + 1, j, k), at(i + 1, j + 1, k), at(i, j + 1, k), at(i, j, k + 1),
                                 at(i + 1, j, k + 1), at(i + 1, j + 1, k + 1), at(i, j + 1, k + 1)});
  lattice.bones = {{"near", {}}, {"far", {}}};
  for (int i = 0; i <= along; ++i) {
    if (2 * i <= along) lattice.bones[0].vertices.push_back(at(i, 1, 1));
    if (2 * i >= along) lattice.bones[1].vertices.push_back(at(i, 1, 1));
  }
  return lattice;
}

// Weights of the two bones, blended over a fifth of the bar.
inline Influences bar_influences(const Vec3& place) {
  const double t = std::clamp((place.x / bar_length - 0.4) / 0.2, 0.0, 1.0);
  Influences influences;
  for (const auto& [bone, weight] : {std::pair{0, 1 - t}, std::pair{1, t}}) {
    if (!(weight > 0)) continue;
    const auto slot = static_cast<std::size_t>(influences.count++);
    influences.joint[slot] = bone;
    influences.weight[slot] = weight;
  }
  if (influences.count == 2 && influences.weight[1] > influences.weight[0]) {
    std::swap(influences.weight[0], influences.weight[1]);
    std::swap(influences.joint[0], influences.joint[1]);
  }
  return influences;
}

struct LatticeBarOptions {
  SubdivisionScheme scheme = SubdivisionScheme::trilinear;
  int levels = 1, along = 6;
  LatticeReference reference = LatticeReference::rig;
  LatticeRun run;
  FleshDynamics dynamics;
  double young = 2e4, bone_hold = 1e6,  // without it flesh turns freely about a straight bone (section 5.3)
      mass_damping = 0, stiffness_damping = 0;
  bool share_volume = true;
};

// Comes to rest within a second or so.
inline LatticeBarOptions damped_bar(LatticeReference reference, Linearization linearization = Linearization::warped,
                                    Warping warping = Warping::element, int levels = 1) {
  LatticeBarOptions options;
  options.reference = reference;
  options.run.linearization = linearization;
  options.run.warping = warping;
  options.levels = levels;
  options.mass_damping = 20;
  options.stiffness_damping = 0.002;
  return options;
}

// Returns the options with true elasticity, each step solved to convergence.
inline LatticeBarOptions converged_tissue(LatticeBarOptions options) {
  TissueStep& how = options.run.nonlinear.emplace();
  how.tolerance = 1e-6;
  how.precision = TissuePrecision::doubles;
  return options;
}

// `clamped`: nothing but the end face x = 0 is held, as one of the skeleton.
inline LatticeDescription lattice_bar_description(const LatticeBarOptions& options, bool clamped = false) {
  ControlLattice lattice = lattice_bar(options.along);
  if (clamped) lattice.bones = {{"near", {0, 1, 2, 5, 4, 3, 6, 7, 8}}};
  const LatticeGrid grid = lattice_grid(lattice, options.scheme, options.levels);
  const TetrahedralMesh& mesh = grid.tetrahedra.mesh;
  const std::size_t count = mesh.tetrahedra.size();
  LatticeFields fields;
  fields.fill.assign(count, 1.0);
  fields.young.assign(count, options.young);
  fields.density.assign(count, 1000.0);
  fields.bone_stiffness.assign(count, options.bone_hold);
  for (const Tetrahedron& t : mesh.tetrahedra) {
    Vec3 middle;
    for (int v : t) middle += 0.25 * mesh.positions[static_cast<std::size_t>(v)];
    fields.influences.push_back(bar_influences(middle));
  }
  LatticeOnBones on_bones{clamped ? std::vector<int>{0} : std::vector<int>{0, 1}, 2, {}};
  for (const Vec3& place : grid.places()) on_bones.influences.push_back(bar_influences(place));
  LatticeDescription description = describe_lattice(lattice, grid, fields, on_bones,
                                                    {.material = {options.young, 0.45, 1000},
                                                     .keep_samples = options.run.linearization == Linearization::none,
                                                     .keep_tissue = options.run.nonlinear.has_value(),
                                                     .share_volume = options.share_volume});
  for (std::size_t f = 0; clamped && f < description.role.size(); ++f)
    if (description.level[f] > 0 && description.place[f].x < 1e-9) description.role[f] = FunctionRole::zero;
  // The surface: the vertices of the finest level on the boundary.
  for (const Vec3& p : mesh.positions) {
    const bool outside = std::abs(std::abs(p.y) - 0.5 * bar_width) < 1e-9 ||
                         std::abs(std::abs(p.z) - 0.5 * bar_width) < 1e-9 || p.x < 1e-9 || p.x > bar_length - 1e-9;
    if (outside) description.surface_rest.push_back(p);
  }
  for (const Vec3& p : description.surface_rest) description.surface_influences.push_back(bar_influences(p));
  description.surface = point_values(embed_points(mesh, description.surface_rest), mesh, grid.values);
  description.mass_damping = options.mass_damping;
  description.stiffness_damping = options.stiffness_damping;
  return description;
}

inline std::shared_ptr<const LatticeBody> lattice_bar_body(const LatticeBarOptions& options) {
  return cook_lattice(lattice_bar_description(options), options.reference, options.run, options.dynamics);
}

// Both bones moved by `whole`; the far one turned besides about z, at the middle of the bar.
inline std::vector<Affine> bar_pose(double bend, const Affine& whole = {}) {
  Affine far;
  far.linear = to_matrix(axis_angle({0, 0, 1}, bend));
  const Vec3 joint{0.5 * bar_length, 0, 0};
  far.translation = joint - far.linear * joint;
  return {whole, whole * far};
}

inline Affine rigid_motion(const Vec3& axis, double angle, const Vec3& translation) {
  Affine a;
  a.linear = to_matrix(axis_angle(normalized(axis), angle));
  a.translation = translation;
  return a;
}

}  // namespace sinew::test
