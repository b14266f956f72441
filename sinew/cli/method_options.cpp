#include "sinew/cli/method_options.h"

#include "sinew/base/error.h"
#include "sinew/cli/options.h"

namespace sinew::cli {
namespace {

struct NamedMethod {
  const char* name;
  Method method;
  const char* group;  // of its own options
};
constexpr NamedMethod methods[] = {{"flesh", Method::flesh, flesh_group},
                                   {"mixed", Method::mixed, mixed_group},
                                   {"surface", Method::surface, surface_group},
                                   {"rigspace", Method::rig_space, rig_space_group}};

// The first option of this group on the command line, or none.
const Option* given_in(const OptionSet& options, const char* group) {
  for (const Option& option : options.all())
    if (option.heading == group && option.given) return &option;
  return nullptr;
}

// Throws for the first option of another method on the command line.
void refuse_options_of_others(const OptionSet& options, const NamedMethod& chosen) {
  for (const NamedMethod& other : methods)
    if (const Option* option = other.method == chosen.method ? nullptr : given_in(options, other.group))
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
}

}  // namespace

void MethodOptions::add_to(OptionSet& options) {
  options_ = &options;
  options.add("--method NAME", name_,
              "flesh (default: physics on top of the rig), mixed (no skin weights needed), surface (a model of "
              "`sinew fit`) or rigspace (moves the rig's own controls)");
  body_.add_to(options);
  dynamics_.add_to(options);
  flesh_.add_to(options);
  mixed_.add_to(options);
  rig_space_.add_to(options);
}

Method MethodOptions::method() const {
  for (const NamedMethod& named : methods) {
    if (name_ != named.name) continue;
    refuse_options_of_others(*options_, named);
    return named.method;
  }
  throw usage_error("--method: '" + name_ +
                    "' is not a method of this version, which has flesh, mixed, surface and rigspace.");
}

}  // namespace sinew::cli
