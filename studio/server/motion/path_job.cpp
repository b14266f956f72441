#include "studio/server/motion/path_job.h"

#include "sinew/base/threads/thread_loan.h"

namespace sinew::studio {

void PathJob::begin(std::shared_ptr<const OpenedCharacter> opened, std::string clip, PathEdit edit, Done done) {
  worker_.give([this, opened = std::move(opened), clip = std::move(clip), edit = std::move(edit),
                done = std::move(done)](const Progress& progress) {
    const ThreadLoan alone;  // other cores are left to the player and the browser
    std::exception_ptr failure;
    EditedPath edited;
    try {
      report_or_stop(progress, "", 0);
      if (!editor_ || opened_ != opened || clip_ != clip) {
        editor_.reset();
        opened_ = opened;
        clip_ = clip;
        editor_.emplace(*opened_, clip_);
      }
      edited = editor_->edit(edit);
    } catch (...) {
      failure = std::current_exception();
    }
    done(std::move(edited), failure);
  });
}

}  // namespace sinew::studio
