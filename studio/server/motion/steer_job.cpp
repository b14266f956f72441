#include "studio/server/motion/steer_job.h"

#include "sinew/base/threads/thread_loan.h"

namespace sinew::studio {

void SteerJob::begin(std::shared_ptr<const OpenedCharacter> opened, Done done) {
  worker_.give([this, opened = std::move(opened), done = std::move(done)](const Progress& progress) {
    const ThreadLoan alone;  // other cores are left to the player and the browser
    std::exception_ptr failure;
    try {
      report_or_stop(progress, "", 0);
      if (!kept_ || kept_->opened != opened) {
        kept_.reset();
        kept_ = make_live_graph(opened, telling(progress, listener_));
      }
    } catch (...) {
      failure = std::current_exception();
    }
    listener_({"", 1});
    done(failure ? nullptr : kept_, failure);
  });
}

}  // namespace sinew::studio
