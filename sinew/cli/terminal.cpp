#include "sinew/cli/terminal.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>

#include "sinew/base/stopwatch.h"

namespace sinew::cli {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

extern "C" void on_interrupt(int signal) {
  stop_requested = signal;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool bar_is_drawn = false;

std::string minutes(double seconds) {
  char text[32];
  const long whole = static_cast<long>(seconds + 0.5);
  std::snprintf(text, sizeof(text), "%ld:%02ld", whole / 60, whole % 60);
  return text;
}

struct Bar {
  Stopwatch watch;
  bool terminal = isatty(STDERR_FILENO) != 0;
  std::string activity, last_activity;  // as displayed, and as reported
  int last_tenth = -1;
  double last_drawn = -1;

  void draw(const ProgressReport& report) {
    const double elapsed = watch.seconds();
    const bool same_activity = report.activity == last_activity;
    if (!same_activity) activity = printable(report.activity);
    last_activity = report.activity;
    if (terminal) {
      if (report.fraction < 1 && elapsed - last_drawn < 0.05) return;
      last_drawn = elapsed;
      constexpr int width = 30;
      const int filled = static_cast<int>(report.fraction * width);
      std::string bar(static_cast<std::size_t>(filled), '#');
      bar.resize(width, '.');
      // No estimate until there is something to estimate from.
      const std::string left = report.fraction > 0.02 && report.fraction < 1
                                   ? minutes(elapsed * (1 - report.fraction) / report.fraction) + " left"
                                   : "";
      std::fprintf(stderr, "\r\033[K[%s] %3d %%  %s  %s", bar.c_str(), static_cast<int>(report.fraction * 100),
                   activity.c_str(), left.c_str());
      bar_is_drawn = true;
      if (report.fraction >= 1) clear_progress();
    } else {
      const int tenth = static_cast<int>(report.fraction * 10);
      if (same_activity && tenth == last_tenth) return;
      std::fprintf(stderr, "%3d %%  %s\n", static_cast<int>(report.fraction * 100), activity.c_str());
      last_tenth = tenth;
    }
    std::fflush(stderr);
  }
};

}  // namespace

void clear_progress() {
  if (bar_is_drawn) std::fprintf(stderr, "\r\033[K");
  bar_is_drawn = false;
}

void catch_interrupts() {
  std::signal(SIGINT, on_interrupt);
  std::signal(SIGTERM, on_interrupt);
}
bool interrupted() { return stop_requested != 0; }
Interrupted interruption() { return {128 + static_cast<int>(stop_requested)}; }

Progress terminal_progress(bool quiet) {
  auto bar = std::make_shared<Bar>();
  return [bar, quiet](const ProgressReport& report) {
    if (!quiet) bar->draw(report);
    return !interrupted();
  };
}

}  // namespace sinew::cli
