// Options that every method with a body takes, shared by `animate`, `flesh` and `settings`.
#pragma once

#include <optional>
#include <string>

namespace sinew::cli {

class OptionSet;

// The group of these options in `--help`.
inline constexpr const char* body_group = "Body";

// As given; empty where an option was not.
struct BodyOptions {
  std::string settings_file;
  std::optional<int> tetrahedra;
  std::optional<double> cell_size, young, poisson, density, ground;
  bool color_stiffness = false;

  void add_to(OptionSet& options);

  // Puts them over `settings`, which are FleshSettings or MixedSettings.
  template <class Settings>
  void apply(Settings& settings) const {
    if (tetrahedra) settings.tetrahedra = *tetrahedra;
    if (cell_size) settings.cell_size = cell_size;
    if (young) settings.young = *young;
    if (poisson) settings.poisson = *poisson;
    if (density) settings.density = *density;
    if (ground) settings.ground = ground;
    settings.color_stiffness |= color_stiffness;
  }
};

}  // namespace sinew::cli
