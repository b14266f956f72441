// The `sinew` program: one verb per use case; errors become one sentence and an exit code.
#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/parallel.h"
#include "sinew/base/progress.h"
#include "sinew/base/threads_refused.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/standard_streams.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"

namespace {

constexpr int exit_simulation = static_cast<int>(sinew::ErrorKind::simulation);
constexpr int exit_reader_gone = 128 + SIGPIPE;

// Once, whatever was done: results are the same, only later.
void note_refused_threads() {
  if (const int refused = sinew::threads_refused(); refused > 0)
    std::cerr << "sinew: note: the system did not start " << refused << " of the " << refused + sinew::thread_count()
              << " threads; the work was done by the others (--threads asks for fewer, `ulimit -u` and `ulimit -v` show "
                 "the limits).\n";
}

int complain(const std::string& sentence, int exit_code) {
  sinew::cli::clear_progress();
  std::cerr << "sinew: " << sinew::printable(sentence) << '\n';
  return exit_code;
}

int run(int argument_count, char** arguments) {
  try {
    sinew::cli::CommandLine line;
    sinew::cli::add_animate(line);
    sinew::cli::add_settings(line);
    sinew::cli::add_info(line);
    sinew::cli::add_check(line);
    sinew::cli::add_flesh(line);
    sinew::cli::add_volume(line);
    sinew::cli::add_lattice(line);
    sinew::cli::add_learn(line);
    sinew::cli::add_fit(line);
    sinew::cli::add_compare(line);
    sinew::cli::add_bench(line);
    sinew::cli::keep_standard_output(argument_count, arguments);
    line.run(std::vector<std::string>(arguments + std::min(argument_count, 1), arguments + argument_count));
    note_refused_threads();
    return 0;
  } catch (const sinew::cli::Interrupted& interruption) {
    return interruption.exit_code;
  } catch (const sinew::Stopped&) {
    return complain("stopped on request; no result was written.", sinew::cli::interruption().exit_code);
  } catch (const sinew::ReaderGone&) {
    return exit_reader_gone;
  } catch (const sinew::Error& error) {
    return complain(error.what(), static_cast<int>(error.kind()));
  } catch (const std::bad_alloc&) {
    return complain("out of memory; use fewer tetrahedra or a shorter range.", exit_simulation);
  } catch (const std::exception& error) {
    return complain(std::string("unexpected failure: ") + error.what(), exit_simulation);
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  sinew::cli::guard_standard_streams();
  return sinew::cli::finish_standard_output(run(argument_count, arguments));
}
