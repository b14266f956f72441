#include "sinew/bake/curve_run.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/deform/rig_controls.h"

namespace sinew {
namespace {

constexpr std::size_t most_kept = 200;  // states: long clips keep them farther apart

BakeOptions as_baked(const CurveRunOptions& options) {
  BakeOptions baked;
  baked.clip = options.clip;
  baked.frames_per_second = options.frames_per_second;
  return baked;
}

}  // namespace

CurveRun::CurveRun(const Character& character, const Scene& scene, const CurveRunOptions& options)
    : character_(character),
      scene_(&scene),
      clip_(clip_of(character, as_baked(options))),
      time_(time_line(character, as_baked(options), scene.preroll)) {
  if (scene.curves.empty())
    throw usage_error("the method " + scene.method + " computes no curves of controls; choose rigspace.");
  if (scene.controls) controls_ = scene.controls->animation(options.clip);
  time_.loop = options.cycles > 1 && time_.length > 0;
  cycles_ = time_.loop ? static_cast<std::size_t>(options.cycles) : 1;
  kept_every_ = static_cast<std::size_t>(std::max(1.0, std::round(options.kept_every * options.frames_per_second)));
  kept_every_ = std::max(kept_every_, cycles_ * frames() / most_kept + 1);
  curves_.clip = options.clip;
  curves_.parameters = scene.curves;
  begin();
}

void CurveRun::begin() {
  session_.emplace(character_, *scene_, Playback{clip_, controls_, time_, {}});
  step_ = session_->traits().step;
}

double CurveRun::due() const {
  return static_cast<double>(next_ / frames()) * time_.length +
         time_.frame_offset(static_cast<std::int64_t>(next_ % frames()));
}

void CurveRun::advance() {
  if (done()) return;
  if (next_ % kept_every_ == 0 && (kept_.empty() || kept_.back().next < next_))
    kept_.push_back({next_, session_->save()});
  const double due = this->due();
  while (session_->elapsed() < due - 1e-9 * session_->traits().step) session_->step();
  const std::size_t count = scene_->curves.size(), frame = next_frame();
  if (frame >= curves_.times.size()) {
    curves_.times.push_back(time_.begin + time_.frame_offset(static_cast<std::int64_t>(frame)));
    curves_.values.resize(curves_.times.size() * count);
  }
  session_->deformer().curves(session_->before(due), std::span(curves_.values).subspan(frame * count, count));
  ++next_;
}

std::size_t CurveRun::change(const Scene& scene) {
  const std::string clip = clip_ ? clip_->name : "";
  const std::optional<double> differs = first_difference(scene_->fixed_keys.of(clip), scene.fixed_keys.of(clip));
  std::size_t first = next_;  // number of frames, from the start, that stay
  if (differs) {
    // A step that ends at the first difference already sees it.
    const double until = *differs - time_.begin - step_;
    first = 0;
    while (first < next_ && time_.frame_offset(static_cast<std::int64_t>(first)) < until && first < frames()) ++first;
  }
  // States before the first difference hold in both scenes, also if beginning anew is stopped.
  const auto later = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.next > first; });
  kept_.erase(later, kept_.end());
  next_ = kept_.empty() ? 0 : kept_.back().next;
  scene_ = &scene;
  if (scene.controls) controls_ = scene.controls->animation(curves_.clip);
  begin();
  if (next_ > 0) session_->load(kept_.back().state, HUGE_VAL);
  return next_frame();
}

}  // namespace sinew
