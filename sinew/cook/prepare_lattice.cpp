#include "sinew/cook/prepare_lattice.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sinew/cook/lattice_budget.h"
#include "sinew/cook/lattice_fields.h"
#include "sinew/base/error.h"
#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/deform/lattice/lumped_mass.h"
#include "sinew/mesh/control_lattice/painted_material.h"
#include "sinew/mesh/control_lattice/point_values.h"
#include "sinew/mesh/control_lattice/smooth_reconstruction.h"
#include "sinew/mesh/control_lattice/validity.h"

namespace sinew {
namespace {

constexpr const char* integrating = "integrating over the lattice";

// Functions that dynamics are computed with.
SubdivisionScheme scheme_of_dynamics(const LatticeDiscretization& settings) {
  return settings.basis == SubdivisionScheme::mlca && !settings.smooth_dynamics ? SubdivisionScheme::trilinear : settings.basis;
}

// The surface may leave the lattice by this share of the height: what rounding and files do.
constexpr double outside_tolerance = 1e-3;

// A lattice that the trilinear scheme maps one-to-one may fold where another moves its vertices.
void refuse_folded(const LatticeGrid& grid) {
  if (grid.scheme != SubdivisionScheme::maccracken_joy) return;
  const std::vector<int> folded = check_parameterization(grid.subdivided, grid.tetrahedra).folded_cells;
  if (!folded.empty())
    throw input_error("cell " + std::to_string(folded[0]) + " of the lattice" +
                      (folded.size() > 1 ? " and " + std::to_string(folded.size() - 1) + " more fold" : " folds") +
                      " under the basis maccracken-joy; move vertices apart, or use the basis trilinear or mlca.");
}

void describe_surface(const FleshScene& scene, const ControlLattice& lattice, const LatticeGrid& grid,
                      const LatticeDiscretization& settings, LatticeDescription& description) {
  const TriangleMesh& rest = scene.surface.rest;
  const LatticeEmbedding embedding = embed_in_lattice(grid.subdivided, grid.tetrahedra, rest.positions, rest.triangles,
                                                      outside_tolerance * scene.height);
  if (!embedding.outside.empty())
    throw input_error("vertex " + std::to_string(embedding.outside[0].point) + " of the welded surface is " +
                      std::to_string(embedding.outside[0].distance) + " m outside the lattice" +
                      (embedding.outside.size() > 1 ? ", and " + std::to_string(embedding.outside.size() - 1) + " more are outside" : "") +
                      "; move the lattice's vertices out until it encloses the surface.");
  description.surface = settings.basis == SubdivisionScheme::mlca && !settings.smooth_dynamics
                            ? smooth_reconstruction(lattice, settings.levels, rest.positions, rest.triangles).rows
                            : point_values(embedding.points, grid.tetrahedra.mesh, grid.values);
  description.surface_rest = scene.surface.rest.positions;
  description.surface_influences = scene.surface.influences;
}

void limit_surface(const FleshScene& scene, LatticeDescription& description) {
  const FleshDescription& flesh = scene.body->description;
  if (flesh.limit.empty()) return;
  for (const EmbeddedPoint& point : flesh.embedding.points) {
    const Tetrahedron& corner = flesh.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    double limit = 0;
    for (std::size_t k = 0; k < 4; ++k) limit += point.weights[k] * flesh.limit[static_cast<std::size_t>(corner[k])];
    description.surface_limit.push_back(std::max(0.0, limit));
  }
}

// What is painted on the lattice's vertices (section 4.10), beside what is painted on the character.
void multiply_painted(const ControlLattice& lattice, const LatticeGrid& grid, LatticeFields& fields) {
  const PaintedMaterial painted = painted_material(lattice, grid.subdivided, grid.tetrahedra);
  if (!lattice.damping.empty() && fields.damping.empty()) fields.damping.assign(fields.young.size(), 1.0);
  for (std::size_t t = 0; t < fields.young.size(); ++t) {
    if (!fields.damping.empty()) fields.damping[t] *= painted.damping[t];
    fields.young[t] *= painted.stiffness[t];
    fields.bone_stiffness[t] *= painted.stiffness[t];
    fields.density[t] *= painted.density[t];
  }
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
  // Finer functions are there for what coarser ones cannot follow, and are more by a factor of eight.
  for (int k = 0; run.adaptation.on && k + 1 < settings.lattice.levels; ++k)
    run.adaptation.threshold.push_back(*strain * (1 << k));
  return run;
}

}  // namespace

std::shared_ptr<const LatticeBody> prepare_lattice(const FleshScene& scene, const ControlLattice& lattice,
                                                   const FleshSettings& settings, const Progress& progress) {
  const FleshDescription& flesh = scene.body->description;
  const LatticeGrid grid = lattice_grid(lattice, scheme_of_dynamics(settings.lattice), settings.lattice.levels);
  refuse_folded(grid);
  report_or_stop(progress, integrating, 0.2);
  const LatticeFields plain = lattice_fields(scene, grid.tetrahedra.mesh);
  LatticeFields fields = plain;
  multiply_painted(lattice, grid, fields);
  report_or_stop(progress, integrating, 0.4);
  const LatticeOnBones on_bones{bones_of_chains(scene.surface, lattice), scene.surface.bones.size(),
                                influences_at(scene, grid.places())};
  const LatticeStrain strain{flesh.material, settings.lattice.linearization == Linearization::none};
  LatticeDescription description = describe_lattice(lattice, grid, fields, on_bones, strain);
  if (settings.lattice.mass == LatticeMass::lumped) lump_mass(description.nodal, description.cells);
  report_or_stop(progress, integrating, 0.6);
  describe_surface(scene, lattice, grid, settings.lattice, description);
  limit_surface(scene, description);
  description.mass_damping = flesh.mass_damping;
  description.stiffness_damping = flesh.stiffness_damping;
  if (!settings.young) {
    const std::vector<double> share(description.surface_rest.size(), 1.0);
    // As if nothing were painted on the lattice: what is softer or stiffer changes there and leaves the rest as it is.
    double sag = 0;
    if (lattice.stiffness.empty() && lattice.density.empty()) {
      sag = sag_under_gravity(description, share);
    } else {
      LatticeDescription unpainted = describe_lattice(lattice, grid, plain, on_bones, strain);
      unpainted.surface = description.surface;
      sag = sag_under_gravity(unpainted, share);
    }
    scale_stiffness(description, sag / scene.material.sag);
  }
  FleshDynamics dynamics = scene.body->dynamics;
  dynamics.tolerance = solver_tolerance(settings);  // the scene may be shared by lattices with detail of their own kind
  const std::shared_ptr<LatticeBody> body =
      cook_lattice(std::move(description),
                   settings.reference == Reference::rig ? LatticeReference::rig : LatticeReference::elastic,
                   run_of(settings), dynamics, part_of(progress, 0.7, 1.0));
  if (settings.lattice.budget && body->run.adaptation.on)
    body->run.adaptation.most_functions = functions_within(*settings.lattice.budget, body, scene.surface.bones.size());
  return body;
}

}  // namespace sinew
