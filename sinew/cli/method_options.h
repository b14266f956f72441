// --method and the options of all methods, shared by `animate` and `settings`.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/cli/setting_options.h"
#include "sinew/jobs/method_choice.h"

namespace sinew::cli {

class OptionSet;

// The groups in `--help` of options that only one method has.
inline constexpr const char *flesh_group = "Flesh", *mixed_group = "Mixed", *surface_group = "Surface",
                            *rig_space_group = "Rig space";

class MethodOptions {
 public:
  void add_to(OptionSet& options);

  const std::string& name() const { return name_; }
  // Throws usage_error for a method that there is none of, and for options that only others have.
  Method method() const;

  // The chosen method, with its settings. Throws usage_error and input_error where these make no sense.
  void apply_to(MethodChoice& choice) const;

  // Calls use(settings in force of the method), whichever it is. Throws usage_error where it has none.
  void with_settings(const std::function<void(const Settings&)>& use) const;

 private:
  std::string name_ = "flesh";
  SettingOptions settings_;
  std::vector<std::shared_ptr<SceneMaker>> makers_;
  const OptionSet* options_ = nullptr;
};

}  // namespace sinew::cli
