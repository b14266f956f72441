// The `sinew` program: one subcommand per use case; errors become one sentence and an exit code.
#include <CLI/CLI.hpp>

#include <exception>
#include <iostream>
#include <new>

#include "sinew/base/error.h"
#include "sinew/cli/verbs.h"

namespace {

constexpr int exit_usage = static_cast<int>(sinew::ErrorKind::usage);
constexpr int exit_simulation = static_cast<int>(sinew::ErrorKind::simulation);

}  // namespace

int main(int argument_count, char** arguments) {
  CLI::App app{"Sinew gives a rigged character flesh.", "sinew"};
  app.require_subcommand(1);
  app.fallthrough();
  sinew::cli::add_animate(app);
  sinew::cli::add_settings(app);
  sinew::cli::add_info(app);
  sinew::cli::add_check(app);
  sinew::cli::add_volume(app);
  sinew::cli::add_compare(app);

  try {
    app.parse(argument_count, arguments);
    return 0;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : exit_usage;
  } catch (const sinew::Error& error) {
    std::cerr << "sinew: " << error.what() << '\n';
    return static_cast<int>(error.kind());
  } catch (const std::bad_alloc&) {
    std::cerr << "sinew: out of memory; use fewer tetrahedra or a shorter range.\n";
    return exit_simulation;
  } catch (const std::exception& error) {
    std::cerr << "sinew: unexpected failure: " << error.what() << '\n';
    return exit_simulation;
  }
}
