// --method and the options of all methods, shared by `animate` and `settings`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/cli/body_options.h"
#include "sinew/cli/flesh_options.h"
#include "sinew/cli/mixed_options.h"
#include "sinew/cli/rig_space_options.h"
#include "sinew/jobs/animate_file.h"

namespace sinew::cli {

class OptionSet;

// The group of the options of the method surface in `--help`.
inline constexpr const char* surface_group = "Surface";

class MethodOptions {
 public:
  void add_to(OptionSet& options);

  // Throws usage_error for a method that there is none of, and for options that only another one has.
  Method method() const;

  FleshSettings flesh_settings() const { return flesh_.settings(body_, dynamics_); }
  MixedSettings mixed_settings() const { return mixed_.settings(body_); }
  RigSpaceSettings rig_space_settings() const { return rig_space_.settings(body_, dynamics_); }
  // Of the method `made`.
  std::shared_ptr<SceneMaker> maker() const;
  std::optional<double> ground() const { return body_.ground; }

 private:
  std::string name_ = "flesh";
  BodyOptions body_;
  DynamicsOptions dynamics_;
  FleshOptions flesh_;
  MixedOptions mixed_;
  RigSpaceOptions rig_space_;
  std::vector<std::shared_ptr<SceneMaker>> makers_;
  const OptionSet* options_ = nullptr;
};

}  // namespace sinew::cli
