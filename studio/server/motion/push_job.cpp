#include "studio/server/motion/push_job.h"

#include "sinew/base/threads/thread_loan.h"

namespace sinew::studio {

void PushJob::begin(std::shared_ptr<const OpenedCharacter> opened, ReactMotionJob job, Done done) {
  worker_.give(
      [this, opened = std::move(opened), job = std::move(job), done = std::move(done)](const Progress& progress) {
        const ThreadLoan alone;  // other cores are left to the player and the browser
        std::exception_ptr failure;
        Clip clip;
        try {
          report_or_stop(progress, "", 0);
          ReactMotionReport report;
          clip = reaction_of(*opened, job, report, telling(progress, listener_));
        } catch (...) {
          failure = std::current_exception();
        }
        listener_({"", 1});
        done(*opened, std::move(clip), failure);
      });
}

}  // namespace sinew::studio
