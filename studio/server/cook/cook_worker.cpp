#include "studio/server/cook/cook_worker.h"

#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/base/threads/thread_loan.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/cook/cook.h"

namespace sinew::studio {
namespace {

bool same_paint(const Paint& a, const Paint& b) { return a == b; }

}  // namespace

PaintLayer unpainted(const SimulationSurface& surface, const std::string& channel) {
  const std::size_t f = find_field(channel);
  std::vector<float> values(surface.fields[f].begin(), surface.fields[f].end());
  values.resize(surface.rest.positions.size(), static_cast<float>(painted_fields[f].neutral));
  return PaintLayer(values);
}

void put_paint(const SimulationSurface& surface, const Paint& paint, Character& character) {
  for (const auto& [channel, layer] : paint) {
    const std::vector<float> values = layer.values();
    for (std::size_t k = 0; k < surface.parts.size(); ++k) {
      Part& part = character.parts[static_cast<std::size_t>(surface.parts[k])];
      std::vector<double>& painted = part.fields[find_field(channel)];
      painted.resize(surface.vertex_of[k].size());
      for (std::size_t v = 0; v < painted.size(); ++v)
        painted[v] = static_cast<double>(values[static_cast<std::size_t>(surface.vertex_of[k][v])]);
    }
  }
}

void CookWorker::give(Job job) {
  worker_.give([this, job = std::move(job)](const Progress& progress) mutable { do_job(job, progress); });
}

void CookWorker::open(OpenRequest file, ChooseRequest choose, Deliver deliver) {
  ++openings_;
  give({std::move(file), std::move(choose), {}, std::move(deliver)});
}

void CookWorker::cook(CookRequest request, Deliver deliver) {
  // Opening a file has priority; nothing is cooked for the previous character any more.
  if (openings_ == 0) give({std::nullopt, {}, std::move(request), std::move(deliver)});
}

void CookWorker::do_job(Job& job, const Progress& asked) {
  if (job.file) --openings_;
  const std::string what = job.file ? "opening" : "cooking";
  const Progress progress = telling(asked, [&](const ProgressReport& done) { listener_(what, done); });
  CookResult failed;
  try {
    const StopInLoops stops(progress);
    report_or_stop(stops.progress(), "", 0);
    // Otherwise someone who drags a slider would see nothing until it stands still.
    if (!job.file && opened_) take_motions(job.request.asked);
    if (!job.file && opened_ && job.request.choice->is_quick(input(job.request), cache_)) worker_.takes_a_moment();
    do_all_of(job, stops.progress());
  } catch (const Stopped&) {
  } catch (...) {
    failed.failure = std::current_exception();
    failed.again = job.delivered;
  }
  listener_(what, {"", 1});
  if (failed.failure) job.deliver(std::move(failed));
}

void CookWorker::do_all_of(Job& job, const Progress& progress) {
  if (job.file) {
    report_or_stop(progress, "reading " + job.file->file.filename().string(), 0);
    read(*job.file);
    if (!has_skin_weights(opened_->character) && !has_skeleton_to_adopt(opened_->character)) {
      CookResult mesh;  // to be rigged
      mesh.loaded = {number_, opened_, nullptr, read_};
      opened_.reset();
      return job.deliver(std::move(mesh));
    }
    job.request = job.choose(*opened_);
    take_motions(job.request.asked);
  }
  if (!opened_) throw usage_error("There is no character yet; open one.");
  if (const std::unique_ptr<Method> draft = job.request.choice->draft(input(job.request), cache_))
    deliver(job, {*draft, job.request.paint}, false, progress);
  deliver(job, job.request, job.delivered, progress);
}

void CookWorker::deliver(Job& job, const CookRequest& request, bool again, const Progress& progress) {
  // While the character plays, other cores are left to the player and the browser.
  std::optional<ThreadLoan> alone;
  if (job.delivered || !job.file) alone.emplace();
  CookResult result;
  result.loaded.scene = in_context(opened_->character.file, other_body, [&] { return scene_of(request, progress); });
  result.loaded.number = number_;
  result.loaded.opened = opened_;
  result.loaded.read = read_;
  result.loaded.asked = motions_;
  result.again = again;
  job.delivered = true;
  job.deliver(std::move(result));
}

void CookWorker::read(const OpenRequest& file) {
  OpenedCharacter opened =
      file.bytes ? open_rigged_character(*file.bytes, file.file.string()) : open_character(file.file);
  ++number_;
  surface_.reset();
  painted_.reset();
  paint_.clear();
  cache_.forget();
  motions_ = {};
  read_ = opened_ = std::make_shared<const OpenedCharacter>(std::move(opened));
}

// All motions are added anew to the character as it was read, as a bake adds them.
void CookWorker::take_motions(const AskedMotions& asked) {
  if (asked == motions_) return;
  OpenedCharacter opened = copy_of(*read_);
  add_motions(asked.motions, asked.map, opened);
  opened_ = std::make_shared<const OpenedCharacter>(std::move(opened));
  motions_ = asked;
  ++clips_number_;
  painted_.reset();
}

const Character& CookWorker::painted(const Paint& paint) {
  if (!same_paint(paint, paint_)) {
    painted_.reset();
    paint_ = paint;
    ++paint_number_;
  }
  if (paint.empty()) return opened_->character;
  if (!surface_) surface_ = simulation_surface(opened_->character);
  if (!painted_) {
    painted_ = opened_->character;
    put_paint(*surface_, paint, *painted_);
  }
  return *painted_;
}

CookInput CookWorker::input(const CookRequest& request) {
  const Character& character = painted(request.paint);
  return {character, {character.clips.empty() ? -1 : 0}, false, {number_, paint_number_, clips_number_}};
}

std::shared_ptr<const Scene> CookWorker::scene_of(const CookRequest& request, const Progress& progress) {
  auto scene = std::make_shared<const Scene>(sinew::cook(*request.choice, input(request), cache_, progress));
  // If the character got a skeleton, that version is played.
  if (scene->completed && !has_skin_weights(opened_->character)) {
    OpenedCharacter completed = copy_of(*opened_);
    completed.character = *scene->completed;
    opened_ = std::make_shared<const OpenedCharacter>(std::move(completed));
  }
  return scene;
}

}  // namespace sinew::studio
