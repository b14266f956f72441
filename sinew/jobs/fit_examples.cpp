#include "sinew/jobs/fit_examples.h"

#include "sinew/jobs/surface_examples.h"
#include "sinew/bake/bake.h"
#include "sinew/base/error.h"
#include "sinew/character/defects.h"
#include "sinew/character/choose_clip.h"
#include "sinew/files/point_cache.h"
#include "sinew/jobs/prepare_method.h"
#include "sinew/jobs/track.h"

namespace sinew {
namespace {

BakeOptions bake_options(const FitJob& job, const Character& character, const FitExample& example) {
  BakeOptions options;
  options.loop = Loop::off;  // from rest, as a model starts
  options.clip = choose_clip(character, example.clip);
  if (options.clip < 0)
    throw input_error(character.file + ": has no clip, so that there is no motion to learn from.");
  refuse_stray_clip(character, &character.clips[static_cast<std::size_t>(options.clip)]);
  options.begin = example.begin;
  options.end = example.end;
  options.frames_per_second = job.steps_per_second;
  return options;
}

// Where the flesh of an example is, from a file or by simulating it.
class ExampleSource {
 public:
  ExampleSource(const FitJob& job, Character& character, const SimulationSurface& surface)
      : job_(job), character_(character), surface_(surface) {
    flesh_.settings = job.settings;
  }

  SurfaceOffsets offsets(const FitExample& example, const BakeOptions& options, const Progress& progress,
                         std::vector<std::string>& notes) {
    if (!example.file.empty()) {
      TrackOptions track;
      track.clip = example.clip;
      track.frames_per_second = job_.frames_per_second;
      track.height = job_.height;
      track.unit = job_.unit;
      if (!is_point_cache(example.file)) track.unit = track.unit.value_or(character_.metres_per_unit);
      if (!is_point_cache(example.file)) track.height.reset();
      return offsets_of(character_, surface_, options, read_track(example.file, track), 1 / job_.steps_per_second, progress);
    }
    if (!prepared_) {
      prepared_ = prepare_flesh_method(flesh_, character_, part_of(progress, 0, 0.3));
      notes.insert(notes.end(), prepared_->report.warnings.begin(), prepared_->report.warnings.end());
    }
    const BakeResult baked = bake(character_, prepared_->scene, nullptr, options, part_of(progress, 0.3, 1));
    if (!baked.complete) throw Stopped();
    return offsets_of(surface_, baked.recording);
  }

 private:
  const FitJob& job_;
  Character& character_;
  const SimulationSurface& surface_;
  MethodChoice flesh_;
  std::optional<PreparedMethod> prepared_;
};

}  // namespace

std::vector<SurfaceExample> read_fit_examples(const FitJob& job, Character& character, const SimulationSurface& surface,
                                              const SurfaceModel& model, const Progress& progress, FitReport& told) {
  ExampleSource source(job, character, surface);
  std::vector<SurfaceExample> examples;
  const double share = job.examples.empty() ? 1 : 1 / static_cast<double>(job.examples.size());
  for (const FitExample& from : job.examples) {
    const auto done = static_cast<double>(examples.size());
    const BakeOptions bake = bake_options(job, character, from);
    SurfaceExample example;
    example.motion = sample_motion(character, surface, bake, model.step);
    const SurfaceOffsets offsets =
        source.offsets(from, bake, part_of(progress, done * share, (done + 1) * share), told.notes);
    example.offset = at_steps(offsets, model.rest.size(), model.step, example.motion.bones.size());
    told.examples.push_back({example.motion.name, from.file.empty() ? "flesh" : from.file.string(),
                             example.motion.bones.size(), 0, 0});
    if (const std::string note = note_on_stillness(example, model.height); !note.empty()) told.notes.push_back(note);
    examples.push_back(std::move(example));
  }
  return examples;
}

}  // namespace sinew
