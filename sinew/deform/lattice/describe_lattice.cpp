#include "sinew/deform/lattice/describe_lattice.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "sinew/deform/lattice/detail_levels.h"
#include "sinew/elastic/shared_strain.h"
#include "sinew/mesh/control_lattice/fitted_mlca.h"

namespace sinew {
namespace {

// Sets the role of each function (section 5.1), and the bone of driven ones. Where bones meet, the joint belongs to the
// bone that begins there.
void describe_functions(const ControlLattice& lattice, const LatticeGrid& grid, const LatticeOnBones& on_bones,
                        LatticeDescription& description) {
  const std::size_t functions = grid.functions();
  description.coarse_functions = grid.subdivided.vertices[0];
  const auto coarse = static_cast<std::size_t>(description.coarse_functions);
  description.level = function_levels(grid.subdivided, grid.levels);
  description.rest = lattice.positions;
  description.rest.resize(functions);
  description.place.assign(grid.places().begin(), grid.places().end());
  description.role.assign(functions, FunctionRole::free);
  description.influences = on_bones.influences;
  for (std::size_t b = 0; b < lattice.bones.size(); ++b) {
    bool head = true;
    for (int vertex : grid.subdivided.bones[b]) {
      const auto f = static_cast<std::size_t>(vertex);
      if (f >= functions) continue;
      if (f >= coarse) {
        description.role[f] = FunctionRole::zero;
        continue;
      }
      if (description.role[f] == FunctionRole::free || head) {
        description.influences[f] = {};
        description.influences[f].count = 1;
        description.influences[f].joint[0] = on_bones.bone_of_chain[b];
        description.influences[f].weight[0] = 1;
      }
      description.role[f] = FunctionRole::driven;
      head = false;
    }
  }
}

// Per sample, the element over which change of volume is measured as a mean: the eight hexahedra around a function of
// the finest level, or the cell where that is as large. In larger elements detail would be free to change its volume,
// and finer levels would make the body ever softer.
std::vector<int> elements_of_volume(const LatticeGrid& grid, std::span<const int> tetrahedron) {
  constexpr int pieces = 64;  // hexahedra of the grid, which is a level finer than the functions
  std::vector<int> element;
  for (const int tetra : tetrahedron) {
    const auto t = static_cast<std::size_t>(tetra);
    element.push_back(grid.levels <= 2 ? grid.cell[t] : grid.tetrahedra.hexahedron[t] / pieces);
  }
  return element;
}

// The index of the first of each group of equal numbers, in the order of the numbers.
std::vector<std::size_t> first_of_each(const std::vector<int>& number) {
  std::vector<std::size_t> first(number.size());
  std::iota(first.begin(), first.end(), std::size_t{0});
  std::stable_sort(first.begin(), first.end(), [&](std::size_t a, std::size_t b) { return number[a] < number[b]; });
  const auto same = [&](std::size_t a, std::size_t b) { return number[a] == number[b]; };
  first.erase(std::unique(first.begin(), first.end(), same), first.end());
  return first;
}

// Matrices of the cells, and for measures how much flesh is in each and the functions' mean gradients over it.
void integrate_cells(const LatticeGrid& grid, const LatticeFields& fields, const LatticeStrain& strain,
                     std::size_t cells, LatticeDescription& description) {
  std::vector<int> tetrahedron;
  const StrainSamples samples = basis_strain_samples(
      grid.tetrahedra.mesh, grid.basis, {strain.material, fields.young, fields.fill, fields.poisson}, tetrahedron);
  std::vector<int> cell;
  for (int t : tetrahedron) cell.push_back(grid.cell[static_cast<std::size_t>(t)]);
  const std::vector<int> element = elements_of_volume(grid, tetrahedron);
  StrainSamples measured = samples;
  std::vector<int> measured_cell = cell;
  if (strain.share_volume) {
    measured = share_strain(samples, element, 0);
    for (const std::size_t first : first_of_each(element)) measured_cell.push_back(cell[first]);
  }
  description.cells = cell_matrices(measured, measured_cell, static_cast<int>(cells), grid.tetrahedra.mesh, grid.basis,
                                    grid.cell, fields.density, fields.bone_stiffness);
  if (strain.keep_tissue)
    description.tissue = lattice_tissue(measured, tetrahedron, measured_cell, grid.tetrahedra.mesh,
                                        grid.tetrahedra.hexahedron, grid.values);
  if (strain.keep_samples) description.samples = std::move(measured);
  // The shared sample of a cell holds its volume and mean gradients.
  const StrainSamples shared = share_strain(samples, cell, 0);
  const std::vector<std::size_t> first_of_cell = first_of_each(cell);
  description.cell_volume.assign(cells, 0.0);
  description.cell_gradient.assign(description.cells.function.size(), Vec3{});
  for (std::size_t s = samples.size(); s < shared.size(); ++s) {
    const auto c = static_cast<std::size_t>(cell[first_of_cell[s - samples.size()]]);
    description.cell_volume[c] = shared.volume[s];
    const auto first = description.cells.function.begin() + description.cells.start[c],
               last = description.cells.function.begin() + description.cells.start[c + 1];
    for (auto k = static_cast<std::size_t>(shared.start[s]); k < static_cast<std::size_t>(shared.start[s + 1]); ++k)
      description.cell_gradient[static_cast<std::size_t>(std::lower_bound(first, last, shared.vertex[k]) -
                                                         description.cells.function.begin())] = shared.gradient[k];
  }
}

// Centroid of the flesh in each cell, and the bones that move it. Cells without flesh count as full.
void describe_cells(const LatticeGrid& grid, const LatticeFields& fields, std::size_t bones, std::size_t cells,
                    LatticeDescription& description) {
  const TetrahedralMesh& mesh = grid.tetrahedra.mesh;
  std::vector<std::vector<std::size_t>> members(cells);
  for (std::size_t t = 0; t < grid.cell.size(); ++t) members[static_cast<std::size_t>(grid.cell[t])].push_back(t);
  InfluenceMean mean(bones);
  for (const std::vector<std::size_t>& tetrahedra : members) {
    const bool empty =
        std::all_of(tetrahedra.begin(), tetrahedra.end(), [&](std::size_t t) { return !(fields.fill[t] > 0); });
    Vec3 centre;
    double total = 0, damping = 0;
    for (std::size_t t : tetrahedra) {
      const Tetrahedron& corner = mesh.tetrahedra[t];
      const auto x = [&](std::size_t k) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(corner[k])]; };
      const double share = volume(x(0), x(1), x(2), x(3)) * (empty ? 1 : fields.fill[t]);
      if (!(share > 0)) continue;
      centre += 0.25 * share * (x(0) + x(1) + x(2) + x(3));
      total += share;
      if (!fields.damping.empty()) damping += share * fields.damping[t];
      mean.add(fields.influences[t], share);
    }
    description.cell_centre.push_back(centre / total);
    if (!fields.damping.empty()) description.cell_damping.push_back(damping / total);
    description.cell_influences.push_back(mean.take());
  }
}

// Driven functions move the flesh around them. A bone that no flesh around the vertex is skinned to, such as a root
// that passes through, would tear that flesh when the rig moves or scales the two apart; such functions take the
// influences of the flesh instead.
void follow_flesh_around(const LatticeOnBones& on_bones, LatticeDescription& description) {
  std::vector<char> shares_bone(description.role.size(), 0), around(description.role.size(), 0);
  for (std::size_t c = 0; c < description.cells.cells(); ++c)
    for (int e = description.cells.start[c]; e < description.cells.start[c + 1]; ++e) {
      const auto f = static_cast<std::size_t>(description.cells.function[static_cast<std::size_t>(e)]);
      const Influences& flesh = description.cell_influences[c];
      around[f] = 1;
      for (std::size_t k = 0; k < static_cast<std::size_t>(flesh.count); ++k)
        if (flesh.joint[k] == description.influences[f].joint[0]) shares_bone[f] = 1;
    }
  for (std::size_t f = 0; f < description.role.size(); ++f)
    if (description.role[f] == FunctionRole::driven && around[f] && !shares_bone[f])
      description.influences[f] = on_bones.influences[f];
}

// Adds the filling of cells that are only partly flesh.
LatticeFields filled(const LatticeGrid& grid, const LatticeFields& fields, const LatticeStrain& strain,
                     std::size_t cells) {
  std::vector<double> volume(cells, 0.0), young(cells, 0.0), poisson(cells, 0.0);
  for (std::size_t t = 0; t < fields.fill.size(); ++t) {
    const auto c = static_cast<std::size_t>(grid.cell[t]);
    volume[c] += fields.fill[t];
    young[c] += fields.fill[t] * fields.young[t];
    if (!fields.poisson.empty()) poisson[c] += fields.fill[t] * fields.poisson[t];
  }
  LatticeFields result = fields;
  for (std::size_t t = 0; t < fields.fill.size(); ++t) {
    const auto c = static_cast<std::size_t>(grid.cell[t]);
    if (!(volume[c] > 0)) continue;
    if (!(fields.fill[t] > 0)) {
      result.young[t] = young[c] / volume[c];
      if (!fields.poisson.empty()) result.poisson[t] = poisson[c] / volume[c];
    }
    result.fill[t] = std::max(fields.fill[t], strain.least_stiffness);
    result.density[t] = std::max(fields.density[t], strain.least_density * strain.material.density);
  }
  return result;
}

// Functions without an equation: those of the coarsest level become driven, detail is left out, as is detail with
// hardly any flesh.
void leave_out(const LatticeGrid& grid, const LatticeFields& fields, double least_share,
               LatticeDescription& description) {
  std::vector<char> has_equation(description.role.size(), 0);
  for (int f : description.cells.function) has_equation[static_cast<std::size_t>(f)] = 1;
  std::vector<double> inside(description.role.size(), 0.0), all(inside.size(), 0.0);
  for (std::size_t t = 0; t < fields.fill.size(); ++t) {
    const Tetrahedron& corner = grid.tetrahedra.mesh.tetrahedra[t];
    const auto x = [&](std::size_t k) -> const Vec3& {
      return grid.tetrahedra.mesh.positions[static_cast<std::size_t>(corner[k])];
    };
    const double size = volume(x(0), x(1), x(2), x(3));
    for (auto e = static_cast<std::size_t>(grid.basis.start[t]); e < static_cast<std::size_t>(grid.basis.start[t + 1]);
         ++e) {
      const double square = size * mean_product(grid.basis.value[e], grid.basis.value[e]);
      inside[static_cast<std::size_t>(grid.basis.function[e])] += fields.fill[t] * square;
      all[static_cast<std::size_t>(grid.basis.function[e])] += square;
    }
  }
  for (std::size_t f = 0; f < has_equation.size(); ++f) {
    if (description.role[f] != FunctionRole::free) continue;
    if (description.level[f] > 0 && inside[f] < least_share * all[f]) description.role[f] = FunctionRole::absent;
    // Vertices that no cell with flesh reaches have no value either.
    if (!has_equation[f]) description.role[f] = description.level[f] == 0 ? FunctionRole::driven : FunctionRole::zero;
  }
}

}  // namespace

LatticeGrid lattice_grid(const ControlLattice& lattice, SubdivisionScheme scheme, int levels) {
  LatticeGrid grid;
  grid.scheme = scheme;
  grid.levels = levels;
  // MLCA's functions on the trilinear parameterisation, since its own may fold.
  const bool fitted = scheme == SubdivisionScheme::mlca;
  grid.subdivided = subdivide(lattice, fitted ? SubdivisionScheme::trilinear : scheme, levels);
  grid.tetrahedra = cut_into_tetrahedra(grid.subdivided);
  grid.values =
      fitted ? fitted_mlca_basis(lattice, grid.subdivided, levels) : hierarchical_basis(grid.subdivided, levels);
  grid.basis = functions_on_tetrahedra(grid.tetrahedra.mesh, grid.values);
  for (int h : grid.tetrahedra.hexahedron) grid.cell.push_back(grid.subdivided.cell[static_cast<std::size_t>(h)]);
  return grid;
}

LatticeDescription describe_lattice(const ControlLattice& lattice, const LatticeGrid& grid, const LatticeFields& fields,
                                    const LatticeOnBones& on_bones, const LatticeStrain& strain) {
  LatticeDescription description;
  describe_functions(lattice, grid, on_bones, description);
  const LatticeFields with_filling = filled(grid, fields, strain, lattice.cells());
  integrate_cells(grid, with_filling, strain, lattice.cells(), description);
  leave_out(grid, fields, strain.least_share, description);
  describe_cells(grid, fields, on_bones.bones, lattice.cells(), description);
  follow_flesh_around(on_bones, description);
  description.weight = basis_weights(grid.tetrahedra.mesh, grid.basis, fields.density, grid.values.columns);
  if (grid.levels > 1) description.nodal = nodal_transform(grid.subdivided, grid.scheme, grid.levels);
  description.detail_levels = detail_levels(grid.subdivided, grid.levels, grid.tetrahedra, grid.basis, fields.fill);
  return description;
}

void InfluenceMean::add(const Influences& influences, double weight) {
  for (int k = 0; k < influences.count; ++k) {
    const auto slot = static_cast<std::size_t>(k);
    double& sum = weight_[static_cast<std::size_t>(influences.joint[slot])];
    if (sum == 0) used_.push_back(influences.joint[slot]);
    sum += weight * influences.weight[slot];
  }
}

Influences InfluenceMean::take() {
  const auto of = [this](int bone) { return weight_[static_cast<std::size_t>(bone)]; };
  std::sort(used_.begin(), used_.end());
  used_.erase(std::unique(used_.begin(), used_.end()), used_.end());
  std::stable_sort(used_.begin(), used_.end(), [&](int a, int b) { return of(a) > of(b); });
  Influences result;
  double sum = 0;
  for (int bone : used_) {
    if (result.count == max_influences || !(of(bone) > 0)) break;
    const auto slot = static_cast<std::size_t>(result.count++);
    result.joint[slot] = bone;
    result.weight[slot] = of(bone);
    sum += of(bone);
  }
  for (int k = 0; k < result.count; ++k) result.weight[static_cast<std::size_t>(k)] /= sum;
  for (int bone : used_) weight_[static_cast<std::size_t>(bone)] = 0;
  used_.clear();
  return result;
}

}  // namespace sinew
