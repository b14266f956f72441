#include <memory>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/method_options.h"
#include "sinew/cli/verbs.h"
#include "sinew/files/flesh_settings_json.h"
#include "sinew/files/mixed_settings_json.h"
#include "sinew/files/rig_space_settings_json.h"

namespace sinew::cli {

void add_settings(CommandLine& line) {
  struct Options {
    std::string file;
    MethodOptions method;
  };
  Verb& verb = line.add_verb("settings", "FILE", "Write the settings in force to a file (or -, the terminal)");
  const auto options = std::make_shared<Options>();
  verb.options.add("FILE", options->file, "Settings file to write, or -").required();
  options->method.add_to(verb.options);
  verb.action = [options] {
    const Method method = options->method.method();
    if (method == Method::surface)
      throw usage_error("--method: the method surface has no settings; its model, which `sinew fit` makes, says all.");
    if (method == Method::made)
      throw usage_error("--method: the settings of this method are options of the command line; there is no file of them.");
    const std::string text = method == Method::flesh   ? flesh_settings_json(options->method.flesh_settings())
                             : method == Method::mixed ? mixed_settings_json(options->method.mixed_settings())
                                                       : rig_space_settings_json(options->method.rig_space_settings());
    write_text_file(options->file, text);
  };
}

}  // namespace sinew::cli
