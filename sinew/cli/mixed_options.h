// The options of the method `mixed` on the command line, shared by `animate` and `settings`.
#pragma once

#include <memory>

#include "sinew/cook/mixed_settings.h"
#include "sinew/cli/body_options.h"

namespace sinew::cli {

class OptionSet;

// The group of these options in `--help`.
inline constexpr const char* mixed_group = "Mixed";

// Values as given; settings() puts them together: defaults, then the settings file, then single options.
class MixedOptions {
 public:
  MixedOptions();
  ~MixedOptions();
  void add_to(OptionSet& options);
  MixedSettings settings(const BodyOptions& body) const;

 private:
  struct Values;
  std::unique_ptr<Values> values_;
};

}  // namespace sinew::cli
