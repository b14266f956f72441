#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

#include "sinew/base/file.h"
#include "sinew/cli/flesh_options.h"
#include "sinew/cli/verbs.h"
#include "sinew/io/flesh_settings_json.h"

namespace sinew::cli {

void add_settings(CLI::App& app) {
  struct Options {
    std::string file;
    FleshOptions flesh;
  };
  CLI::App* command =
      app.add_subcommand("settings", "Write the flesh settings in force to a file (or -, the terminal)");
  const auto options = std::make_shared<Options>();
  command->add_option("FILE", options->file, "Settings file to write, or -")->required();
  options->flesh.add_to(*command);
  command->callback([options] {
    const std::string text = flesh_settings_json(options->flesh.settings());
    if (options->file == "-")
      std::cout << text;
    else
      write_text_file(options->file, text);
  });
}

}  // namespace sinew::cli
