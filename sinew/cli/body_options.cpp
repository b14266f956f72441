#include "sinew/cli/body_options.h"

#include "sinew/cli/options.h"

namespace sinew::cli {

void BodyOptions::add_to(OptionSet& options) {
  const char* group = body_group;
  options.add("--settings FILE", settings_file, "Settings file (JSON, see `sinew settings`)").group(group);
  options.add("--tetrahedra N", tetrahedra, "8000", "Elements to aim at (default 8000)").group(group);
  options.add("--cell-size METRES", cell_size, "0.05", "Size of the body's cells, instead of a count")
      .group(group)
      .advanced();
  options.add("--young PASCALS", young, "2e5", "Young's modulus: stiffness, instead of the look's").group(group);
  options.add("--poisson NU", poisson, "0.45", "Poisson's ratio, 0 to 0.49 (default 0.45)").group(group).advanced();
  options.add("--density RHO", density, "1000", "Density in kg/m^3 (default 1000)").group(group).advanced();
  options.add("--ground METRES", ground, "0", "Height of a ground plane that flesh does not pass").group(group);
  options.add("--color-stiffness", color_stiffness, "COLOR_0's red multiplies stiffness where nothing is painted")
      .group(group)
      .advanced();
}

}  // namespace sinew::cli
