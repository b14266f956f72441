#include "sinew/cli/run_program.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/progress.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/threads_refused.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/standard_streams.h"
#include "sinew/cli/terminal.h"
#include "sinew/linalg/vector_target.h"

namespace sinew::cli {
namespace {

constexpr int exit_simulation = static_cast<int>(ErrorKind::simulation);
constexpr int exit_reader_gone = 128 + SIGPIPE;

// Printed once; the results are the same, only slower.
void note_refused_threads(const Program& program) {
  if (const int refused = threads_refused(); refused > 0)
    std::cerr
        << program.name << ": note: the system did not start " << refused << " of the " << refused + thread_count()
        << " threads; the work was done by the others (--threads asks for fewer, `ulimit -u` and `ulimit -v` show "
           "the limits).\n";
}

int exit_code_of(const Program& program, void (*add_verbs)(CommandLine& line), int argument_count, char** arguments) {
  const auto complain = [&](const std::string& sentence, int exit_code) {
    clear_progress();
    std::cerr << program.name << ": " << printable(sentence) << '\n';
    return exit_code;
  };
  try {
    use_vector_target_from_environment();
    check_threads_variable();
    CommandLine line(program);
    add_verbs(line);
    keep_standard_output(argument_count, arguments);
    line.run(std::vector<std::string>(arguments + std::min(argument_count, 1), arguments + argument_count));
    note_refused_threads(program);
    return 0;
  } catch (const Interrupted& stop) {
    return stop.exit_code;
  } catch (const Stopped&) {
    return complain("stopped on request; no result was written.", interruption().exit_code);
  } catch (const ReaderGone&) {
    return exit_reader_gone;
  } catch (const Error& error) {
    return complain(error.what(), static_cast<int>(error.kind()));
  } catch (const std::bad_alloc&) {
    return complain("out of memory; use fewer tetrahedra or a shorter range.", exit_simulation);
  } catch (const std::exception& error) {
    return complain(std::string("unexpected failure: ") + error.what(), exit_simulation);
  }
}

}  // namespace

int run_program(const Program& program, void (*add_verbs)(CommandLine& line), int argument_count, char** arguments) {
  guard_standard_streams();
  return finish_standard_output(program.name, exit_code_of(program, add_verbs, argument_count, arguments));
}

}  // namespace sinew::cli
