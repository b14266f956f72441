#include "sinew/cli/method_options.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/cli/options.h"
#include "sinew/cook/methods.h"

namespace sinew::cli {
namespace {

using Methods = std::vector<std::unique_ptr<Method>>;

// "flesh (default: physics on top of the rig), linear, rigid (skinning alone)": neighbours with the same
// summary share it.
std::string method_words(const Methods& methods) {
  std::string text;
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const std::string summary = methods[k]->summary();
    text += (k > 0 ? ", " : "") + std::string(methods[k]->name());
    if (k + 1 == methods.size() || summary != methods[k + 1]->summary())
      text += (k > 0 ? " (" : " (default: ") + summary + ")";
  }
  return text;
}

// Methods that have this option, by their settings or by its heading in --help. Empty if it belongs to no method.
std::vector<std::string> methods_with(const Option& option, const SettingOptions& settings, const Methods& methods) {
  const std::vector<std::string> names = settings.methods_with(option);
  if (!names.empty()) return names;
  for (const auto& method : methods)
    if (method->title() == option.heading) return {method->name()};
  return {};
}

}  // namespace

void MethodOptions::add_to(OptionSet& options) {
  options_ = &options;
  methods_ = all_methods();
  name_ = methods_.front()->name();
  options.add("--method NAME", name_, method_words(methods_));
  std::vector<DescribedMethod> described;
  for (const auto& method : methods_) described.push_back({method->name(), method->title(), method->settings()});
  settings_.add_to(options, described);
}

void MethodOptions::refuse_options_of_others(const Method& chosen) const {
  for (const Option& option : options_->all()) {
    const std::vector<std::string> has = methods_with(option, settings_, methods_);
    if (!option.given || has.empty() || std::count(has.begin(), has.end(), chosen.name()) > 0) continue;
    const bool one = has.size() == 1;
    throw usage_error(option.name + ": is an option of the method" + (one ? " " : "s ") + listed_methods(has) +
                      ", not of " + chosen.name() + "; leave it out" +
                      (one ? " or choose --method " + has.front() : "") + ".");
  }
}

MethodChoice MethodOptions::method() const {
  MethodChoice choice = method_named(name_);
  refuse_options_of_others(*choice);
  settings_.apply(name_, choice->settings());
  return choice;
}

}  // namespace sinew::cli
