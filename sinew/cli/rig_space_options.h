// The options of the method `rigspace` on the command line, shared by `animate`, `learn` and `settings`.
#pragma once

#include <memory>

#include "sinew/cook/rig_space_settings.h"
#include "sinew/cli/body_options.h"
#include "sinew/cli/dynamics_options.h"

namespace sinew::cli {

class OptionSet;

// The group of these options in `--help`.
inline constexpr const char* rig_space_group = "Rig space";

// Values as given; settings() puts them together: defaults, then the settings file, then single options.
class RigSpaceOptions {
 public:
  RigSpaceOptions();
  ~RigSpaceOptions();
  void add_to(OptionSet& options);
  RigSpaceSettings settings(const BodyOptions& body, const DynamicsOptions& dynamics) const;

 private:
  struct Values;
  std::unique_ptr<Values> values_;
};

}  // namespace sinew::cli
