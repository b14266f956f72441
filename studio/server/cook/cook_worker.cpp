#include "studio/server/cook/cook_worker.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/base/threads/thread_loan.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/scenes.h"
#include "sinew/deform/lattice/variable_step_flesh.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/files/lattice_files.h"
#include "sinew/mesh/control_lattice/validity.h"

namespace sinew::studio {
namespace {

// Seconds: what is done sooner is not worth a bar.
constexpr double worth_a_bar = 0.15, between_bars = 0.05;

bool same_paint(const Paint& a, const Paint& b) { return a == b; }

// Whether the settings make sense beside each other.
bool makes_sense(FleshSettings settings) { return first_complaint(settings_of(settings)).empty(); }

bool is_flesh(const CookRequest& request) { return request.choice.method == Method::flesh; }

}  // namespace

PaintLayer unpainted(const SimulationSurface& surface, const std::string& channel) {
  std::vector<float> values(surface.rest.positions.size());
  for (std::size_t v = 0; v < values.size(); ++v)
    values[v] = channel == "stiffness" ? static_cast<float>(surface.stiffness[v])
                : channel == "damping"
                    ? static_cast<float>(surface.damping[v])
                    : static_cast<float>(surface.painted_rigid.empty() ? 0 : surface.painted_rigid[v]);
  return PaintLayer(values);
}

void put_paint(const SimulationSurface& surface, const Paint& paint, Character& character) {
  for (const auto& [channel, layer] : paint) {
    const std::vector<float> values = layer.values();
    for (std::size_t k = 0; k < surface.parts.size(); ++k) {
      Part& part = character.parts[static_cast<std::size_t>(surface.parts[k])];
      std::vector<double>& painted = channel == "stiffness" ? part.stiffness
                                     : channel == "damping" ? part.damping
                                                            : part.rigid;
      painted.resize(surface.vertex_of[k].size());
      for (std::size_t v = 0; v < painted.size(); ++v)
        painted[v] = static_cast<double>(values[static_cast<std::size_t>(surface.vertex_of[k][v])]);
    }
  }
}

CookWorker::CookWorker(Listener listener) : listener_(std::move(listener)), thread_([this] { run(); }) {}

CookWorker::~CookWorker() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    stop_ = true;
  }
  woken_.notify_all();
  thread_.join();
}

void CookWorker::open(OpenRequest file, Decide decide, Deliver deliver) {
  const std::lock_guard lock(mutex_);
  next_ = Job{std::move(file), std::move(decide), {}, std::move(deliver)};
  stop_ = true;
  woken_.notify_all();
}

void CookWorker::cook(CookRequest request, Deliver deliver) {
  const std::lock_guard lock(mutex_);
  // A file that is to be opened comes first; nobody cooks for the one before.
  if (next_ && next_->file) return;
  next_ = Job{std::nullopt, {}, std::move(request), std::move(deliver)};
  // What takes a moment comes to its end: who moves a slider would else see nothing until it stands.
  if (!quick_) stop_ = true;
  woken_.notify_all();
}

void CookWorker::cancel() {
  const std::lock_guard lock(mutex_);
  next_.reset();
  stop_ = true;
}

void CookWorker::run() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 5);  // what is watched goes first
  for (;;) {
    std::unique_lock lock(mutex_);
    woken_.wait(lock, [this] { return ends_ || next_; });
    if (ends_) return;
    Job job = std::move(*next_);
    next_.reset();
    stop_ = false;
    quick_ = !job.file && takes_a_moment(job.request);
    lock.unlock();
    do_job(job);
  }
}

void CookWorker::do_job(Job& job) {
  const std::string what = job.file ? "opening" : "cooking";
  const Stopwatch watch;
  double told = 0;
  const Progress progress = [&, told](const ProgressReport& done) mutable {
    if (const double now = watch.seconds(); now > worth_a_bar && now - told > between_bars) {
      told = now;
      listener_(what, done);
    }
    return !stop_.load();
  };
  CookResult failed;
  try {
    const StopInLoops stops(progress);
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
    job.request = job.decide(*opened_);
  }
  if (!opened_) throw usage_error("There is no character yet; open one.");
  const bool builds_lattice = is_flesh(job.request) && flesh_.needs_lattice(job.request.choice);
  if (builds_lattice) {
    // That takes some seconds. Until then flesh moves in tetrahedra, so that there is something to play with.
    CookRequest first = job.request;
    first.choice.settings.lattice = {};
    if (makes_sense(first.choice.settings)) deliver(job, first, false, progress);
  }
  deliver(job, job.request, job.delivered, progress);
}

void CookWorker::deliver(Job& job, const CookRequest& request, bool again, const Progress& progress) {
  // While the character plays, the other cores are the player's and the browser's.
  std::optional<ThreadLoan> alone;
  if (job.delivered || !job.file) alone.emplace();
  CookResult result;
  result.loaded.prepared = in_context(opened_->character.file, other_body, [&] { return prepare(request, progress); });
  result.loaded.number = number_;
  result.loaded.opened = opened_;
  result.again = again;
  job.delivered = true;
  job.deliver(std::move(result));
}

void CookWorker::read(const OpenRequest& file) {
  OpenedCharacter opened =
      file.bytes ? open_rigged_character(*file.bytes, file.file.string()) : open_rigged_character(file.file);
  ++number_;
  surface_.reset();
  painted_.reset();
  paint_.clear();
  flesh_.forget();
  flesh_paint_.reset();
  opened_ = std::make_shared<const OpenedCharacter>(std::move(opened));
}

const Character& CookWorker::painted(const Paint& paint) {
  if (paint.empty()) return opened_->character;
  if (!surface_) surface_ = simulation_surface(opened_->character);
  if (!painted_ || !same_paint(paint, paint_)) {
    painted_ = opened_->character;
    put_paint(*surface_, paint, *painted_);
    paint_ = paint;
  }
  return *painted_;
}

FleshCook::Change CookWorker::change(const CookRequest& request) const {
  if (!flesh_paint_) return FleshCook::Change::everything;
  return same_paint(request.paint, *flesh_paint_) ? FleshCook::Change::nothing : FleshCook::Change::paint;
}

bool CookWorker::takes_a_moment(const CookRequest& request) const {
  return is_flesh(request) && flesh_.needed(request.choice, change(request)) <= Recooks::stiffness &&
         !flesh_.needs_lattice(request.choice);
}

std::shared_ptr<const PreparedMethod> CookWorker::prepare(const CookRequest& request, const Progress& progress) {
  if (is_flesh(request)) {
    auto flesh = std::make_shared<PreparedMethod>(
        flesh_.prepare(request.choice, painted(request.paint), change(request), progress));
    flesh_paint_ = request.paint;
    return flesh;
  }
  Character character = painted(request.paint);
  const bool weighted = has_skin_weights(character);
  const std::array clips{character.clips.empty() ? -1 : 0};
  auto method = std::make_shared<PreparedMethod>(prepare_method(request.choice, character, clips, progress));
  if (!weighted) {
    // It got a skeleton: what plays is that character.
    opened_ = std::make_shared<const OpenedCharacter>(
        OpenedCharacter{copy_of(*opened_->document), std::move(character), opened_->size});
  }
  return method;
}

}  // namespace sinew::studio
