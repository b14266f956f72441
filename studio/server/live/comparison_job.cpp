#include "studio/server/live/comparison_job.h"

#include <utility>

#include "sinew/base/simulation_context.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/base/threads/thread_loan.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/cook.h"

namespace sinew::studio {
namespace {

constexpr double between_reports = 0.05;  // seconds

std::shared_ptr<const Scene> cooked(const ComparisonRequest& request, const Progress& progress) {
  const OpenedCharacter& opened = *request.loaded.opened;
  Character character = opened.character;
  if (!request.paint.empty()) put_paint(simulation_surface(opened.character), request.paint, character);
  const int clip = character.clips.empty() ? -1 : 0;
  return in_context(character.file, other_body, [&] {
    return std::make_shared<const Scene>(cook(*request.choice, {character, {clip}}, progress));
  });
}

}  // namespace

void ComparisonJob::begin(ComparisonRequest request, Done done) {
  const std::lock_guard lock(mutex_);
  end();
  thread_ = std::thread([this, request = std::move(request), done = std::move(done)] {
    const ThreadLoan alone;  // other cores are left to the player and the browser
    const Stopwatch watch;
    double told = 0;
    const Progress progress = [&, told](const ProgressReport& report) mutable {
      if (const double now = watch.seconds(); now - told > between_reports) {
        told = now;
        listener_(report);
      }
      return !stop_.load();
    };
    std::shared_ptr<const Scene> scene;
    std::exception_ptr failure;
    try {
      const StopInLoops stops(progress);
      scene = cooked(request, stops.progress());
    } catch (...) {
      failure = std::current_exception();
    }
    listener_({"", 1});
    done(std::move(scene), failure);
  });
}

void ComparisonJob::cancel() {
  const std::lock_guard lock(mutex_);
  end();
}

void ComparisonJob::end() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  stop_ = false;
}

}  // namespace sinew::studio
