// The options of flesh on the command line, shared by `animate` and `settings`.
#pragma once

#include <memory>

#include "sinew/bake/flesh_settings.h"

namespace CLI {
class App;
}

namespace sinew::cli {

// Values as given; settings() puts them together: defaults, then the settings file, then single options.
class FleshOptions {
 public:
  FleshOptions();
  ~FleshOptions();
  void add_to(CLI::App& command);
  FleshSettings settings() const;

 private:
  struct Values;
  std::unique_ptr<Values> values_;
};

}  // namespace sinew::cli
