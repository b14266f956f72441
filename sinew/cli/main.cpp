// The `sinew` program: one subcommand per use case; errors become one sentence and an exit code.
#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/progress.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"

namespace {

constexpr int exit_usage = static_cast<int>(sinew::ErrorKind::usage);
constexpr int exit_simulation = static_cast<int>(sinew::ErrorKind::simulation);

int complain(const std::string& sentence, int exit_code) {
  sinew::cli::clear_progress();
  std::cerr << "sinew: " << sinew::cli::printable(sentence) << '\n';
  return exit_code;
}

std::string verb_list(const CLI::App& app) {
  std::string list;
  for (const CLI::App* verb : app.get_subcommands({})) list += (list.empty() ? "" : ", ") + verb->get_name();
  return list;
}

// What is wrong with the command line, and where to look.
std::string usage_sentence(const CLI::App& app, const CLI::ParseError& error, int argument_count, char** arguments) {
  const std::vector<CLI::App*> verbs = app.get_subcommands();
  if (verbs.empty()) {
    const std::string word = argument_count > 1 ? arguments[1] : "";
    if (word.empty() || word[0] == '-') return "say what to do: " + verb_list(app) + " (`sinew --help` tells more).";
    return "'" + word + "' is not something to do; it can be " + verb_list(app) + ".";
  }
  std::string what = error.what();
  if (!what.empty() && what.back() == '.') what.pop_back();
  return what + "; `sinew " + verbs.front()->get_name() + " --help` lists the options.";
}

}  // namespace

int main(int argument_count, char** arguments) {
  CLI::App app{"Sinew gives a rigged character flesh.", "sinew"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "sinew " SINEW_VERSION, "Print the version and exit");
  sinew::cli::add_animate(app);
  sinew::cli::add_settings(app);
  sinew::cli::add_info(app);
  sinew::cli::add_check(app);
  sinew::cli::add_flesh(app);
  sinew::cli::add_volume(app);
  sinew::cli::add_lattice(app);
  sinew::cli::add_learn(app);
  sinew::cli::add_fit(app);
  sinew::cli::add_compare(app);
  sinew::cli::add_bench(app);
  app.footer(
      "Exit codes: 0 done, 2 bad usage, 3 bad input, 4 simulation failed, 130 interrupted.\n"
      "`sinew VERB --help` lists the options of a verb.");

  try {
    app.parse(argument_count, arguments);
    return 0;
  } catch (const CLI::ParseError& error) {
    // --help and --version come as errors without a code.
    if (error.get_exit_code() == 0) return app.exit(error);
    return complain(usage_sentence(app, error, argument_count, arguments), exit_usage);
  } catch (const sinew::cli::Interrupted& interruption) {
    return interruption.exit_code;
  } catch (const sinew::Stopped&) {
    return complain("stopped on request; no result was written.", sinew::cli::interruption().exit_code);
  } catch (const sinew::Error& error) {
    return complain(error.what(), static_cast<int>(error.kind()));
  } catch (const std::bad_alloc&) {
    return complain("out of memory; use fewer tetrahedra or a shorter range.", exit_simulation);
  } catch (const std::exception& error) {
    return complain(std::string("unexpected failure: ") + error.what(), exit_simulation);
  }
}
