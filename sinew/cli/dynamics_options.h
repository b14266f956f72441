// Options that every method with dynamics of its own takes: flesh and rigspace.
#pragma once

#include <optional>
#include <string>

namespace sinew::cli {

class OptionSet;

// The group of these options in `--help`.
inline constexpr const char* dynamics_group = "Dynamics";

// As given; empty where an option was not.
struct DynamicsOptions {
  std::string look, reference;
  std::optional<double> damping, step;

  void add_to(OptionSet& options);
};

}  // namespace sinew::cli
