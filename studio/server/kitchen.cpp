#include "studio/server/kitchen.h"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/stop_in_loops.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/thread_loan.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/cook/build_lattice.h"
#include "sinew/cook/scenes.h"
#include "sinew/deform/lattice/variable_step_flesh.h"
#include "sinew/deform/settings_fingerprint.h"
#include "sinew/files/lattice_files.h"
#include "sinew/mesh/control_lattice/validity.h"

namespace sinew {
namespace {

// Seconds: what is done sooner is not worth a bar.
constexpr double worth_a_bar = 0.15, between_bars = 0.05;

bool same_paint(const Paint& a, const Paint& b) { return a == b; }

// Whether the settings make sense beside each other.
bool makes_sense(FleshSettings settings) { return first_complaint(settings_of(settings)).empty(); }

bool in_lattice(const Order& order) {
  return order.choice.method == Method::flesh && !order.choice.settings.lattice.file.empty();
}

Recooks recooks(const FleshSettings& before, const FleshSettings& after) {
  FleshSettings then = before, now = after;
  return recooks_between(settings_of(then), settings_of(now));
}

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

Kitchen::Kitchen(Listener listener) : listener_(std::move(listener)), thread_([this] { run(); }) {}

Kitchen::~Kitchen() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
    stop_ = true;
  }
  woken_.notify_all();
  thread_.join();
}

void Kitchen::open(OpenOrder file, Decide decide, Serve serve) {
  const std::lock_guard lock(mutex_);
  next_ = Job{std::move(file), std::move(decide), {}, std::move(serve)};
  stop_ = true;
  woken_.notify_all();
}

void Kitchen::cook(Order order, Serve serve) {
  const std::lock_guard lock(mutex_);
  // A file that is to be opened comes first; nobody cooks for the one before.
  if (next_ && next_->file) return;
  next_ = Job{std::nullopt, {}, std::move(order), std::move(serve)};
  // What takes a moment comes to its end: who moves a slider would else see nothing until it stands.
  if (!quick_) stop_ = true;
  woken_.notify_all();
}

void Kitchen::cancel() {
  const std::lock_guard lock(mutex_);
  next_.reset();
  stop_ = true;
}

void Kitchen::run() {
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 5);  // what is watched goes first
  for (;;) {
    std::unique_lock lock(mutex_);
    woken_.wait(lock, [this] { return ends_ || next_; });
    if (ends_) return;
    Job job = std::move(*next_);
    next_.reset();
    stop_ = false;
    quick_ = !job.file && needed(job.order) <= Recooks::stiffness && (control_ || !in_lattice(job.order));
    lock.unlock();
    do_job(job);
  }
}

void Kitchen::do_job(Job& job) {
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
  Served failed;
  try {
    const StopInLoops stops(progress);
    do_all_of(job, stops.progress());
  } catch (const Stopped&) {
  } catch (...) {
    failed.failure = std::current_exception();
    failed.again = job.served;
  }
  listener_(what, {"", 1});
  if (failed.failure) job.serve(std::move(failed));
}

void Kitchen::do_all_of(Job& job, const Progress& progress) {
  if (job.file) {
    report_or_stop(progress, "reading " + job.file->file.filename().string(), 0);
    read(*job.file);
    job.order = job.decide(*opened_);
  }
  if (!opened_) throw usage_error("There is no character yet; open one.");
  const bool builds_lattice = in_lattice(job.order) && !control_;
  if (builds_lattice) {
    // That takes some seconds. Until then flesh moves in tetrahedra, so that there is something to play with.
    Order first = job.order;
    first.choice.settings.lattice = {};
    if (makes_sense(first.choice.settings)) serve(job, first, false, progress);
  }
  serve(job, job.order, job.served, progress);
}

void Kitchen::serve(Job& job, const Order& order, bool again, const Progress& progress) {
  // While the character plays, the other cores are the stage's and the browser's.
  std::optional<ThreadLoan> alone;
  if (job.served || !job.file) alone.emplace();
  Served result;
  result.cast.prepared = in_context(opened_->character.file, other_body, [&] { return prepare(order, progress); });
  result.cast.number = number_;
  result.cast.opened = opened_;
  result.again = again;
  job.served = true;
  job.serve(std::move(result));
}

void Kitchen::read(const OpenOrder& file) {
  OpenedCharacter opened =
      file.bytes ? open_rigged_character(*file.bytes, file.file.string()) : open_rigged_character(file.file);
  ++number_;
  surface_.reset();
  painted_.reset();
  paint_.clear();
  base_.reset();
  lattice_.reset();
  control_.reset();
  control_of_.clear();
  opened_ = std::make_shared<const OpenedCharacter>(std::move(opened));
}

const Character& Kitchen::painted(const Paint& paint) {
  if (paint.empty()) return opened_->character;
  if (!surface_) surface_ = simulation_surface(opened_->character);
  if (!painted_ || !same_paint(paint, paint_)) {
    painted_ = opened_->character;
    put_paint(*surface_, paint, *painted_);
    paint_ = paint;
  }
  return *painted_;
}

Recooks Kitchen::needed(const Order& order) const {
  if (order.choice.method != Method::flesh || !base_) return Recooks::everything;
  const Recooks level = recooks(base_->settings, order.choice.settings);
  return same_paint(order.paint, base_paint_) ? level : std::max(level, Recooks::body);
}

std::shared_ptr<const PreparedMethod> Kitchen::prepare(const Order& order, const Progress& progress) {
  if (order.choice.method == Method::flesh) return prepare_flesh(order, progress);
  Character character = painted(order.paint);
  const bool weighted = has_skin_weights(character);
  const std::array clips{character.clips.empty() ? -1 : 0};
  auto method =
      std::make_shared<PreparedMethod>(prepare_method(order.choice, *opened_->document, character, clips, progress));
  if (!weighted) {
    // It got a skeleton: what plays is that character.
    opened_ = std::make_shared<const OpenedCharacter>(
        OpenedCharacter{copy_of(*opened_->document), std::move(character), opened_->size});
  }
  return method;
}

std::shared_ptr<const PreparedMethod> Kitchen::prepare_flesh(const Order& order, const Progress& progress) {
  const FleshSettings& settings = order.choice.settings;
  const LatticeDiscretization& wanted = settings.lattice;
  const Recooks level = needed(order);
  const double share = in_lattice(order) ? 0.5 : 1.0;

  std::vector<StageReport> stages;
  Stopwatch watch;
  if (level == Recooks::everything) {
    Character character = painted(order.paint);
    adopt_anatomy(character, settings.anatomy);
    base_ = prepare_flesh_base(character, settings, part_of(progress, 0, 0.8 * share));
    lattice_.reset();
  } else if (level == Recooks::body) {
    Character character = painted(order.paint);
    adopt_anatomy(character, settings.anatomy);
    base_ = change_flesh_base(*base_, character, settings, part_of(progress, 0, 0.8 * share));
    lattice_.reset();
  }
  base_paint_ = order.paint;
  auto scene = std::make_shared<FleshScene>(cook_flesh_scene(*base_, settings, part_of(progress, 0.8 * share, share)));
  scene->stages.push_back({"flesh", watch.lap()});

  if (in_lattice(order)) {
    const std::string name = wanted.file + "/" + std::to_string(wanted.cells);
    if (!control_ || control_of_ != name) {
      control_notes_.clear();
      if (wanted.file == auto_lattice) {
        BuiltLattice built =
            build_lattice(opened_->character, scene->surface, {wanted.cells}, part_of(progress, share, 0.8));
        control_notes_ = built.notes;
        control_ = std::make_shared<const ControlLattice>(std::move(built.lattice));
      } else {
        ControlLattice lattice = read_lattice(wanted.file);
        throw_if_any(check_lattice(lattice).defects, wanted.file);
        control_ = std::make_shared<const ControlLattice>(std::move(lattice));
      }
      control_of_ = name;
      lattice_.reset();
      scene->stages.push_back({"lattice", watch.lap()});
    }
    if (!lattice_ || recooks(lattice_->settings, settings) > Recooks::stiffness)
      lattice_ = prepare_lattice_base(*scene, *control_, settings, part_of(progress, 0.8, 0.95));
    scene->lattice = cook_lattice_flesh(*lattice_, *scene, settings, part_of(progress, 0.95, 1));
    scene->notes.insert(scene->notes.end(), control_notes_.begin(), control_notes_.end());
    if (order.choice.real_time) scene->lattice_steps = cook_for_steps(scene->lattice, 1.0 / 30);
    scene->stages.push_back({"cook lattice", watch.lap()});
  }
  auto method = std::make_shared<PreparedMethod>();
  method->flesh = scene;
  if (in_lattice(order)) method->control = control_;
  method->scene = flesh_scene(scene, settings);
  RunReport& report = method->report;
  report.method = "flesh";
  report_surface(scene->surface, report);
  report.height = scene->height;
  report.stages = scene->stages;
  report.warnings = scene->notes;
  return method;
}

}  // namespace sinew
