#include "studies/surface/learning.h"

#include <cmath>

#include "sinew/bake/bake.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/surface/prepare_surface.h"
#include "sinew/cook/surface/surface_scene.h"
#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/fit/settling.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/jobs/fit/surface_examples.h"
#include "studies/surface/named_clip.h"

namespace sinew {
namespace {

BakeOptions whole_clip(const LearningOptions& options, int clip) {
  BakeOptions bake;
  bake.clip = clip;
  bake.frames_per_second = options.frames_per_second;
  bake.loop = Loop::off;  // motion from rest, as the model starts
  return bake;
}

// The clip to learn from, and those that are not used for learning.
std::vector<int> chosen_clips(const Character& character, const std::string& name, const LearningOptions& options) {
  std::vector<int> clips{named_clip(character, name, options.learned)};
  if (!options.unseen.empty()) {
    clips.push_back(named_clip(character, name, options.unseen));
  } else {
    const int other = clips[0] == 0 ? 1 : 0;
    if (other < static_cast<int>(character.clips.size())) clips.push_back(other);
  }
  return clips;
}

BakeResult whole(BakeResult result) {
  if (!result.complete) throw Stopped();
  return result;
}

LearningClip compared(const std::string& name, const Recording& flesh, const Recording& model) {
  LearningClip clip;
  clip.name = name;
  clip.frames = flesh.times.size();
  double goal = 0, left = 0, count = 0;
  for (std::size_t p = 0; p < flesh.parts.size(); ++p) {
    const std::vector<float>&a = flesh.parts[p].displacement, &b = model.parts[p].displacement;
    for (std::size_t k = 0; k < a.size(); ++k) {
      const double there = a[k], off = there - static_cast<double>(b[k]);
      goal += there * there;
      left += off * off;
    }
    count += static_cast<double>(a.size()) / 3;
  }
  if (count > 0) clip.goal_rms = std::sqrt(goal / count), clip.rms = std::sqrt(left / count);
  return clip;
}

}  // namespace

LearningExperiment learning_experiment(const Character& character, const std::string& name,
                                       const LearningOptions& options, const Progress& progress) {
  const std::vector<int> clips = chosen_clips(character, name, options);
  const auto cooked =
      std::make_shared<const CookedFlesh>(prepare_flesh(character, options.flesh, part_of(progress, 0, 0.05)));
  const CookedFlesh& flesh = *cooked;
  const Scene scene = flesh_scene(cooked, options.flesh);
  LearningExperiment experiment;
  experiment.character = name;
  experiment.height = flesh.height;
  experiment.surface = flesh.surface;
  experiment.vertices = flesh.surface.rest.positions.size();

  const BakeOptions learned = whole_clip(options, clips[0]);
  Recording lesson = whole(bake(character, scene, nullptr, learned, part_of(progress, 0.05, 0.1))).recording;
  SurfaceModel model = build_surface_model(character, flesh.surface, {.height = flesh.height});
  const std::vector<SurfaceExample> examples{
      example_of_recording(character, flesh.surface, learned, lesson, model.step)};
  Stopwatch watch;
  if (!fit_surface(model, examples, options.fit, part_of(progress, 0.1, 0.9)).complete) throw Stopped();
  damp_where_examples_are_silent(model, examples);
  make_settle(model);
  experiment.fit_seconds = watch.lap();
  const std::vector<std::byte> file = cook_runtime_file(model);
  experiment.file_bytes = file.size();
  const auto played = std::make_shared<const CookedSurface>(prepare_surface(character, file, name));
  experiment.model = played->description;

  for (std::size_t c = 0; c < clips.size(); ++c) {
    const BakeOptions asked = whole_clip(options, clips[c]);
    experiment.flesh = c == 0 ? std::move(lesson)
                              : whole(bake(character, scene, nullptr, asked, part_of(progress, 0.9, 0.95))).recording;
    experiment.learned =
        whole(bake(character, surface_scene(played), nullptr, asked, part_of(progress, 0.95, 1))).recording;
    experiment.clips.push_back(
        compared(character.clips[static_cast<std::size_t>(clips[c])].name, experiment.flesh, experiment.learned));
    experiment.clips.back().seen = c == 0;
  }
  return experiment;
}

}  // namespace sinew
