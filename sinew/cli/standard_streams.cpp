#include "sinew/cli/standard_streams.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string_view>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew::cli {
namespace {

extern "C" void do_nothing(int) {}

bool names_standard_output(std::string_view argument) {
  return argument == "-" || argument == "-o-" || (argument.starts_with("--") && argument.ends_with("=-"));
}

bool reader_is_gone() {
  pollfd output{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&output, 1, 0) == 1 && (output.revents & POLLERR) != 0;
}

}  // namespace

void guard_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    // The system assigns the lowest free number, which is this one.
    if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDWR) != stream) std::abort();
  // A handler instead of SIG_IGN, which child processes would inherit.
  std::signal(SIGPIPE, do_nothing);
  std::signal(SIGXFSZ, do_nothing);
}

void keep_standard_output(int argument_count, char** arguments) {
  for (int i = 1; i < argument_count; ++i)
    if (names_standard_output(arguments[i])) return keep_standard_output_for_files();
}

int finish_standard_output(const std::string& program, int exit_code) {
  std::cout.flush();
  const bool sent = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && !std::cout.fail();
  const int error = errno;
  if (sent || exit_code != 0) return exit_code;
  if (reader_is_gone()) return 128 + SIGPIPE;
  std::fprintf(
      stderr, "%s: standard output: the text could not be written completely (%s); all requested files were written.\n",
      program.c_str(), std::strerror(error));
  return static_cast<int>(ErrorKind::usage);
}

}  // namespace sinew::cli
