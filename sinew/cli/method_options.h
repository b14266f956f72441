// The option --method and the options of all methods, shared by `animate` and `settings`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sinew/cli/setting_options.h"
#include "sinew/deform/method.h"

namespace sinew::cli {

class OptionSet;

class MethodOptions {
 public:
  void add_to(OptionSet& options);

  const std::string& name() const { return name_; }

  // The chosen method with the settings of the file and the options. Throws usage_error for an unknown method, for
  // options of other methods and for invalid values, and input_error for an invalid settings file.
  MethodChoice method() const;

 private:
  void refuse_options_of_others(const Method& chosen) const;

  std::string name_;
  SettingOptions settings_;
  std::vector<std::unique_ptr<Method>> methods_;
  const OptionSet* options_ = nullptr;
};

}  // namespace sinew::cli
