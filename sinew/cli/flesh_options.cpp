#include "sinew/cli/flesh_options.h"

#include <CLI/CLI.hpp>

#include "sinew/base/error.h"
#include "sinew/io/flesh_settings_json.h"

namespace sinew::cli {

struct FleshOptions::Values {
  std::string file;
  std::string look, reference, warping, element, gravity_in_rest;
  std::optional<int> tetrahedra;
  std::optional<double> cell_size, young, poisson, density, damping, core, limit, ground, step, tolerance, preroll;
  bool color_stiffness = false;
};

FleshOptions::FleshOptions() : values_(std::make_unique<Values>()) {}
FleshOptions::~FleshOptions() = default;

void FleshOptions::add_to(CLI::App& command) {
  Values& v = *values_;
  const char* group = "Flesh";
  command.add_option("--settings", v.file, "Settings file (JSON, see `sinew settings`)")->group(group);
  command.add_option("--look", v.look, "How much the flesh moves: subtle, natural (default) or lively")->group(group);
  command.add_option("--reference", v.reference, "What flesh rests at: rig (default: the animator's shape) or elastic")
      ->group(group);
  command
      .add_option("--warping", v.warping,
                  "Frames of the elastic reference: element (default) or vertex (Capell's equation 5.10)")
      ->group(group);
  command.add_option("--tetrahedra", v.tetrahedra, "Elements to aim at (default 8000)")->group(group);
  command.add_option("--cell-size", v.cell_size, "Size of the body's cells in metres, instead of a count")
      ->group(group);
  command.add_option("--young", v.young, "Young's modulus in pascals, instead of a look's")->group(group);
  command.add_option("--poisson", v.poisson, "Poisson's ratio, 0 to 0.49 (default 0.45)")->group(group);
  command.add_option("--density", v.density, "Density in kg/m^3 (default 1000)")->group(group);
  command.add_option("--damping", v.damping, "Damping ratio, instead of a look's")->group(group);
  command.add_option("--core", v.core, "Rigid share of the flesh's thickness around bones (default 0.5)")->group(group);
  command.add_option("--limit", v.limit, "Largest shown displacement as a share of the distance from the bone")
      ->group(group);
  command.add_option("--element", v.element, "patch (default) or linear")->group(group);
  command
      .add_option(
          "--gravity-in-rest", v.gravity_in_rest,
          "Gravity held by the modelled shape: in every pose (pose), in the bind pose (bind), or not at all (off)")
      ->group(group);
  command.add_option("--ground", v.ground, "Height of a ground plane in metres that flesh does not pass")->group(group);
  command.add_option("--step", v.step, "Internal time step in seconds (default 1/240)")->group(group);
  command.add_option("--tolerance", v.tolerance, "Relative residual of iterative solves (default 1e-4)")->group(group);
  command.add_option("--preroll", v.preroll, "Seconds in the first pose before the clip begins")->group(group);
  command
      .add_flag("--color-stiffness", v.color_stiffness, "COLOR_0's red multiplies stiffness where nothing is painted")
      ->group(group);
}

FleshSettings FleshOptions::settings() const {
  const Values& v = *values_;
  FleshSettings s;
  if (!v.file.empty()) s = read_flesh_settings(v.file, s);
  if (!v.look.empty()) s.look = look_from_name(v.look);
  if (!v.reference.empty()) s.reference = reference_from_name(v.reference);
  if (!v.warping.empty()) s.warping = warping_from_name(v.warping);
  if (!v.element.empty()) s.element = element_from_name(v.element);
  if (!v.gravity_in_rest.empty()) s.gravity_in_rest = gravity_in_rest_from_name(v.gravity_in_rest);
  if (v.tetrahedra) s.tetrahedra = *v.tetrahedra;
  if (v.cell_size) s.cell_size = v.cell_size;
  if (v.young) s.young = v.young;
  if (v.poisson) s.poisson = *v.poisson;
  if (v.density) s.density = *v.density;
  if (v.damping) s.damping = v.damping;
  if (v.core) s.core = *v.core;
  if (v.limit) s.limit = v.limit;
  if (v.ground) s.ground = v.ground;
  if (v.step) s.step = *v.step;
  if (v.tolerance) s.tolerance = *v.tolerance;
  if (v.preroll) s.preroll = *v.preroll;
  s.color_stiffness |= v.color_stiffness;
  check_settings(s);
  return s;
}

}  // namespace sinew::cli
