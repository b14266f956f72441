#include "studio/server/beside_job.h"

#include <array>
#include <utility>

#include "sinew/base/simulation_context.h"
#include "sinew/base/stop_in_loops.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/thread_loan.h"
#include "sinew/character/simulation_surface.h"

namespace sinew {
namespace {

constexpr double between_reports = 0.05;  // seconds

std::shared_ptr<const PreparedMethod> prepared(const BesideOrder& order, const Progress& progress) {
  const OpenedCharacter& opened = *order.cast.opened;
  Character character = opened.character;
  if (!order.paint.empty()) put_paint(simulation_surface(opened.character), order.paint, character);
  const std::array clips{character.clips.empty() ? -1 : 0};
  return in_context(character.file, other_body, [&] {
    return std::make_shared<const PreparedMethod>(
        prepare_method(order.choice, *opened.document, character, clips, progress));
  });
}

}  // namespace

void BesideJob::begin(BesideOrder order, Done done) {
  const std::lock_guard lock(mutex_);
  end();
  thread_ = std::thread([this, order = std::move(order), done = std::move(done)] {
    const ThreadLoan alone;  // the other cores are the stage's and the browser's
    const Stopwatch watch;
    double told = 0;
    const Progress progress = [&, told](const ProgressReport& report) mutable {
      if (const double now = watch.seconds(); now - told > between_reports) {
        told = now;
        listener_(report);
      }
      return !stop_.load();
    };
    std::shared_ptr<const PreparedMethod> method;
    std::exception_ptr failure;
    try {
      const StopInLoops stops(progress);
      method = prepared(order, stops.progress());
    } catch (...) {
      failure = std::current_exception();
    }
    listener_({"", 1});
    done(std::move(method), failure);
  });
}

void BesideJob::cancel() {
  const std::lock_guard lock(mutex_);
  end();
}

void BesideJob::end() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  stop_ = false;
}

}  // namespace sinew
