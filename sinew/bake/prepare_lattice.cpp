#include "sinew/bake/prepare_lattice.h"

#include <algorithm>
#include <array>
#include <utility>

#include "sinew/bake/lattice_fields.h"
#include "sinew/deform/lattice_flesh/control_lattice/detail_levels.h"
#include "sinew/elastic/basis_integrals.h"
#include "sinew/elastic/shared_strain.h"
#include "sinew/mesh/control_lattice/subdivision.h"

namespace sinew {
namespace {

constexpr const char* integrating = "integrating over the lattice";

// The lattice as it is integrated over. Functions count as linear on its tetrahedra, so these are one level finer.
struct Discretization {
  SubdividedLattice subdivided;
  LatticeTetrahedra tetrahedra;
  SparseRows values;             // of the functions at the vertices of the tetrahedra
  TetrahedronBasis basis;
  std::vector<int> cell;         // per tetrahedron, of the coarsest lattice
};

Discretization discretize(const ControlLattice& lattice, const LatticeDiscretization& settings) {
  Discretization result;
  result.subdivided = subdivide(lattice, settings.basis, settings.levels);
  result.tetrahedra = cut_into_tetrahedra(result.subdivided);
  result.values = hierarchical_basis(result.subdivided, settings.levels);
  result.basis = functions_on_tetrahedra(result.tetrahedra.mesh, result.values);
  for (int h : result.tetrahedra.hexahedron) result.cell.push_back(result.subdivided.cell[static_cast<std::size_t>(h)]);
  return result;
}

void describe_functions(const FleshScene& scene, const ControlLattice& lattice, const Discretization& d,
                        int levels, LatticeDescription& description) {
  const auto functions = static_cast<std::size_t>(d.values.columns);
  description.coarse_functions = d.subdivided.vertices[0];
  description.level = function_levels(d.subdivided, levels);
  description.rest = lattice.positions;
  description.rest.resize(functions);
  description.place.assign(d.subdivided.positions.begin(),
                           d.subdivided.positions.begin() + static_cast<std::ptrdiff_t>(functions));
  SkeletonDrive drive = skeleton_drive(scene.surface, lattice, d.subdivided, functions);
  description.role = std::move(drive.role);
  description.influences = influences_at(scene, description.place);
  for (std::size_t f = 0; f < functions; ++f) {
    if (drive.bone[f] < 0) continue;
    description.influences[f] = {};
    description.influences[f].count = 1;
    description.influences[f].joint[0] = drive.bone[f];
    description.influences[f].weight[0] = 1;
  }
}

// Matrices of the cells. Change of volume is measured by cells, so that functions that cannot follow it everywhere
// need not.
void integrate_cells(const FleshDescription& flesh, const Discretization& d, const LatticeFields& fields,
                     std::size_t cells, bool keep_samples, LatticeDescription& description) {
  std::vector<int> tetrahedron;
  StrainSamples samples = basis_strain_samples(d.tetrahedra.mesh, d.basis, {flesh.material, fields.young, fields.fill}, tetrahedron);
  std::vector<int> cell, present;
  for (int t : tetrahedron) cell.push_back(d.cell[static_cast<std::size_t>(t)]);
  present = cell;
  std::sort(present.begin(), present.end());
  present.erase(std::unique(present.begin(), present.end()), present.end());
  samples = share_strain(samples, cell, 0);
  cell.insert(cell.end(), present.begin(), present.end());  // of the shared samples
  description.cells = cell_matrices(samples, cell, static_cast<int>(cells), d.tetrahedra.mesh, d.basis, d.cell,
                                    fields.density, fields.bone_stiffness);
  if (keep_samples) description.samples = samples;
  // The shared sample of a cell holds its volume and mean gradients.
  description.cell_volume.assign(cells, 0.0);
  description.cell_gradient.assign(description.cells.function.size(), Vec3{});
  for (std::size_t s = tetrahedron.size(); s < samples.size(); ++s) {
    const auto c = static_cast<std::size_t>(cell[s]);
    description.cell_volume[c] = samples.volume[s];
    const auto first = description.cells.function.begin() + description.cells.start[c],
               last = description.cells.function.begin() + description.cells.start[c + 1];
    for (auto k = static_cast<std::size_t>(samples.start[s]); k < static_cast<std::size_t>(samples.start[s + 1]); ++k)
      description.cell_gradient[static_cast<std::size_t>(
          std::lower_bound(first, last, samples.vertex[k]) - description.cells.function.begin())] = samples.gradient[k];
  }
}

// Where the flesh of each cell is and which bones move it. Cells without flesh count as full.
void describe_cells(const FleshScene& scene, const Discretization& d, const LatticeFields& fields, std::size_t cells,
                    LatticeDescription& description) {
  const TetrahedralMesh& mesh = d.tetrahedra.mesh;
  std::vector<std::vector<std::size_t>> members(cells);
  for (std::size_t t = 0; t < d.cell.size(); ++t) members[static_cast<std::size_t>(d.cell[t])].push_back(t);
  InfluenceMean mean(scene.surface.bones.size());
  for (const std::vector<std::size_t>& tetrahedra : members) {
    const bool empty = std::all_of(tetrahedra.begin(), tetrahedra.end(), [&](std::size_t t) { return !(fields.fill[t] > 0); });
    Vec3 centre;
    double total = 0;
    for (std::size_t t : tetrahedra) {
      const Tetrahedron& corner = mesh.tetrahedra[t];
      const auto x = [&](std::size_t k) -> const Vec3& { return mesh.positions[static_cast<std::size_t>(corner[k])]; };
      const double share = volume(x(0), x(1), x(2), x(3)) * (empty ? 1 : fields.fill[t]);
      if (!(share > 0)) continue;
      centre += 0.25 * share * (x(0) + x(1) + x(2) + x(3));
      total += share;
      mean.add(fields.influences[t], share);
    }
    description.cell_centre.push_back(centre / total);
    description.cell_influences.push_back(mean.take());
  }
}

SparseRows values_at(const Discretization& d, const Embedding& embedding) {
  SparseRows corners;  // points x vertices of the tetrahedra
  corners.columns = static_cast<int>(d.tetrahedra.mesh.positions.size());
  for (const EmbeddedPoint& point : embedding.points) {
    const Tetrahedron& t = d.tetrahedra.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    std::array<std::pair<int, double>, 4> entry;
    for (std::size_t k = 0; k < 4; ++k) entry[k] = {t[k], point.weights[k]};
    std::sort(entry.begin(), entry.end());
    for (const auto& [vertex, weight] : entry) {
      corners.column.push_back(vertex);
      corners.value.push_back(weight);
    }
    corners.start.push_back(static_cast<int>(corners.column.size()));
  }
  return product(corners, d.values);
}

void describe_surface(const FleshScene& scene, const Discretization& d, LatticeDescription& description) {
  const FleshDescription& flesh = scene.body->description;
  description.surface = values_at(d, embed_points(d.tetrahedra.mesh, scene.surface.rest.positions));
  description.surface_rest = scene.surface.rest.positions;
  description.surface_influences = scene.surface.influences;
  if (flesh.limit.empty()) return;
  for (const EmbeddedPoint& point : flesh.embedding.points) {
    const Tetrahedron& corner = flesh.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    double limit = 0;
    for (std::size_t k = 0; k < 4; ++k) limit += point.weights[k] * flesh.limit[static_cast<std::size_t>(corner[k])];
    description.surface_limit.push_back(std::max(0.0, limit));
  }
}

// Functions without flesh have no equation: those of the coarsest level go with the rig, detail there is none.
void drive_what_is_empty(LatticeDescription& description) {
  std::vector<char> has_flesh(description.role.size(), 0);
  for (int f : description.cells.function) has_flesh[static_cast<std::size_t>(f)] = 1;
  for (std::size_t f = 0; f < has_flesh.size(); ++f)
    if (!has_flesh[f] && description.role[f] == FunctionRole::free)
      description.role[f] = description.level[f] == 0 ? FunctionRole::driven : FunctionRole::zero;
}

LatticeRun run_of(const FleshSettings& settings) {
  LatticeRun run;
  run.linearization = settings.lattice.linearization;
  run.warping = settings.warping;
  run.adaptation.on = settings.lattice.adapt && settings.lattice.levels > 1;
  // Finer functions are there for what coarser ones cannot follow, and are more by a factor of eight.
  for (int k = 0; run.adaptation.on && k + 1 < settings.lattice.levels; ++k)
    run.adaptation.threshold.push_back(*settings.lattice.adapt * (1 << k));
  return run;
}

}  // namespace

std::shared_ptr<const LatticeBody> prepare_lattice(const FleshScene& scene, const ControlLattice& lattice,
                                                   const FleshSettings& settings, const Progress& progress) {
  const FleshDescription& flesh = scene.body->description;
  const Discretization d = discretize(lattice, settings.lattice);
  report_or_stop(progress, integrating, 0.2);
  const LatticeFields fields = lattice_fields(scene, d.tetrahedra.mesh);
  report_or_stop(progress, integrating, 0.4);
  LatticeDescription description;
  describe_functions(scene, lattice, d, settings.lattice.levels, description);
  integrate_cells(flesh, d, fields, lattice.cells(), settings.lattice.linearization == Linearization::none, description);
  drive_what_is_empty(description);
  describe_cells(scene, d, fields, lattice.cells(), description);
  report_or_stop(progress, integrating, 0.6);
  description.weight = basis_weights(d.tetrahedra.mesh, d.basis, fields.density, d.values.columns);
  description.detail_levels = detail_levels(d.subdivided, settings.lattice.levels, d.tetrahedra, d.basis, fields.fill);
  describe_surface(scene, d, description);
  description.mass_damping = flesh.mass_damping;
  description.stiffness_damping = flesh.stiffness_damping;
  if (!settings.young) {
    const std::vector<double> share(description.surface_rest.size(), 1.0);
    scale_stiffness(description, sag_under_gravity(description, share) / scene.material.sag);
  }
  return cook_lattice(std::move(description),
                      settings.reference == Reference::rig ? LatticeReference::rig : LatticeReference::elastic,
                      run_of(settings), scene.body->dynamics, part_of(progress, 0.7, 1.0));
}

}  // namespace sinew
