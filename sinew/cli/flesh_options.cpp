#include "sinew/cli/flesh_options.h"

#include <CLI/CLI.hpp>

#include "sinew/base/error.h"
#include "sinew/cli/leading_number.h"
#include "sinew/io/flesh_settings_json.h"

namespace sinew::cli {

namespace {

// "4ms" or "4".
double milliseconds_from(const std::string& text) {
  const std::optional<LeadingNumber> number = leading_number(text);
  if (!number || !(number->rest.empty() || number->rest == "ms"))
    throw usage_error("--budget: '" + text + "' is no time; write milliseconds, such as 4ms.");
  return number->value;
}

}  // namespace

struct FleshOptions::Values {
  std::string warping, element, gravity_in_rest;
  std::string lattice, basis, linearization, integrator, mass, constraints, budget;
  std::optional<int> most_functions;
  std::optional<double> adapt;
  bool smooth_dynamics = false;
  std::optional<int> lattice_cells, levels;
  std::optional<double> core, limit, tolerance, preroll;
};

FleshOptions::FleshOptions() : values_(std::make_unique<Values>()) {}
FleshOptions::~FleshOptions() = default;

void FleshOptions::add_to(CLI::App& command) {
  Values& v = *values_;
  command
      .add_option("--warping", v.warping,
                  "Frames of the elastic reference: element (default) or vertex (Capell's equation 5.10)")
      ->group(flesh_group);
  command.add_option("--core", v.core, "Rigid share of the flesh's thickness around bones (default 0.5)")->group(flesh_group);
  command.add_option("--limit", v.limit, "Largest shown displacement as a share of the distance from the bone")
      ->group(flesh_group);
  command.add_option("--element", v.element, "patch (default) or linear")->group(flesh_group);
  command
      .add_option(
          "--gravity-in-rest", v.gravity_in_rest,
          "Gravity held by the modelled shape: in every pose (pose), in the bind pose (bind), or not at all (off)")
      ->group(flesh_group);
  command
      .add_option("--lattice", v.lattice,
                  "Control lattice that the flesh moves in: a file of `sinew lattice`, or auto (default: tetrahedra, and auto where something asks for what only a lattice can do)")
      ->group(flesh_group);
  command.add_option("--lattice-cells", v.lattice_cells, "Cells of the lattice that auto builds (default 400)")->group(flesh_group);
  command.add_option("--basis", v.basis, "Functions of the lattice: trilinear (default), maccracken-joy or mlca")->group(flesh_group);
  command.add_flag("--smooth-dynamics", v.smooth_dynamics, "Compute the dynamics with the functions of mlca too")->group(flesh_group);
  command.add_option("--levels", v.levels, "Levels of the lattice's basis, 1 to 4 (default 1)")->group(flesh_group);
  command
      .add_option("--adapt", v.adapt,
                  "Use the lattice's finer levels only where strain reaches this value (default: everywhere)")
      ->group(flesh_group);
  command.add_option("--budget", v.budget, "With --adapt: milliseconds of computing per step to keep to, such as 4ms")->group(flesh_group);
  command.add_option("--most-functions", v.most_functions, "With --adapt: functions solved for at a time, at most")->group(flesh_group);
  command
      .add_option("--constraints", v.constraints,
                  "How a lattice's grabs and belts are held: subspace (default), exactly, or lagrange, by multipliers")
      ->group(flesh_group);
  command.add_option("--mass", v.mass, "Inertia in a lattice: consistent (default), or lumped at vertices")->group(flesh_group);
  command.add_option("--integrator", v.integrator, "Time steps in a lattice: generalized-alpha (default) or implicit-euler")
      ->group(flesh_group);
  command
      .add_option("--linearization", v.linearization,
                  "Elasticity in a lattice: linear, quasi, blended, warped (default) or none")
      ->group(flesh_group);
  command.add_option("--tolerance", v.tolerance, "Relative residual of iterative solves (default 1e-4; 1e-3 with --adapt)")->group(flesh_group);
  command.add_option("--preroll", v.preroll, "Seconds in the first pose before the clip begins")->group(flesh_group);
}

FleshSettings FleshOptions::settings(const BodyOptions& body, const DynamicsOptions& dynamics) const {
  const Values& v = *values_;
  FleshSettings s;
  if (!body.settings_file.empty()) s = read_flesh_settings(body.settings_file, s);
  body.apply(s);
  if (!dynamics.look.empty()) s.look = look_from_name(dynamics.look);
  if (!dynamics.reference.empty()) s.reference = reference_from_name(dynamics.reference);
  if (!v.warping.empty()) s.warping = warping_from_name(v.warping);
  if (!v.element.empty()) s.element = element_from_name(v.element);
  if (!v.gravity_in_rest.empty()) s.gravity_in_rest = gravity_in_rest_from_name(v.gravity_in_rest);
  if (!v.lattice.empty()) s.lattice.file = v.lattice;
  if (v.lattice_cells) s.lattice.cells = *v.lattice_cells;
  if (!v.basis.empty()) s.lattice.basis = basis_from_name(v.basis);
  if (v.adapt) s.lattice.adapt = v.adapt;
  if (!v.linearization.empty()) s.lattice.linearization = linearization_from_name(v.linearization);
  if (!v.budget.empty()) s.lattice.budget = milliseconds_from(v.budget);
  if (v.most_functions) s.lattice.most_functions = *v.most_functions;
  if (!v.constraints.empty()) s.lattice.constraints = constraints_from_name(v.constraints);
  if (!v.mass.empty()) s.lattice.mass = mass_from_name(v.mass);
  if (!v.integrator.empty()) s.lattice.integrator = integrator_from_name(v.integrator);
  if (v.smooth_dynamics) s.lattice.smooth_dynamics = true;
  if (v.levels) s.lattice.levels = *v.levels;
  if (dynamics.damping) s.damping = dynamics.damping;
  if (v.core) s.core = *v.core;
  if (v.limit) s.limit = v.limit;
  if (dynamics.step) s.step = *dynamics.step;
  if (v.tolerance) s.tolerance = *v.tolerance;
  if (v.preroll) s.preroll = *v.preroll;
  check_settings(s);
  return s;
}

}  // namespace sinew::cli
