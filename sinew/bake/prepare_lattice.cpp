#include "sinew/bake/prepare_lattice.h"

#include <algorithm>
#include <utility>

#include "sinew/bake/lattice_fields.h"
#include "sinew/deform/lattice_flesh/control_lattice/describe_lattice.h"

namespace sinew {
namespace {

constexpr const char* integrating = "integrating over the lattice";

void describe_surface(const FleshScene& scene, const LatticeGrid& grid, LatticeDescription& description) {
  const FleshDescription& flesh = scene.body->description;
  description.surface = values_at(grid, embed_points(grid.tetrahedra.mesh, scene.surface.rest.positions));
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
  const LatticeGrid grid = lattice_grid(lattice, settings.lattice.basis, settings.lattice.levels);
  report_or_stop(progress, integrating, 0.2);
  const LatticeFields fields = lattice_fields(scene, grid.tetrahedra.mesh);
  report_or_stop(progress, integrating, 0.4);
  const LatticeOnBones on_bones{bones_of_chains(scene.surface, lattice), scene.surface.bones.size(),
                                influences_at(scene, grid.places())};
  LatticeDescription description =
      describe_lattice(lattice, grid, fields, on_bones,
                       {flesh.material, settings.lattice.linearization == Linearization::none});
  report_or_stop(progress, integrating, 0.6);
  describe_surface(scene, grid, description);
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
