#include "sinew/cook/lattice/prepare_lattice.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/lattice/lattice_fields.h"
#include "sinew/cook/lattice/painted_regions.h"
#include "sinew/deform/lattice/cells/lumped_mass.h"
#include "sinew/deform/lattice/describe_lattice.h"
#include "sinew/deform/lattice/lattice_flesh.h"
#include "sinew/mesh/control_lattice/painted_material.h"
#include "sinew/mesh/control_lattice/point_values.h"
#include "sinew/mesh/control_lattice/smooth_reconstruction.h"
#include "sinew/mesh/control_lattice/validity.h"
#include "sinew/rig/carried_correction.h"

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
  description.skinning = flesh.surface.skinning;
  description.carried_functions = carried_correction(flesh.surface, description.place);
  description.carried_cells = carried_correction(flesh.surface, description.cell_centre);
}

void limit_surface(const CookedFlesh& flesh, LatticeDescription& description) {
  const FleshDescription& body = flesh.body->description;
  description.push_reach = body.push_reach;
  description.creases = body.creases;
  if (body.limit.empty()) return;
  for (const EmbeddedPoint& point : body.embedding.points) {
    const Tetrahedron& corner = body.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)];
    double limit = 0;
    for (std::size_t k = 0; k < 4; ++k) limit += point.weights[k] * body.limit[static_cast<std::size_t>(corner[k])];
    description.surface_limit.push_back(std::max(0.0, limit));
  }
}

// Weights of the functions by the mass matrix, with the filling of partly filled cells, so that all falls alike.
// Functions of the coarsest level sum to one.
std::vector<double> weights_of_mass(const LatticeDescription& description) {
  const CellMatrices& cells = description.cells;
  std::vector<double> weight(description.role.size(), 0.0);
  for (std::size_t c = 0; c < cells.cells(); ++c) {
    const auto n = static_cast<std::size_t>(cells.functions_of(c));
    const int* const function = cells.function.data() + cells.start[c];
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t l = 0; l < n; ++l)
        if (function[l] < description.coarse_functions)
          weight[static_cast<std::size_t>(function[k])] += cells.mass[cells.offset[c] + k * n + l];
  }
  return weight;
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
  if (elasticity_of(settings) == Elasticity::nonlinear) run.nonlinear.emplace().law = law_of(settings);
  run.adaptation.most_functions = settings.lattice.most_functions;
  const std::optional<double> strain = strain_of_detail(settings.lattice);
  run.adaptation.on = strain.has_value();
  // Finer functions represent what coarser ones cannot, and there are eight times as many of them per level.
  for (int k = 0; run.adaptation.on && k + 1 < settings.lattice.levels; ++k)
    run.adaptation.threshold.push_back(*strain * (1 << k));
  return run;
}

constexpr int warm_up = 4, measured_steps = 15, budget_halvings = 5;
constexpr double least_threshold = 1e-9;  // strain so small that all moving flesh asks for detail

// Median time of a step, milliseconds, that solves for the `functions` most strained functions. It steps the motion
// directly, because a deformer would need the scene that this body is still being cooked for.
double time_of_step(const std::shared_ptr<LatticeBody>& body, std::size_t bones, int functions) {
  const LatticeAdaptation kept = body->run.adaptation;
  std::fill(body->run.adaptation.threshold.begin(), body->run.adaptation.threshold.end(), least_threshold);
  body->run.adaptation.most_functions = functions;
  const std::unique_ptr<BodyMotion> flesh = lattice_flesh(body);
  const double h = flesh->step();
  double height = 0;
  for (const Vec3& place : body->description.place) height = std::max(height, norm(place - body->description.place[0]));
  const auto pose = [&](double time) {
    // The distance that a character's trunk moves in a brisk walking step, with rotation.
    constexpr double share = 0.03, rate = 20, angle = 0.2;
    Affine motion;
    const double turn = angle * std::sin(rate * time);
    motion.linear = Mat3{{std::cos(turn), 0, std::sin(turn), 0, 1, 0, -std::sin(turn), 0, std::cos(turn)}};
    motion.translation = {0, share * height * std::sin(rate * time), 0};
    return std::vector<Affine>(bones, motion);
  };
  const std::vector<Affine> first = pose(0), second = pose(h);
  flesh->reset({0, first}, {h, second});
  std::vector<double> times;
  for (int step = 1; step <= warm_up + measured_steps; ++step) {
    const std::vector<Affine> now = pose(step * h);
    Stopwatch watch;
    flesh->advance({step * h, now});
    if (step > warm_up) times.push_back(1e3 * watch.lap());
  }
  body->run.adaptation = kept;
  std::nth_element(times.begin(), times.begin() + measured_steps / 2, times.end());
  return times[measured_steps / 2];
}

// Number of basis functions that a step can solve for within a given time on this machine. Measured with a few steps
// of the body, its `bones` bones shaken together, by bisection over the number of functions. At least the number of
// functions of the coarsest level. The result depends on the machine and its load, but the simulation depends on the
// number alone: runs that must agree are given the number instead of a budget.
int functions_within(double milliseconds, const std::shared_ptr<LatticeBody>& body, std::size_t bones) {
  const LatticeDescription& d = body->description;
  int coarse = 0;
  for (std::size_t f = 0; f < static_cast<std::size_t>(d.coarse_functions); ++f)
    coarse += d.role[f] == FunctionRole::free;
  const auto all = static_cast<int>(body->free_functions());
  if (time_of_step(body, bones, all) <= milliseconds) return all;
  int low = std::max(coarse, 1), high = all;
  for (int round = 0; round < budget_halvings; ++round) {
    const int middle = low + (high - low) / 2;
    (time_of_step(body, bones, middle) <= milliseconds ? low : high) = middle;
  }
  return low;
}

// `description` is the base's, moved in.
std::shared_ptr<const LatticeBody> finish(LatticeDescription description, const LatticeBase& base,
                                          const CookedFlesh& flesh, const FleshSettings& settings,
                                          const Progress& progress) {
  const FleshBody& tetrahedra = *flesh.body;
  limit_surface(flesh, description);
  description.mass_damping = tetrahedra.description.mass_damping;
  description.stiffness_damping = tetrahedra.description.stiffness_damping;
  const double stiffness =
      settings.young || settings.free_body ? flesh.material.young / base.young : base.sag / flesh.material.sag;
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

LatticeGrid grid_of_dynamics(const ControlLattice& lattice, const LatticeDiscretization& settings) {
  return lattice_grid(lattice, scheme_of_dynamics(settings), settings.levels);
}

LatticeBase prepare_lattice_base(const CookedFlesh& flesh, const ControlLattice& lattice, const FleshSettings& settings,
                                 const Progress& progress) {
  if (settings.free_body && !lattice.bones.empty()) {
    ControlLattice let_go = lattice;
    let_go.bones.clear();
    return prepare_lattice_base(flesh, let_go, settings, progress);
  }
  LatticeBase base;
  base.body_settings = body_settings(settings);
  base.young = flesh.body->description.material.young;
  const LatticeGrid grid = grid_of_dynamics(lattice, settings.lattice);
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
  const LatticeStrain strain{body.material, settings.lattice.linearization == Linearization::none,
                             elasticity_of(settings) == Elasticity::nonlinear};
  base.description = describe_lattice(lattice, grid, fields, on_bones, strain);
  base.description.free_body = settings.free_body;
  if (settings.lattice.mass == LatticeMass::lumped) lump_mass(base.description.nodal, base.description.cells);
  if (settings.free_body) base.description.weight = weights_of_mass(base.description);
  if (settings.lattice.linearization == Linearization::blended)
    base.description.regions = painted_regions(flesh, base.description, settings.lattice.region_bones);
  report_or_stop(progress, integrating, 0.8);
  describe_surface(flesh, lattice, grid, settings.lattice, base.description);
  // Sag without paint on the lattice, and without painted density and Poisson's ratio, so that painting a region leaves
  // the rest as it is.
  const std::vector<double> share(base.description.surface_rest.size(), 1.0);
  if (settings.free_body) {
    // Nothing holds it that it could sag from.
  } else if (lattice.stiffness.empty() && lattice.density.empty() && body.density.empty() && body.poisson.empty()) {
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
