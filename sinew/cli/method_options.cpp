#include "sinew/cli/method_options.h"

#include <cctype>

#include "sinew/base/error.h"
#include "sinew/cli/options.h"
#include "sinew/cook/scene_makers.h"

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

// The first option of this group on the command line, or none.
const Option* given_in(const OptionSet& options, const std::string& group) {
  for (const Option& option : options.all())
    if (option.heading == group && option.given) return &option;
  return nullptr;
}

// Throws for the first option of another method on the command line.
void refuse_options_of_others(const OptionSet& options, const std::vector<NamedMethod>& methods, const NamedMethod& chosen) {
  for (const NamedMethod& other : methods)
    if (const Option* option = other.name == chosen.name ? nullptr : given_in(options, other.group))
      throw usage_error(option->name + ": is an option of the method " + other.name + ", not of " + chosen.name +
                        "; leave it out or choose --method " + other.name + ".");
  const bool dynamic = chosen.method == Method::flesh || chosen.method == Method::rig_space;
  if (const Option* option = dynamic ? nullptr : given_in(options, dynamics_group))
    throw usage_error(option->name + ": is an option of the methods flesh and rigspace, not of " + chosen.name +
                      "; leave it out.");
  if (const Option* option = chosen.method == Method::surface ? given_in(options, body_group) : nullptr)
    throw usage_error(option->name +
                      ": says what a body is made of, which the model of the method surface has "
                      "learned already; leave it out, or give it to `sinew fit`.");
  if (chosen.method == Method::made)
    for (const Option& option : options.all())
      if (option.heading == body_group && option.given && option.name != "--ground")
        throw usage_error(option.name + ": is about a body, which the method " + chosen.name + " has none of; leave it out.");
}

}  // namespace

void MethodOptions::add_to(OptionSet& options) {
  options_ = &options;
  options.add("--method NAME", name_,
              "flesh (default: physics on top of the rig), mixed (no skin weights needed), surface (a model of "
              "`sinew fit`), rigspace (moves the rig's own controls), springs (on joints, as games have them), or linear, "
              "dualquat or rigid (geometric skinning alone)");
  body_.add_to(options);
  dynamics_.add_to(options);
  flesh_.add_to(options);
  mixed_.add_to(options);
  rig_space_.add_to(options);
  makers_ = scene_makers();
  for (const auto& maker : makers_)
    for (const Setting& setting : maker->settings())
      options.add("--" + setting.name + " " + setting.takes, setting.set, setting.help).group(group_of(*maker)).advanced();
}

std::shared_ptr<SceneMaker> MethodOptions::maker() const {
  for (const auto& maker : makers_)
    if (name_ == maker->name()) return maker;
  return nullptr;
}

Method MethodOptions::method() const {
  const std::vector<NamedMethod> methods = all_methods(makers_);
  std::string names;
  for (const NamedMethod& named : methods) {
    names += (names.empty() ? "" : &named == &methods.back() ? " and " : ", ") + named.name;
    if (name_ != named.name) continue;
    refuse_options_of_others(*options_, methods, named);
    return named.method;
  }
  throw usage_error("--method: '" + name_ + "' is not a method of this version, which has " + names + ".");
}

}  // namespace sinew::cli
