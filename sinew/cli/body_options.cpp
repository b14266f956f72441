#include "sinew/cli/body_options.h"

#include <CLI/CLI.hpp>

namespace sinew::cli {

void BodyOptions::add_to(CLI::App& command) {
  const char* group = body_group;
  command.add_option("--settings", settings_file, "Settings file (JSON, see `sinew settings`)")->group(group);
  command.add_option("--tetrahedra", tetrahedra, "Elements to aim at (default 8000)")->group(group);
  command.add_option("--cell-size", cell_size, "Size of the body's cells in metres, instead of a count")->group(group);
  command.add_option("--young", young, "Young's modulus in pascals")->group(group);
  command.add_option("--poisson", poisson, "Poisson's ratio, 0 to 0.49 (default 0.45)")->group(group);
  command.add_option("--density", density, "Density in kg/m^3 (default 1000)")->group(group);
  command.add_option("--ground", ground, "Height of a ground plane in metres that flesh does not pass")->group(group);
  command.add_flag("--color-stiffness", color_stiffness, "COLOR_0's red multiplies stiffness where nothing is painted")
      ->group(group);
}

}  // namespace sinew::cli
