#include "sinew/cli/terminal.h"

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <unistd.h>

#include "sinew/base/stopwatch.h"

namespace sinew::cli {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

extern "C" void on_interrupt(int) {
  stop_requested = 1;
  std::signal(SIGINT, SIG_DFL);
}

std::string minutes(double seconds) {
  char text[32];
  const long whole = static_cast<long>(seconds + 0.5);
  std::snprintf(text, sizeof(text), "%ld:%02ld", whole / 60, whole % 60);
  return text;
}

struct Bar {
  Stopwatch watch;
  bool terminal = isatty(STDERR_FILENO) != 0;
  std::string activity;
  int last_tenth = -1;
  double last_drawn = -1;

  void draw(const ProgressReport& report) {
    const double elapsed = watch.seconds();
    if (terminal) {
      if (report.fraction < 1 && elapsed - last_drawn < 0.05) return;
      last_drawn = elapsed;
      constexpr int width = 30;
      const int filled = static_cast<int>(report.fraction * width);
      std::string bar(static_cast<std::size_t>(filled), '#');
      bar.resize(width, '.');
      // No estimate before there is something to estimate from.
      const std::string left =
          report.fraction > 0.02 && report.fraction < 1 ? minutes(elapsed * (1 - report.fraction) / report.fraction) + " left" : "";
      std::fprintf(stderr, "\r\033[K[%s] %3d %%  %s  %s", bar.c_str(), static_cast<int>(report.fraction * 100),
                   report.activity.c_str(), left.c_str());
      if (report.fraction >= 1) std::fprintf(stderr, "\r\033[K");
    } else {
      const int tenth = static_cast<int>(report.fraction * 10);
      if (report.activity == activity && tenth == last_tenth) return;
      std::fprintf(stderr, "%3d %%  %s\n", static_cast<int>(report.fraction * 100), report.activity.c_str());
      last_tenth = tenth;
    }
    activity = report.activity;
    std::fflush(stderr);
  }
};

}  // namespace

void catch_interrupts() { std::signal(SIGINT, on_interrupt); }
bool interrupted() { return stop_requested != 0; }

Progress terminal_progress(bool quiet) {
  auto bar = std::make_shared<Bar>();
  return [bar, quiet](const ProgressReport& report) {
    if (!quiet) bar->draw(report);
    return !interrupted();
  };
}

}  // namespace sinew::cli
