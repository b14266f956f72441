// The options of flesh on the command line, shared by `animate`, `flesh` and `settings`.
#pragma once

#include <memory>

#include "sinew/cook/flesh_settings.h"
#include "sinew/cli/body_options.h"
#include "sinew/cli/dynamics_options.h"

namespace sinew::cli {

class OptionSet;

// The group of these options in `--help`.
inline constexpr const char* flesh_group = "Flesh";

// Values as given; settings() puts them together: defaults, then the settings file, then single options.
class FleshOptions {
 public:
  FleshOptions();
  ~FleshOptions();
  void add_to(OptionSet& options);
  FleshSettings settings(const BodyOptions& body, const DynamicsOptions& dynamics) const;

 private:
  struct Values;
  std::unique_ptr<Values> values_;
};

}  // namespace sinew::cli
