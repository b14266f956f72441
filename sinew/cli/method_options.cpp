#include "sinew/cli/method_options.h"

#include <CLI/CLI.hpp>

#include "sinew/base/error.h"

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

// Throws for the first option of another method on the command line.
void refuse_options_of_others(const CLI::App& command, const NamedMethod& chosen) {
  for (const NamedMethod& other : methods)
    for (const CLI::Option* option : command.get_options())
      if (other.method != chosen.method && option->get_group() == other.group && option->count() > 0)
        throw usage_error(option->get_name() + ": is an option of the method " + other.name + ", not of " + chosen.name +
                          "; leave it out or choose --method " + other.name + ".");
  const bool dynamic = chosen.method == Method::flesh || chosen.method == Method::rig_space;
  for (const CLI::Option* option : command.get_options())
    if (!dynamic && option->get_group() == dynamics_group && option->count() > 0)
      throw usage_error(option->get_name() + ": is an option of the methods flesh and rigspace, not of " + chosen.name +
                        "; leave it out.");
  if (chosen.method != Method::surface) return;
  for (const CLI::Option* option : command.get_options())
    if (option->get_group() == body_group && option->count() > 0)
      throw usage_error(option->get_name() + ": says what a body is made of, which the model of the method surface has "
                        "learned already; leave it out, or give it to `sinew fit`.");
}

}  // namespace

void MethodOptions::add_to(CLI::App& command) {
  command_ = &command;
  command.add_option("--method", name_,
                     "Deformer: flesh (default; moves by physics on top of the rig), mixed (poses the body without skin "
                     "weights), surface (moves by a model that `sinew fit` has learned) or rigspace (moves the rig's own controls)");
  body_.add_to(command);
  dynamics_.add_to(command);
  flesh_.add_to(command);
  mixed_.add_to(command);
  rig_space_.add_to(command);
}

Method MethodOptions::method() const {
  for (const NamedMethod& named : methods) {
    if (name_ != named.name) continue;
    refuse_options_of_others(*command_, named);
    return named.method;
  }
  throw usage_error("--method: '" + name_ + "' is not a method of this version, which has flesh, mixed, surface and rigspace.");
}

}  // namespace sinew::cli
