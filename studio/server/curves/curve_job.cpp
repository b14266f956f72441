#include "studio/server/curves/curve_job.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/base/threads/thread_loan.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/defects.h"
#include "sinew/cook/cook.h"
#include "sinew/deform/rig_controls.h"
#include "studio/server/cook/paint_layer.h"
#include "studio/server/curves/curve_keys.h"
#include "studio/server/live/live_clip.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {
namespace {

constexpr double between_chunks = 0.1;  // seconds of the clock
constexpr int cycles_of_loop = 2;       // the second one begins as it ends

int clip_number(const CurveRequest& request) {
  return request.clip.empty() ? -1 : choose_clip(request.loaded.opened->character, request.clip);
}

int cycles_of(const CurveRequest& request, int clip) {
  if (clip < 0) return 1;
  const Character& character = request.loaded.opened->character;
  const Clip& played = character.clips[static_cast<std::size_t>(clip)];
  refuse_outlier_clip(character, &played);
  const Scene& scene = *request.loaded.scene;
  const ClipEnd end = live_ending(character, *scene.surface, played, scene.may_travel());
  return end.ending == Ending::moving_on ? cycles_of_loop : 1;
}

const char* unit_of(RigUnit unit) {
  switch (unit) {
    case RigUnit::metres:
      return "m";
    case RigUnit::radians:
      return "rad";
    case RigUnit::logarithm:
      return "ln";
    case RigUnit::weight:
    case RigUnit::other:
      break;
  }
  return "";
}

// Name, unit and ranges of each curve. `keyed`: the clip has keys for it, so that the curve is an offset from them.
PageJson controls_of(const Scene& scene, int clip, std::span<const ControlRange> curves) {
  PageJson controls = PageJson::array();
  const RigAnimation* animation = scene.controls->animation(clip);
  const std::vector<char> still = animation ? animation->still() : std::vector<char>();
  for (std::size_t k = 0; k < curves.size(); ++k) {
    const auto parameter = static_cast<std::size_t>(scene.curves[k]);
    const RigParameter& of = scene.controls->rig->parameters()[parameter];
    controls.push_back({{"name", curves[k].name},
                        {"unit", unit_of(of.unit)},
                        {"rest", of.rest},
                        {"offset", animation && animation->keyed()[parameter] && !still[parameter]}});
  }
  return controls;
}

}  // namespace

void CurveJob::begin(CurveRequest request) {
  {
    const std::lock_guard lock(mutex_);
    if (last_ == request) return;
    last_ = request;
  }
  worker_.give([this, request = std::move(request)](const Progress& progress) { run(request, progress); });
}

void CurveJob::stop() {
  {
    const std::lock_guard lock(mutex_);
    last_.reset();
    known_ = {};
  }
  worker_.give([this](const Progress&) {  // its states take memory
    run_.reset();
    of_run_.reset();
  });
}

std::vector<PageJson> CurveJob::known() const {
  const std::lock_guard lock(mutex_);
  if (known_.head.is_null()) return {};
  const std::size_t count = known_.frames * known_.head["controls"].size();
  PageJson frames{{"event", "curve_frames"},
                  {"run", known_.head["run"]},
                  {"from", 0},
                  {"values", base64(std::span(known_.values).first(std::min(count, known_.values.size())))},
                  {"ended", known_.ended}};
  return {known_.head, std::move(frames)};
}

void CurveJob::run(const CurveRequest& request, const Progress& progress) {
  const ThreadLoan alone;  // other cores are left to the player and the browser
  std::string failure;
  try {
    const StopInLoops stops(progress);
    report_or_stop(stops.progress(), "", 0);
    in_context(request.loaded.opened->character.file, other_body, [&] {
      std::size_t from = prepare(request);
      if (from > 0) tell(0, from, false);  // a page may have begun to listen since
      Stopwatch watch;
      while (!run_->done()) {
        report_or_stop(stops.progress(), "", 0);
        run_->advance();
        const bool cycle_ends = run_->next_frame() == 0;
        if (watch.seconds() < between_chunks && !cycle_ends) continue;
        watch.lap();
        tell(from, cycle_ends ? run_->frames() : run_->next_frame(), run_->done());
        from = run_->next_frame();
      }
      return 0;
    });
  } catch (const Stopped&) {
  } catch (...) {
    failure = sentence_of(std::current_exception());
    run_.reset();
  }
  if (!failure.empty()) listener_({{"event", "failed"}, {"what", "curves"}, {"error", failure}});
}

// Makes the run of a request, or goes on with the last one where its keys alone have changed. Returns the first frame
// that will be computed.
std::size_t CurveJob::prepare(const CurveRequest& request) {
  const bool goes_on = run_ && of_run_ && of_run_->loaded.opened == request.loaded.opened &&
                       of_run_->clip == request.clip &&
                       of_run_->loaded.scene->unkeyed_fingerprint == request.loaded.scene->unkeyed_fingerprint;
  std::size_t first = 0;
  const CurveRequest before = std::exchange(of_run_, request).value_or(request);
  const Scene& scene = *request.loaded.scene;
  if (goes_on) {
    first = run_->change(scene);
  } else {
    run_.reset();
    const int clip = clip_number(request);
    CurveRunOptions options;
    options.clip = clip;
    options.cycles = cycles_of(request, clip);
    run_.emplace(request.loaded.opened->character, scene, options);
  }
  ++number_;
  const PageJson head = head_of(first);
  {
    const std::lock_guard lock(mutex_);
    if (last_ == of_run_) {  // nothing is known of a run that was stopped meanwhile
      known_.head = head;
      known_.ended = false;
      known_.frames = first;
      known_.values.resize(goes_on ? known_.values.size() : 0);
    }
  }
  listener_(head);
  return first;
}

PageJson CurveJob::head_of(std::size_t first) const {
  const Scene& scene = *of_run_->loaded.scene;
  const int clip = clip_number(*of_run_);
  PageJson head{{"event", "curves"}, {"run", number_}, {"clip", of_run_->clip}};
  head["start"] = run_->start();
  head["frames_per_second"] = run_->frames_per_second();
  head["frames"] = run_->frames();
  head["first"] = first;
  head["controls"] = controls_of(scene, clip, run_->controls());
  head["keys"] = keys_state(scene.fixed_keys.of(of_run_->clip));
  return head;
}

// Tells frames `from` up to `to`.
void CurveJob::tell(std::size_t from, std::size_t to, bool ended) {
  const std::size_t count = run_->controls().size();
  const std::vector<double>& all = run_->curves().values;
  const std::vector<float> values(all.begin() + static_cast<std::ptrdiff_t>(from * count),
                                  all.begin() + static_cast<std::ptrdiff_t>(to * count));
  {
    const std::lock_guard lock(mutex_);
    if (last_ == of_run_) {
      known_.values.resize(std::max(known_.values.size(), to * count));
      std::copy(values.begin(), values.end(), known_.values.begin() + static_cast<std::ptrdiff_t>(from * count));
      known_.frames = std::max(known_.frames, to);
      known_.ended = ended;
    }
  }
  listener_(
      {{"event", "curve_frames"}, {"run", number_}, {"from", from}, {"values", base64(values)}, {"ended", ended}});
}

}  // namespace sinew::studio
