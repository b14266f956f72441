#include "sinew/jobs/fit/fit_examples.h"

#include <algorithm>

#include "sinew/bake/bake.h"
#include "sinew/bake/output/point_cache.h"
#include "sinew/base/error.h"
#include "sinew/character/choose_clip.h"
#include "sinew/character/defects.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/jobs/animate/track.h"
#include "sinew/jobs/fit/exercise_clip.h"
#include "sinew/jobs/fit/surface_examples.h"

namespace sinew {
namespace {

BakeOptions bake_options(const FitJob& job, const Character& character, const FitExample& example) {
  BakeOptions options = example_range(character, example);
  options.loop = Loop::off;  // the model starts from rest, too
  options.frames_per_second = job.steps_per_second;
  return options;
}

// Offsets of an example's flesh, from a file or by simulation.
class ExampleSource {
 public:
  ExampleSource(const FitJob& job, Character& character, const SimulationSurface& surface)
      : job_(job), character_(character), surface_(surface) {
    flesh_.values = job.settings;
  }

  SurfaceOffsets offsets(const FitExample& example, const BakeOptions& options, const Progress& progress,
                         std::vector<std::string>& notes) {
    if (!example.file.empty())
      return offsets_of(character_, surface_, options, example_track(job_, character_, example),
                        1 / job_.steps_per_second, progress);
    if (!scene_) {
      scene_ = cook(flesh_, {character_}, part_of(progress, 0, 0.3));
      notes.insert(notes.end(), scene_->report.warnings.begin(), scene_->report.warnings.end());
    }
    const BakeResult baked = bake(character_, *scene_, nullptr, options, part_of(progress, 0.3, 1));
    if (!baked.complete) throw Stopped();
    return offsets_of(surface_, baked.recording);
  }

 private:
  const FitJob& job_;
  Character& character_;
  const SimulationSurface& surface_;
  FleshMethod flesh_;
  std::optional<Scene> scene_;
};

// If the exercise moves flesh more than the clips, it gets less weight, since the clips are what will be played, but at
// least this share.
constexpr double least_weight = 0.1;

double sum_of_squares(const SurfaceExample& example) {
  double sum = 0;
  for (const float d : example.offset) sum += static_cast<double>(d) * static_cast<double>(d);
  return sum;
}

bool wants_exercise(const FitJob& job) {
  return job.exercise && job.modes == 0 && !job.examples.empty() &&
         std::all_of(job.examples.begin(), job.examples.end(), [](const FitExample& e) { return e.file.empty(); });
}

// While it is simulated, the exercise is the character's last clip.
class LentClip {
 public:
  LentClip(Character& character, Clip clip) : character_(character) { character.clips.push_back(std::move(clip)); }
  ~LentClip() { character_.clips.pop_back(); }
  LentClip(const LentClip&) = delete;
  LentClip& operator=(const LentClip&) = delete;

 private:
  Character& character_;
};

SurfaceExample exercise(const FitJob& job, Character& character, const SimulationSurface& surface,
                        const SurfaceModel& model, std::span<const SurfaceExample> performances, ExampleSource& source,
                        const Progress& progress, FitReport& told) {
  BakeOptions bake = bake_options(job, character, job.examples.front());
  const LentClip lent(character, exercise_clip(character, surface, bake.clip, model.height));
  bake.clip = static_cast<int>(character.clips.size()) - 1;
  bake.begin.reset();
  bake.end.reset();
  SurfaceExample example;
  example.motion = sample_motion(character, surface, bake, model.step);
  const SurfaceOffsets offsets = source.offsets({}, bake, progress, told.notes);
  example.offset = at_steps(offsets, model.rest.size(), model.step, example.motion.bones.size());
  double shown = 0;
  for (const SurfaceExample& performance : performances) shown += sum_of_squares(performance);
  const double own = sum_of_squares(example), weight = own > 0 ? std::clamp(shown / own, least_weight, 1.0) : 1;
  example.weight.assign(example.motion.bones.size() * model.rest.size(), static_cast<float>(weight));
  told.examples.push_back({example.motion.name, "flesh", example.motion.bones.size(), 0, 0});
  return example;
}

}  // namespace

BakeOptions example_range(const Character& character, const FitExample& example) {
  BakeOptions options;
  options.clip = choose_clip(character, example.clip);
  if (options.clip < 0) throw input_error(character.file + ": has no clip, so that there is no motion to learn from.");
  refuse_outlier_clip(character, &character.clips[static_cast<std::size_t>(options.clip)]);
  options.begin = example.begin;
  options.end = example.end;
  return options;
}

Track example_track(const FitJob& job, const Character& character, const FitExample& example) {
  TrackOptions track;
  track.clip = example.clip;
  track.frames_per_second = job.frames_per_second;
  if (!is_point_cache(example.file)) track.unit = job.unit.value_or(character.metres_per_unit);
  return read_track(example.file, track);
}

std::vector<SurfaceExample> read_fit_examples(const FitJob& job, Character& character, const SimulationSurface& surface,
                                              const SurfaceModel& model, const Progress& progress, FitReport& told) {
  ExampleSource source(job, character, surface);
  std::vector<SurfaceExample> examples;
  const bool exercised = wants_exercise(job);
  const double share = 1 / std::max(static_cast<double>(job.examples.size()) + (exercised ? 1 : 0), 1.0);
  for (const FitExample& from : job.examples) {
    const auto done = static_cast<double>(examples.size());
    const BakeOptions bake = bake_options(job, character, from);
    SurfaceExample example;
    example.motion = sample_motion(character, surface, bake, model.step);
    const SurfaceOffsets offsets =
        source.offsets(from, bake, part_of(progress, done * share, (done + 1) * share), told.notes);
    example.offset = at_steps(offsets, model.rest.size(), model.step, example.motion.bones.size());
    told.examples.push_back(
        {example.motion.name, from.file.empty() ? "flesh" : from.file.string(), example.motion.bones.size(), 0, 0});
    if (const std::string note = note_on_stillness(example, model.height); !note.empty()) told.notes.push_back(note);
    examples.push_back(std::move(example));
  }
  if (exercised)
    examples.push_back(
        exercise(job, character, surface, model, examples, source, part_of(progress, 1 - share, 1), told));
  return examples;
}

}  // namespace sinew
