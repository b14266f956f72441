#include "sinew/cli/flesh_options.h"

#include "sinew/base/error.h"
#include "sinew/cli/leading_number.h"
#include "sinew/cli/options.h"
#include "sinew/files/flesh_settings_json.h"

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

void FleshOptions::add_to(OptionSet& options) {
  Values& v = *values_;
  const char* group = flesh_group;
  options.add("--core SHARE", v.core, "0.5", "Rigid share of the flesh's thickness around bones (default 0.5)")
      .group(group)
      .advanced();
  options.add("--limit SHARE", v.limit, "0.5", "Largest shown displacement as a share of the distance from the bone")
      .group(group)
      .advanced();
  options
      .add("--warping NAME", v.warping,
           "Frames of the elastic reference: element (default) or vertex (Capell's equation 5.10)")
      .group(group)
      .advanced();
  options.add("--element NAME", v.element, "patch (default) or linear").group(group).advanced();
  options
      .add("--gravity-in-rest WHEN", v.gravity_in_rest,
           "Gravity held by the modelled shape: in every pose (pose), in the bind pose (bind), or not at all (off)")
      .group(group)
      .advanced();
  options.add("--preroll SECONDS", v.preroll, "0.5", "Time in the first pose before the clip begins")
      .group(group)
      .advanced();
  options
      .add("--tolerance E", v.tolerance, "1e-4",
           "Relative residual of iterative solves (default 1e-4; 1e-3 with --adapt)")
      .group(group)
      .advanced();
  options
      .add("--lattice FILE", v.lattice,
           "Move in the cells of a control lattice, not in tetrahedra: auto builds one, a file of `sinew lattice` is "
           "one")
      .group(group);
  options.add("--lattice-cells N", v.lattice_cells, "400", "Cells of the lattice that auto builds (default 400)")
      .group(group)
      .advanced();
  options.add("--basis NAME", v.basis, "Functions of the lattice: trilinear (default), maccracken-joy or mlca")
      .group(group)
      .advanced();
  options.add("--smooth-dynamics", v.smooth_dynamics, "Compute the dynamics with the functions of mlca too")
      .group(group)
      .advanced();
  options.add("--levels N", v.levels, "2", "Levels of the lattice's basis, 1 to 4 (default 1)").group(group).advanced();
  options
      .add("--adapt STRAIN", v.adapt, "0.02",
           "Use the lattice's finer levels only where strain reaches this value (default: everywhere)")
      .group(group)
      .advanced();
  options.add("--budget MILLISECONDS", v.budget, "With --adapt: computing per step to keep to, such as 4ms")
      .group(group)
      .advanced();
  options.add("--most-functions N", v.most_functions, "500", "With --adapt: functions solved for at a time, at most")
      .group(group)
      .advanced();
  options
      .add("--constraints NAME", v.constraints,
           "How a lattice's grabs and belts are held: subspace (default), exactly, or lagrange, by multipliers")
      .group(group)
      .advanced();
  options.add("--mass NAME", v.mass, "Inertia in a lattice: consistent (default), or lumped at vertices")
      .group(group)
      .advanced();
  options
      .add("--integrator NAME", v.integrator, "Time steps in a lattice: generalized-alpha (default) or implicit-euler")
      .group(group)
      .advanced();
  options
      .add("--linearization NAME", v.linearization,
           "Elasticity in a lattice: linear, quasi, blended, warped (default) or none")
      .group(group)
      .advanced();
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
