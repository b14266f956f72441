#include "sinew/cli/method_options.h"

#include <CLI/CLI.hpp>

#include "sinew/base/error.h"

namespace sinew::cli {
namespace {

// Throws for the first option of `group` on the command line.
void refuse_options(const CLI::App& command, const std::string& group, const std::string& method,
                    const std::string& other_method) {
  for (const CLI::Option* option : command.get_options())
    if (option->get_group() == group && option->count() > 0)
      throw usage_error(option->get_name() + ": is an option of the method " + other_method + ", not of " + method +
                        "; leave it out or choose --method " + other_method + ".");
}

}  // namespace

void MethodOptions::add_to(CLI::App& command) {
  command_ = &command;
  command.add_option("--method", name_,
                     "Deformer: flesh (default; moves by physics on top of the rig) or mixed (poses the body without "
                     "skin weights)");
  body_.add_to(command);
  flesh_.add_to(command);
  mixed_.add_to(command);
}

Method MethodOptions::method() const {
  if (name_ == "flesh") {
    refuse_options(*command_, mixed_group, "flesh", "mixed");
    return Method::flesh;
  }
  if (name_ == "mixed") {
    refuse_options(*command_, flesh_group, "mixed", "flesh");
    return Method::mixed;
  }
  throw usage_error("--method: '" + name_ + "' is not a method of this version, which has flesh and mixed.");
}

}  // namespace sinew::cli
