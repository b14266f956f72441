#include "sinew/rig/outside/pipe_rig_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include "sinew/base/error.h"

namespace sinew {
namespace {

constexpr auto patience = std::chrono::seconds(1);  // for a program that was asked to exit
constexpr auto pause = std::chrono::milliseconds(2);
constexpr std::size_t bytes_at_once = std::size_t{1} << 18;

std::string reason(int error) { return std::generic_category().message(error); }

std::string spelled(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text.size() > 200 ? text.substr(0, 200) + "..." : text;
}

void close_descriptor(int& descriptor) {
  if (descriptor >= 0) ::close(descriptor);
  descriptor = -1;
}

// Runs in the child between fork and exec, where only system calls are allowed. Reports failures through `report`.
[[noreturn]] void become(char* const* arguments, const char* folder, int input, int output, int report) {
  // Detaches from the terminal's signals: the caller decides when to stop, and closes the input.
  ::setpgid(0, 0);
  // The caller may ignore or block signals; the program should not inherit that.
  ::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  std::array<int, 2> failure{0, 0};
  if (::dup2(input, 0) < 0 || ::dup2(output, 1) < 0) {
    failure = {1, errno};
  } else if (::chdir(folder) != 0) {
    failure = {2, errno};
  } else {
    ::execvp(arguments[0], arguments);
    failure = {3, errno};
  }
  [[maybe_unused]] const ssize_t transferred = ::write(report, failure.data(), sizeof failure);
  ::_exit(127);
}

}  // namespace

PipeProcess::PipeProcess(const std::vector<std::string>& command, const std::filesystem::path& folder)
    : name_(std::string(1, '`').append(spelled(command)).append(1, '`')) {
  if (command.empty()) throw input_error("the command of a rig is empty; name a program.");
  std::vector<char*> arguments;
  // exec takes them without const, and does not change them.
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const std::string place = folder.empty() ? "." : folder.string();

  std::array<int, 2> input{-1, -1}, output{-1, -1}, report{-1, -1};
  const auto close_all = [&] {
    for (std::array<int, 2>* pair : {&input, &output, &report})
      for (int& descriptor : *pair) close_descriptor(descriptor);
  };
  // A socket for writing, since writing to a pipe without a reader would raise SIGPIPE in the whole program.
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input.data()) != 0 ||
      ::pipe2(output.data(), O_CLOEXEC) != 0 || ::pipe2(report.data(), O_CLOEXEC) != 0) {
    const int error = errno;
    close_all();
    throw input_error(name_ + ": the rig cannot be started: " + reason(error));
  }
  child_ = ::fork();
  if (child_ == 0) become(arguments.data(), place.c_str(), input[1], output[1], report[1]);
  const int fork_error = errno;
  close_descriptor(input[1]);
  close_descriptor(output[1]);
  close_descriptor(report[1]);
  if (child_ < 0) {
    close_all();
    throw input_error(name_ + ": the rig cannot be started: " + reason(fork_error));
  }
  std::array<int, 2> failure{0, 0};
  ssize_t transferred;
  do transferred = ::read(report[0], failure.data(), sizeof failure);
  while (transferred < 0 && errno == EINTR);
  close_descriptor(report[0]);
  to_child_ = input[0];
  from_child_ = output[0];
  if (transferred == static_cast<ssize_t>(sizeof failure)) {
    const std::string what = failure[0] == 2 ? "its folder " + place + ": " : "";
    fail("the rig cannot be started: " + what + reason(failure[1]) + "; check \"command\".");
  }
  ::fcntl(from_child_, F_SETFL, ::fcntl(from_child_, F_GETFL) | O_NONBLOCK);
  set_deadline(0);
}

PipeProcess::~PipeProcess() { end(false); }

void PipeProcess::set_deadline(double seconds) {
  seconds_ = seconds;
  deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

// Never leaves a zombie process.
void PipeProcess::end(bool at_once) {
  close_descriptor(to_child_);
  close_descriptor(from_child_);
  received_.clear();
  taken_ = 0;
  if (child_ <= 0) return;
  const auto give_up = Clock::now() + (at_once ? Clock::duration::zero() : Clock::duration(patience));
  pid_t ended = 0;
  while ((ended = ::waitpid(child_, &status_, WNOHANG)) == 0 && Clock::now() < give_up)
    std::this_thread::sleep_for(pause);
  if (ended == 0) {
    // Kills the whole process group.
    if (::kill(-child_, SIGKILL) != 0) ::kill(child_, SIGKILL);
    while (::waitpid(child_, &status_, 0) < 0 && errno == EINTR) {
    }
  }
  child_ = -1;
}

void PipeProcess::fail(const std::string& sentence) {
  end(true);
  throw input_error(name_ + ": " + sentence);
}

// Waits until bytes can be read, or written if `send_more`, and transfers what is possible. False at the end of the
// output.
bool PipeProcess::receive(bool send_more, std::string_view& unsent) {
  if (child_ <= 0) throw input_error(name_ + ": the rig failed before and cannot be asked again.");
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now()).count();
  std::array<pollfd, 2> wait{pollfd{from_child_, POLLIN, 0}, pollfd{to_child_, POLLOUT, 0}};
  const int milliseconds = static_cast<int>(std::clamp<long long>(left, 0, 1'000'000'000));
  const int ready = ::poll(wait.data(), send_more ? 2 : 1, milliseconds);
  if (ready < 0 && errno == EINTR) return true;
  if (ready < 0) fail("the rig cannot be reached: " + reason(errno));
  if (ready == 0) {
    std::string seconds = std::to_string(seconds_);
    seconds.erase(seconds.find_last_not_of('0') + 1);
    if (seconds.back() == '.') seconds.pop_back();
    fail("the rig did not answer within " + seconds +
         " s; see whether it waits for something, or give it more with \"timeout\".");
  }
  if (send_more && wait[1].revents != 0) {
    const ssize_t sent = ::send(to_child_, unsent.data(), unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent >= 0) {
      unsent.remove_prefix(static_cast<std::size_t>(sent));
    } else if (errno == EPIPE || errno == ECONNRESET) {
      unsent = {};  // it does not listen any more; its last words tell the reason
    } else if (errno != EAGAIN && errno != EINTR) {
      fail("the rig cannot be reached: " + reason(errno));
    }
  }
  if (wait[0].revents == 0) return true;
  received_.erase(0, taken_);
  taken_ = 0;
  const std::size_t before = received_.size();
  received_.resize(before + bytes_at_once);
  const ssize_t got = ::read(from_child_, received_.data() + before, bytes_at_once);
  const int error = errno;
  received_.resize(before + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  if (got > 0 || (got < 0 && (error == EAGAIN || error == EINTR))) return true;
  if (got < 0) fail("the rig cannot be reached: " + reason(error));
  return false;
}

void PipeProcess::send(std::string_view bytes) {
  if (taken_ < received_.size()) fail("the rig answered more than it was asked for.");
  std::string_view unsent = bytes;
  while (!unsent.empty())
    if (!receive(true, unsent)) return;  // line() says so
}

std::string PipeProcess::line(std::size_t limit) {
  std::string_view nothing;
  std::size_t searched = taken_;
  while (true) {
    const std::size_t end_of_line = received_.find('\n', searched);
    if (end_of_line != std::string::npos) {
      std::string text = received_.substr(taken_, end_of_line - taken_);
      taken_ = end_of_line + 1;
      return text;
    }
    if (received_.size() - taken_ > limit)
      fail("the rig answered more than " + std::to_string(limit) + " bytes without an end of line.");
    const std::size_t known = received_.size() - taken_;
    if (!receive(false, nothing)) {
      // Its output is closed; the exit status tells more, if it exits.
      end(false);
      std::string how = "closed its output";
      if (WIFEXITED(status_)) how = "ended with exit code " + std::to_string(WEXITSTATUS(status_));
      if (WIFSIGNALED(status_) && WTERMSIG(status_) != SIGKILL)
        how = "died of signal " + std::to_string(WTERMSIG(status_));
      throw input_error(name_ + ": the rig " + how + " instead of answering; run the command by itself to see why.");
    }
    searched = taken_ + known;
  }
}

void PipeProcess::read(std::span<char> bytes) {
  std::string_view nothing;
  std::size_t filled = 0;
  while (true) {
    const std::size_t take = std::min(bytes.size() - filled, received_.size() - taken_);
    std::copy_n(received_.data() + taken_, take, bytes.data() + filled);
    taken_ += take;
    filled += take;
    if (filled == bytes.size()) return;
    if (!receive(false, nothing))
      fail("the rig answered " + std::to_string(filled) + " bytes instead of " + std::to_string(bytes.size()) +
           " and ended.");
  }
}

}  // namespace sinew
