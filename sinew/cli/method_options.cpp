#include "sinew/cli/method_options.h"

#include <algorithm>
#include <cctype>

#include "sinew/base/error.h"
#include "sinew/cli/options.h"
#include "sinew/cook/scene_makers.h"
#include "sinew/deform/acting_settings.h"

namespace sinew::cli {
namespace {

std::string group_of(const SceneMaker& maker) {
  std::string group = maker.name();
  group[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(group[0])));
  return group;
}

struct NamedMethod {
  std::string name;
  Method method;
  std::string group;  // of its own options
};

std::vector<NamedMethod> all_methods(const std::vector<std::shared_ptr<SceneMaker>>& makers) {
  std::vector<NamedMethod> methods{{"flesh", Method::flesh, flesh_group},
                                   {"mixed", Method::mixed, mixed_group},
                                   {"surface", Method::surface, surface_group},
                                   {"rigspace", Method::rig_space, rig_space_group}};
  for (const auto& maker : makers) methods.push_back({maker->name(), Method::made, group_of(*maker)});
  return methods;
}

// The methods that have this option, by their settings or by its heading in --help. Empty: it is of no method.
std::vector<std::string> methods_with(const Option& option, const SettingOptions& settings,
                                      const std::vector<NamedMethod>& methods) {
  const std::vector<std::string> names = settings.methods_with(option);
  if (!names.empty()) return names;
  for (const NamedMethod& method : methods)
    if (method.group == option.heading) return {method.name};
  return {};
}

void refuse_option(const Option& option, const std::vector<std::string>& has, const NamedMethod& chosen) {
  const bool one = has.size() == 1;
  throw usage_error(option.name + ": is an option of the method" + (one ? " " : "s ") + listed_methods(has) +
                    ", not of " + chosen.name +
                    (chosen.method == Method::surface ? ", whose model knows its body" : "") + "; leave it out" +
                    (one ? " or choose --method " + has.front() : "") + ".");
}

// The settings of a method that describes itself, and what every such method is told.
Settings made_settings(SceneMaker& maker, std::optional<double>& ground) {
  Settings settings = maker.settings();
  settings.push_back(ground_setting(ground));
  return settings;
}

}  // namespace

void MethodOptions::add_to(OptionSet& options) {
  options_ = &options;
  options.add(
      "--method NAME", name_,
      "flesh (default: physics on top of the rig), mixed (no skin weights needed), surface (a model of "
      "`sinew fit`), rigspace (moves the rig's own controls), springs (on joints, as games have them), or linear, "
      "dualquat or rigid (geometric skinning alone)");
  makers_ = scene_makers();
  FleshSettings flesh;
  MixedSettings mixed;
  RigSpaceSettings rig_space;
  std::optional<double> ground;
  std::vector<DescribedMethod> described{{"flesh", flesh_group, settings_of(flesh)},
                                         {"mixed", mixed_group, settings_of(mixed)},
                                         {"rigspace", rig_space_group, settings_of(rig_space)}};
  for (const auto& maker : makers_)
    described.push_back({maker->name(), group_of(*maker), made_settings(*maker, ground)});
  settings_.add_to(options, described);
}

Method MethodOptions::method() const {
  const Method method = method_named(name_).method;
  const std::vector<NamedMethod> methods = all_methods(makers_);
  const NamedMethod& chosen =
      *std::find_if(methods.begin(), methods.end(), [&](const NamedMethod& known) { return known.name == name_; });
  for (const Option& option : options_->all()) {
    const std::vector<std::string> has = methods_with(option, settings_, methods);
    if (option.given && !has.empty() && std::count(has.begin(), has.end(), name_) == 0)
      refuse_option(option, has, chosen);
  }
  return method;
}

void MethodOptions::apply_to(MethodChoice& choice) const {
  choice.method = method();
  switch (choice.method) {
    case Method::flesh:
      choice.settings = settings_.settings<FleshSettings>(name_);
      return;
    case Method::mixed:
      choice.mixed = settings_.settings<MixedSettings>(name_);
      return;
    case Method::rig_space:
      choice.rig_space = settings_.settings<RigSpaceSettings>(name_);
      return;
    case Method::surface:
      return;
    case Method::made:
      break;
  }
  for (const auto& maker : makers_)
    if (name_ == maker->name()) choice.maker = maker;
  settings_.apply(name_, made_settings(*choice.maker, choice.ground));
}

void MethodOptions::with_settings(const std::function<void(const Settings&)>& use) const {
  MethodChoice choice;
  apply_to(choice);
  switch (choice.method) {
    case Method::flesh:
      return use(settings_of(choice.settings));
    case Method::mixed:
      return use(settings_of(choice.mixed));
    case Method::rig_space:
      return use(settings_of(choice.rig_space));
    case Method::made:
      return use(made_settings(*choice.maker, choice.ground));
    case Method::surface:
      break;
  }
  throw usage_error("--method: the method surface has no settings; its model, which `sinew fit` makes, says all.");
}

}  // namespace sinew::cli
