// A program that is talked to through its standard input and output, with deadlines. For the source of pipe_rig.h.
#pragma once

#include <chrono>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace sinew {

// Errors are input_error, begin with the command as a person would type it, and leave the program ended: nothing can be
// asked of it afterwards. Its standard error goes where this program's does.
class PipeProcess {
 public:
  using Clock = std::chrono::steady_clock;

  // Starts `command` (a program, looked up as a shell does, and its arguments; no shell in between) in `folder`.
  PipeProcess(const std::vector<std::string>& command, const std::filesystem::path& folder);
  // Closes the program's input and gives it a second to end by itself.
  ~PipeProcess();
  PipeProcess(const PipeProcess&) = delete;
  PipeProcess& operator=(const PipeProcess&) = delete;

  // From now on, everything has to be answered within this time.
  void set_deadline(double seconds);
  // Sends all bytes, reading ahead meanwhile, so that neither side waits for the other.
  void send(std::string_view bytes);
  // The next line of the answer, without its end; at most `limit` bytes.
  std::string line(std::size_t limit);
  // The next bytes of the answer.
  void read(std::span<char> bytes);

  // Ends the program and throws input_error with "COMMAND: SENTENCE".
  [[noreturn]] void fail(const std::string& sentence);

 private:
  bool receive(bool send_more, std::string_view& unsent);
  void end(bool at_once);

  std::string name_;
  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1;
  int status_ = 0;         // how it ended
  std::string received_;   // and not asked for yet
  std::size_t taken_ = 0;  // of `received_`
  Clock::time_point deadline_;
  double seconds_ = 0;
};

}  // namespace sinew
