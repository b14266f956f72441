#include "studio/server/live/comparison_job.h"

#include <utility>

#include "sinew/base/simulation_context.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/base/threads/thread_loan.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/cook.h"

namespace sinew::studio {
namespace {

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
  worker_.give([this, request = std::move(request), done = std::move(done)](const Progress& progress) {
    const ThreadLoan alone;  // other cores are left to the player and the browser
    std::shared_ptr<const Scene> scene;
    std::exception_ptr failure;
    try {
      const StopInLoops stops(telling(progress, listener_));
      report_or_stop(stops.progress(), "", 0);
      scene = cooked(request, stops.progress());
    } catch (...) {
      failure = std::current_exception();
    }
    listener_({"", 1});
    done(std::move(scene), failure);
  });
}

void ComparisonJob::cancel() {
  worker_.cancel();
  worker_.wait();
}

}  // namespace sinew::studio
