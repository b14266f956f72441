#include "sinew/cook/lattice/prepare_lattice.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/cook/lattice/lattice_budget.h"
#include "sinew/cook/lattice/lattice_fields.h"
#include "sinew/deform/lattice/cells/lumped_mass.h"
#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/mesh/control_lattice/painted_material.h"
#include "sinew/mesh/control_lattice/point_values.h"
#include "sinew/mesh/control_lattice/smooth_reconstruction.h"
#include "sinew/mesh/control_lattice/validity.h"

namespace sinew {
namespace {

constexpr const char* integrating = "integrating over the lattice";

// Basis functions of the dynamics.
SubdivisionScheme scheme_of_dynamics(const LatticeDiscretization& settings) {
  return settings.basis == SubdivisionScheme::mlca && !settings.smooth_dynamics ? SubdivisionScheme::trilinear
                                                                                : settings.basis;
}

// Largest distance, as a share of the height, by which the surface may leave the lattice: the size of rounding errors
// in files.
constexpr double outside_tolerance = 1e-3;

// A lattice that is one-to-one under the trilinear scheme may fold where another scheme moves its vertices.
void refuse_folded(const LatticeGrid& grid) {
  if (grid.scheme != SubdivisionScheme::maccracken_joy) return;
  const std::vector<int> folded = check_parameterization(grid.subdivided, grid.tetrahedra).folded_cells;
  if (!folded.empty())
    throw input_error("cell " + std::to_string(folded[0]) + " of the lattice" +
                      (folded.size() > 1 ? " and " + std::to_string(folded.size() - 1) + " more fold" : " folds") +
                      " under the basis maccracken-joy; move vertices apart, or use the basis trilinear or mlca.");
}

void describe_surface(const CookedFlesh& flesh, const ControlLattice& lattice, const LatticeGrid& grid,
                      const LatticeDiscretization& settings, LatticeDescription& description) {
  const TriangleMesh& rest = flesh.surface.rest;
  const LatticeEmbedding embedding = embed_in_lattice(grid.subdivided, grid.tetrahedra, rest.positions, rest.triangles,
                                                      outside_tolerance * flesh.height);
  if (!embedding.outside.empty())
    throw input_error("vertex " + std::to_string(embedding.outside[0].point) + " of the welded surface is " +
                      std::to_string(embedding.outside[0].distance) + " m outside the lattice" +
                      (embedding.outside.size() > 1
                           ? ", and " + std::to_string(embedding.outside.size() - 1) + " more are outside"
                           : "") +
                      "; move the lattice's vertices out until it encloses the surface.");
  description.surface = settings.basis == SubdivisionScheme::mlca && !settings.smooth_dynamics
                            ? smooth_reconstruction(lattice, settings.levels, rest.positions, rest.triangles).rows
                            : point_values(embedding.points, grid.tetrahedra.mesh, grid.values);
  description.surface_rest = flesh.surface.rest.positions;
  description.surface_influences = flesh.surface.influences;
}

void limit_surface(const CookedFlesh& flesh, LatticeDescription& description) {
  const FleshDescription& body = flesh.body->description;
  description.push_reach = body.push_reach;
  if (body.limit.empty()) return;
  for (const EmbeddedPoint& point : body.embedding.points) {
    const Tetrahedron& corner = body.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    double limit = 0;
    for (std::size_t k = 0; k < 4; ++k) limit += point.weights[k] * body.limit[static_cast<std::size_t>(corner[k])];
    description.surface_limit.push_back(std::max(0.0, limit));
  }
}

// Paint on the lattice's own vertices (section 4.10), in addition to the character's.
void multiply_painted(const ControlLattice& lattice, const LatticeGrid& grid, LatticeFields& fields) {
  const PaintedMaterial painted = painted_material(lattice, grid.subdivided, grid.tetrahedra);
  if (!painted.damping.empty() && fields.damping.empty()) fields.damping.assign(fields.young.size(), 1.0);
  const auto multiply = [](const std::vector<double>& by, std::vector<double>& values) {
    for (std::size_t t = 0; t < by.size(); ++t) values[t] *= by[t];
  };
  multiply(painted.damping, fields.damping);
  multiply(painted.stiffness, fields.young);
  multiply(painted.stiffness, fields.bone_stiffness);
  multiply(painted.density, fields.density);
}

LatticeRun run_of(const FleshSettings& settings) {
  LatticeRun run;
  run.linearization = settings.lattice.linearization;
  run.warping = settings.warping;
  run.integrator = settings.lattice.integrator;
  run.held_by = settings.lattice.constraints;
  run.adaptation.most_functions = settings.lattice.most_functions;
  const std::optional<double> strain = strain_of_detail(settings.lattice);
  run.adaptation.on = strain.has_value();
  // Finer functions represent what coarser ones cannot, and there are eight times as many of them per level.
  for (int k = 0; run.adaptation.on && k + 1 < settings.lattice.levels; ++k)
    run.adaptation.threshold.push_back(*strain * (1 << k));
  return run;
}

// `description` is the base's, moved in.
std::shared_ptr<const LatticeBody> finish(LatticeDescription description, const LatticeBase& base,
                                          const CookedFlesh& flesh, const FleshSettings& settings,
                                          const Progress& progress) {
  const FleshBody& tetrahedra = *flesh.body;
  limit_surface(flesh, description);
  description.mass_damping = tetrahedra.description.mass_damping;
  description.stiffness_damping = tetrahedra.description.stiffness_damping;
  const double stiffness = settings.young ? *settings.young / base.young : base.sag / flesh.material.sag;
  scale_stiffness(description, stiffness);
  FleshDynamics dynamics = tetrahedra.dynamics;
  dynamics.tolerance = solver_tolerance(settings);  // lattices with different detail may share the flesh
  const std::shared_ptr<LatticeBody> body =
      cook_lattice(std::move(description), base.systems, stiffness,
                   settings.reference == Reference::rig ? LatticeReference::rig : LatticeReference::elastic,
                   run_of(settings), dynamics, progress);
  if (settings.lattice.budget && body->run.adaptation.on)
    body->run.adaptation.most_functions = functions_within(*settings.lattice.budget, body, flesh.surface.bones.size());
  return body;
}

}  // namespace

LatticeBase prepare_lattice_base(const CookedFlesh& flesh, const ControlLattice& lattice, const FleshSettings& settings,
                                 const Progress& progress) {
  LatticeBase base;
  base.body_settings = body_settings(settings);
  base.young = flesh.body->description.material.young;
  const LatticeGrid grid = lattice_grid(lattice, scheme_of_dynamics(settings.lattice), settings.lattice.levels);
  refuse_folded(grid);
  report_or_stop(progress, integrating, 0.2);
  const FleshDescription& body = flesh.body->description;
  LatticeFields fields = lattice_fields(flesh, grid.tetrahedra.mesh), plain = fields;
  plain.poisson.clear();
  for (std::size_t t = 0; t < plain.density.size(); ++t) plain.density[t] = body.material.density * plain.fill[t];
  multiply_painted(lattice, grid, fields);
  report_or_stop(progress, integrating, 0.5);
  const LatticeOnBones on_bones{bones_of_chains(flesh.surface, lattice), flesh.surface.bones.size(),
                                influences_at(flesh, grid.places())};
  const LatticeStrain strain{body.material, settings.lattice.linearization == Linearization::none};
  base.description = describe_lattice(lattice, grid, fields, on_bones, strain);
  if (settings.lattice.mass == LatticeMass::lumped) lump_mass(base.description.nodal, base.description.cells);
  report_or_stop(progress, integrating, 0.8);
  describe_surface(flesh, lattice, grid, settings.lattice, base.description);
  // Sag without paint on the lattice, and without painted density and Poisson's ratio, so that painting a region leaves
  // the rest as it is.
  const std::vector<double> share(base.description.surface_rest.size(), 1.0);
  if (lattice.stiffness.empty() && lattice.density.empty() && body.density.empty() && body.poisson.empty()) {
    base.sag = sag_under_gravity(base.description, share);
  } else {
    LatticeDescription unpainted = describe_lattice(lattice, grid, plain, on_bones, strain);
    unpainted.surface = base.description.surface;
    base.sag = sag_under_gravity(unpainted, share);
  }
  report_or_stop(progress, integrating, 0.9);
  base.systems = lattice_systems(base.description, part_of(progress, 0.9, 1.0));
  return base;
}

std::shared_ptr<const LatticeBody> cook_lattice_flesh(const LatticeBase& base, const CookedFlesh& flesh,
                                                      const FleshSettings& settings, const Progress& progress) {
  refuse_other_base(base.body_settings, settings);
  return finish(base.description, base, flesh, settings, progress);
}

std::shared_ptr<const LatticeBody> prepare_lattice(const CookedFlesh& flesh, const ControlLattice& lattice,
                                                   const FleshSettings& settings, const Progress& progress) {
  LatticeBase base = prepare_lattice_base(flesh, lattice, settings, part_of(progress, 0.0, 0.7));
  return finish(std::move(base.description), base, flesh, settings, part_of(progress, 0.7, 1.0));
}

}  // namespace sinew
