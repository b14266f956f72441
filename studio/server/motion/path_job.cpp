#include "studio/server/motion/path_job.h"

#include "sinew/base/threads/thread_loan.h"

namespace sinew::studio {
namespace {

// Calls `done` with what `make` returns, or with why it returns nothing.
template <class Made, class Make, class Done>
void make_clip(const Progress& progress, const Make& make, const Done& done) {
  const ThreadLoan alone;  // other cores are left to the player and the browser
  std::exception_ptr failure;
  Made made;
  try {
    report_or_stop(progress, "", 0);
    made = make();
  } catch (...) {
    failure = std::current_exception();
  }
  done(std::move(made), failure);
}

}  // namespace

void PathJob::edit(std::shared_ptr<const OpenedCharacter> opened, std::string clip, PathEdit edit, Edited done) {
  worker_.give([this, opened = std::move(opened), clip = std::move(clip), edit = std::move(edit),
                done = std::move(done)](const Progress& progress) {
    const auto edited = [&] {
      if (!editor_ || opened_ != opened || clip_ != clip) {
        editor_.reset();
        opened_ = opened;
        clip_ = clip;
        editor_.emplace(*opened_, clip_);
      }
      return editor_->edit(edit);
    };
    make_clip<EditedPath>(progress, edited, done);
  });
}

void PathJob::draw(std::shared_ptr<const OpenedCharacter> opened, DrawnStroke stroke, Drawn done) {
  worker_.give(
      [opened = std::move(opened), stroke = std::move(stroke), done = std::move(done)](const Progress& progress) {
        make_clip<DrawnMotion>(
            progress, [&] { return drawn_motion(*opened, stroke); }, done);
      });
}

}  // namespace sinew::studio
