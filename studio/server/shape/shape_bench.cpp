#include "studio/server/shape/shape_bench.h"

#include <algorithm>
#include <utility>

#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/base/threads/thread_loan.h"
#include "sinew/deform/settings_fingerprint.h"

namespace sinew::studio {
namespace {

std::uint64_t fingerprint_of(FleshSettings settings) {
  settings.shapes.clear();
  settings.control.clear();
  Fingerprint print;
  add_settings(print, settings_of(std::as_const(settings)));
  return print.value();
}

}  // namespace

void ShapeBench::begin(std::function<void(const Progress&)> task, Done done) {
  worker_.give([this, task = std::move(task), done = std::move(done)](const Progress& progress) {
    std::exception_ptr failure;
    try {
      const ThreadLoan alone;  // other cores are left to the player and the browser
      const StopInLoops stops(telling(progress, listener_));
      report_or_stop(stops.progress(), "", 0);
      task(stops.progress());
    } catch (...) {
      failure = std::current_exception();
    }
    listener_({"", 1});
    done(failure);
  });
}

void ShapeBench::begin(BenchFlesh flesh, Task task, Done done) {
  begin([this, flesh = std::move(flesh), task = std::move(task)](
            const Progress& progress) { task(lay(flesh, part_of(progress, 0, 0.3)), part_of(progress, 0.3, 1)); },
        std::move(done));
}

FittedTransfer& ShapeBench::lay(const TransferFitJob& job, std::uint32_t number, const Progress& progress) {
  const std::uint64_t settings = fingerprint_of(job.flesh);
  const auto written = std::filesystem::last_write_time(job.source);
  const auto same = [](const PointPair& a, const PointPair& b) { return a.source == b.source && a.target == b.target; };
  const bool there =
      transfer_ && transfer_->number == number && transfer_->source == job.source && transfer_->written == written &&
      transfer_->settings == settings &&
      std::equal(transfer_->pairs.begin(), transfer_->pairs.end(), job.pairs.begin(), job.pairs.end(), same);
  if (!there) {
    transfer_.reset();
    transfer_ = LaidTransfer{number, job.source, written, settings, job.pairs, fit_transfer(job, progress)};
  }
  transfer_->fitted.target.body->stiffen({});  // a task that was stopped may have left it stiffer
  transfer_->fitted.source.body->stiffen({});
  return transfer_->fitted;
}

ShapeWork& ShapeBench::lay(const BenchFlesh& flesh, const Progress& progress) {
  const std::uint64_t settings = fingerprint_of(flesh.settings);
  const bool there =
      laid_ && laid_->number == flesh.loaded.number && laid_->settings == settings && laid_->paint == flesh.paint;
  if (!there) {
    laid_.reset();
    std::shared_ptr<const Character> character(flesh.loaded.opened, &flesh.loaded.opened->character);
    if (!flesh.paint.empty()) {
      Character painted = *character;
      put_paint(simulation_surface(painted), flesh.paint, painted);
      character = std::make_shared<const Character>(std::move(painted));
    }
    laid_ = Laid{flesh.loaded.number, flesh.paint, settings, work_on(std::move(character), flesh.settings, progress)};
  }
  laid_->work.file = flesh.rigs;
  laid_->work.body->stiffen({});  // a task that was stopped may have left it stiffer
  return laid_->work;
}

}  // namespace sinew::studio
