// A child process that is used through its standard input and output, with deadlines. For pipe_rig.cpp.
#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace sinew {

// Errors are input_error, begin with the command as a user would type it, and end the process, which cannot be used
// afterwards. Its standard error is passed through.
class PipeProcess {
 public:
  using Clock = std::chrono::steady_clock;

  // Starts `command` (a program, which is looked up as a shell would, and its arguments; no shell is involved) in
  // `folder`.
  PipeProcess(const std::vector<std::string>& command, const std::filesystem::path& folder);
  // Closes the process's input and gives it a second to exit.
  ~PipeProcess();
  PipeProcess(const PipeProcess&) = delete;
  PipeProcess& operator=(const PipeProcess&) = delete;

  // Sets the time within which everything from now on must be answered.
  void set_deadline(double seconds);
  // Sends all bytes, and reads available output meanwhile, so that neither side blocks the other.
  void send(std::string_view bytes);
  // The next line of output, without its line end; at most `limit` bytes.
  std::string line(std::size_t limit);
  // The next bytes of output.
  void read(std::span<char> bytes);

  // Ends the process and throws input_error with "COMMAND: SENTENCE".
  [[noreturn]] void fail(const std::string& sentence);

 private:
  bool receive(bool send_more, std::string_view& unsent);
  void end(bool at_once);

  std::string name_;
  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1;
  int status_ = 0;         // exit status
  std::string received_;   // received, but not consumed yet
  std::size_t taken_ = 0;  // consumed part of `received_`
  Clock::time_point deadline_;
  double seconds_ = 0;
};

}  // namespace sinew
