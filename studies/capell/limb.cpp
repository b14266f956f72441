#include "studies/capell/limb.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>

#include "sinew/base/stopwatch.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/deform/tetrahedra/elastic_reference.h"
#include "sinew/linalg/rotation.h"
#include "sinew/mesh/control_lattice/point_values.h"
#include "studies/capell/limb_lattice.h"
#include "studies/common/measures.h"
#include "studies/reference/static_equilibrium.h"

namespace sinew {
namespace {

constexpr Vec3 gravity{0, -9.81, 0};

Influences one_bone() {
  Influences influences;
  influences.count = 1;
  influences.weight[0] = 1;
  return influences;
}

EquilibriumOptions equilibrium_options() {
  EquilibriumOptions options;
  options.tolerance = 1e-4;
  return options;
}

// Times steps while the core swings by 20 degrees once per second.
void time_steps(BodyMotion& deformer, const LimbOptions& options, LimbRow& row) {
  const auto pose = [&](int step) {
    Affine bone;
    const double angle = 20 * std::numbers::pi / 180 * std::sin(2 * std::numbers::pi * step * options.step);
    bone.linear = to_matrix(axis_angle({0, 0, 1}, angle));
    return std::vector<Affine>{bone};
  };
  const std::vector<Affine> first = pose(0), second = pose(1);
  deformer.reset({0, first}, {options.step, second});
  std::vector<double> milliseconds;
  for (int step = 1; step <= options.steps; ++step) {
    const std::vector<Affine> bones = pose(step);
    Stopwatch watch;
    deformer.advance({step * options.step, bones});
    milliseconds.push_back(1e3 * watch.seconds());
    row.iterations += static_cast<double>(deformer.statistics().iterations) / options.steps;
  }
  row.milliseconds = median(milliseconds);
}

FleshDynamics dynamics_of(const LimbOptions& options) {
  FleshDynamics dynamics;
  dynamics.step = options.step;
  dynamics.factor_precision = FactorPrecision::half_precision;
  dynamics.static_precision = FactorPrecision::single_precision;
  return dynamics;
}

// Makes the wedges along the core move rigidly with it.
void hold_core_cells(const LatticeGrid& grid, const std::vector<char>& core_cell, LatticeDescription& description) {
  for (std::size_t t = 0; t < grid.cell.size(); ++t) {
    if (!core_cell[static_cast<std::size_t>(grid.cell[t])]) continue;
    for (const int v : grid.tetrahedra.mesh.tetrahedra[t]) {
      const auto f = static_cast<std::size_t>(v);
      if (f < description.role.size() && description.level[f] > 0) description.role[f] = FunctionRole::zero;
    }
  }
}

struct Solid {
  TetrahedralMesh mesh;
  std::vector<int> core;     // held vertices
  std::vector<double> fill;  // per tetrahedron, fraction inside the limb
  Vec3 tip;                  // point whose sag is measured
};

LimbRow tetrahedra_row(const Solid& solid, Element element, const LimbOptions& options) {
  LimbRow row;
  row.elements = static_cast<int>(solid.mesh.tetrahedra.size());
  row.unknowns = 3 * static_cast<int>(solid.mesh.positions.size() - solid.core.size());
  ElementFields fields;
  fields.material = options.material;
  fields.inside_fraction = solid.fill;
  std::vector<Vec3> weight;
  for (const double mass : lumped_mass(solid.mesh, fields)) weight.push_back(mass * gravity);
  const Equilibrium found = static_equilibrium(strain_samples(solid.mesh, element, fields), solid.mesh.positions,
                                               weight, solid.core, equilibrium_options());
  const Embedding embedding = embed_points(solid.mesh, std::vector<Vec3>{solid.tip});
  const EmbeddedPoint& tip = embedding.points.front();
  const Tetrahedron& corner = solid.mesh.tetrahedra[static_cast<std::size_t>(tip.tetrahedron)];
  row.sag = solid.tip.y;
  for (std::size_t k = 0; k < 4; ++k)
    row.sag -= tip.weights[k] * found.positions[static_cast<std::size_t>(corner[k])].y;
  FleshDescription description;
  description.mesh = solid.mesh;
  description.element = element;
  description.material = options.material;
  description.influences.assign(solid.mesh.positions.size(), one_bone());
  description.core.assign(solid.mesh.positions.size(), 0);
  for (const int v : solid.core) description.core[static_cast<std::size_t>(v)] = 1;
  description.young.assign(solid.mesh.tetrahedra.size(), options.material.young);
  description.inside_fraction = solid.fill;
  description.bone_stiffness.assign(solid.mesh.tetrahedra.size(), 0.0);
  description.embedding = embedding;
  const auto flesh = elastic_reference_flesh(cook_flesh(assemble_flesh(std::move(description)), dynamics_of(options)));
  time_steps(*flesh, options, row);
  return row;
}

std::string lattice_name(const LimbLatticeShape& shape) {
  std::string name = shape.basis == SubdivisionScheme::mlca ? "MLCA" : "trilinear";
  if (!shape.core_cells) name += ", core as stiff matter";
  if (!shape.share_volume) name += ", volume not shared";
  return name;
}

}  // namespace

LimbRow limb_of_tetrahedra(const LimbMesh& limb, Element element, const LimbOptions& options) {
  const std::vector<double> full(limb.mesh.tetrahedra.size(), 1.0);
  const Vec3 tip = limb.mesh.positions[static_cast<std::size_t>(limb.tip)];
  LimbRow row = tetrahedra_row({limb.mesh, limb.core, full, tip}, element, options);
  row.method = element == Element::linear ? "linear tetrahedra" : "patches of tetrahedra";
  return row;
}

LimbRow limb_in_cut_lattice(const LimbMesh& limb, const LimbLatticeShape& shape, const LimbOptions& options) {
  const LimbLattice made = limb_lattice(limb, shape);
  const LatticeGrid grid = lattice_grid(made.lattice, SubdivisionScheme::trilinear, 1);
  const LatticeFields fields = limb_fields(limb, made, grid, options.material);
  constexpr double least_fill = 0.05;
  Solid solid;
  solid.tip = limb.mesh.positions[static_cast<std::size_t>(limb.tip)];
  std::vector<int> number(grid.tetrahedra.mesh.positions.size(), -1);
  std::vector<char> held;
  for (std::size_t t = 0; t < grid.cell.size(); ++t) {
    if (!(fields.fill[t] > 0)) continue;
    Tetrahedron corners = grid.tetrahedra.mesh.tetrahedra[t];
    for (int& v : corners) {
      int& n = number[static_cast<std::size_t>(v)];
      if (n < 0) {
        n = static_cast<int>(solid.mesh.positions.size());
        solid.mesh.positions.push_back(grid.tetrahedra.mesh.positions[static_cast<std::size_t>(v)]);
        held.push_back(0);
      }
      held[static_cast<std::size_t>(n)] |= made.core_cell[static_cast<std::size_t>(grid.cell[t])];
      v = n;
    }
    solid.mesh.tetrahedra.push_back(corners);
    solid.fill.push_back(std::max(least_fill, fields.fill[t]));
  }
  for (std::size_t v = 0; v < held.size(); ++v)
    if (held[v]) solid.core.push_back(static_cast<int>(v));
  LimbRow row = tetrahedra_row(solid, Element::patch, options);
  row.method = "patches of tetrahedra, cut from cells";
  return row;
}

LimbRow limb_in_lattice(const LimbMesh& limb, const LimbLatticeShape& shape, const LimbOptions& options) {
  const LimbLattice made = limb_lattice(limb, shape);
  const LatticeGrid grid = lattice_grid(made.lattice, shape.basis, shape.levels);
  LatticeStrain strain;
  strain.material = options.material;
  strain.keep_samples = true;
  strain.share_volume = shape.share_volume;
  const std::vector<Influences> influences(grid.functions(), one_bone());
  LatticeDescription description =
      describe_lattice(made.lattice, grid, limb_fields(limb, made, grid, options.material),
                       {std::vector<int>(made.lattice.bones.size(), 0), 1, influences}, strain);
  hold_core_cells(grid, made.core_cell, description);
  description.surface_rest = {limb.mesh.positions[static_cast<std::size_t>(limb.tip)]};
  description.surface_influences = {one_bone()};
  description.surface =
      point_values(embed_points(grid.tetrahedra.mesh, description.surface_rest), grid.tetrahedra.mesh, grid.values);

  LimbRow row;
  row.method = lattice_name(shape);
  row.levels = shape.levels;
  row.elements = static_cast<int>(made.lattice.cells());
  std::vector<Vec3> weight;
  std::vector<int> held;
  for (std::size_t f = 0; f < description.role.size(); ++f) {
    weight.push_back(description.weight[f] * gravity);
    if (description.role[f] != FunctionRole::free) held.push_back(static_cast<int>(f));
  }
  row.unknowns = 3 * static_cast<int>(description.role.size() - held.size());
  const Equilibrium found =
      static_equilibrium(description.samples, description.rest, weight, held, equilibrium_options());
  std::vector<Vec3> tip(1);
  multiply(description.surface, found.positions, tip);
  row.sag = description.surface_rest[0].y - tip[0].y;
  const auto flesh =
      lattice_flesh(cook_lattice(std::move(description), LatticeReference::elastic, {}, dynamics_of(options)));
  time_steps(*flesh, options, row);
  return row;
}

std::vector<LimbRow> limb_experiment(const std::vector<LimbMesh>& limbs, const LimbOptions& options,
                                     const Progress& progress) {
  std::vector<LimbRow> rows;
  if (limbs.empty()) return rows;
  std::vector<LimbLatticeShape> shapes;
  const auto add = [&](int layers, int every, int levels) -> LimbLatticeShape& {
    LimbLatticeShape& shape = shapes.emplace_back();
    shape.layers = layers;
    shape.every = every;
    shape.levels = levels;
    return shape;
  };
  for (const bool share : {true, false})
    for (const int levels : {1, 2}) add(1, 4, levels).share_volume = share;
  add(1, 2, 1);
  add(1, 2, 2);
  add(2, 2, 1);
  for (const int levels : {1, 2}) add(1, 4, levels).core_cells = false;
  add(2, 2, 2);
  add(1, 4, 1).basis = SubdivisionScheme::mlca;
  for (const int every : {8, 4}) add(1, every, 3);
  std::vector<LimbLatticeShape> cut;
  for (const int every : {16, 8, 4}) cut.emplace_back().every = every;
  const auto all = static_cast<double>(2 * limbs.size() + cut.size() + shapes.size());
  const auto report = [&] { report_or_stop(progress, "hanging a limb", static_cast<double>(rows.size()) / all); };
  for (const LimbMesh& limb : limbs)
    for (const Element element : {Element::linear, Element::patch}) {
      report();
      rows.push_back(limb_of_tetrahedra(limb, element, options));
    }
  for (const LimbLatticeShape& shape : cut) {
    report();
    rows.push_back(limb_in_cut_lattice(limbs.front(), shape, options));
  }
  for (const LimbLatticeShape& shape : shapes) {
    report();
    rows.push_back(limb_in_lattice(limbs.front(), shape, options));
  }
  return rows;
}

}  // namespace sinew
