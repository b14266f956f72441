#include "sinew/jobs/fit/fit_material.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "sinew/bake/bake.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/output_place.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/fit/observed_flesh.h"
#include "sinew/jobs/open_character.h"
#include "sinew/jobs/words.h"

namespace sinew {
namespace {

// Steps of nonlinear flesh end within 2 % of their minimum, which makes the sum of squares too rough for a search.
FleshSettings estimated_settings(const FitJob& job) {
  FleshSettings settings = job.settings;
  settings.elasticity = Elasticity::linear;
  return settings;
}

constexpr double least_observed = 1e-3;  // of the height: flesh that moves less shows nothing of its material
constexpr double accuracy = 1e-5;        // of the height: lower bound of an observation's error
constexpr double much = 0.5;             // share of the motion that the material leaves unexplained
constexpr double usual_runs = 80;        // for progress

void check_material_job(const FitJob& job) {
  if (!is_standard_output(job.output) && lower_case_ending(job.output) != ".json")
    throw usage_error(job.output.string() + ": with --material, the name of the settings must end in .json.");
  if (job.settings.elasticity == Elasticity::nonlinear)
    throw usage_error("--material estimates flesh of linear elasticity; leave --elasticity nonlinear out.");
  if (!(job.frames_per_second > 0 && job.frames_per_second <= 10'000))
    throw usage_error("--fps: must lie between 0 and 10000 frames per second.");
  if (job.examples.empty())
    throw usage_error("--material: name what was observed with --example: a point cache, a character or markers.");
  std::vector<std::filesystem::path> inputs{job.input};
  for (const FitExample& example : job.examples) inputs.push_back(example.file);
  const std::array outputs{job.output, job.report};
  check_outputs_apart(outputs, inputs);
  for (const std::filesystem::path& path : outputs)
    if (!path.empty()) check_can_write(path, Content::text);
}

// Bakes the examples' clips with other materials.
class Runs {
 public:
  Runs(const FitJob& job, const Character& character, const std::vector<ObservedFlesh>& examples,
       const Progress& progress)
      : character_(character), examples_(examples), progress_(progress), settings_(estimated_settings(job)) {}

  // The values of the job's settings, with those of the look where they give none.
  MaterialValues start() {
    const Scene scene = cooked(settings_);
    return {scene.decided.at("young"), std::max(scene.decided.at("damping"), 0.01),
            std::clamp(settings_.core, 0.05, 0.95)};
  }

  std::vector<float> operator()(const MaterialValues& material) {
    FleshSettings settings = settings_;
    settings.young = material.young;
    settings.damping = material.damping;
    settings.core = material.core;
    const Scene scene = cooked(settings);
    const Character& character = scene.completed ? *scene.completed : character_;
    std::vector<float> seen;
    for (const ObservedFlesh& example : examples_) {
      const BakeResult run = bake(character, scene, nullptr, example.bake, here());
      if (!run.complete) throw Stopped();
      const std::vector<float> own = example.of_run(run.recording);
      seen.insert(seen.end(), own.begin(), own.end());
    }
    ++runs_;
    return seen;
  }

 private:
  Scene cooked(const FleshSettings& settings) {
    FleshMethod method;
    method.values = settings;
    return cook(method, {character_, {}, false, {1, 1}}, cache_, here());
  }
  Progress here() const {
    if (!progress_) return {};
    return [this](const ProgressReport&) {
      return progress_({"run " + std::to_string(runs_ + 1), std::min(runs_ / usual_runs, 1.0)});
    };
  }

  const Character& character_;
  const std::vector<ObservedFlesh>& examples_;
  const Progress& progress_;
  FleshSettings settings_;
  CookCache cache_;
  int runs_ = 0;
};

constexpr int percent_digits = 2;

std::string percent(double share) { return short_percent(share, percent_digits); }

void refuse_still(const std::vector<ObservedFlesh>& examples, double height) {
  double largest = 0;
  for (const ObservedFlesh& example : examples) largest = std::max(largest, example.largest);
  if (largest > least_observed * height) return;
  throw input_error(examples[0].source + ": flesh is never farther than " + percent(largest / height) +
                    " of the height from where the rig puts it in '" + examples[0].clip +
                    "', so that nothing can be told of its material; observe a livelier clip.");
}

void keep_values(const MaterialEstimate& estimate, const std::string& file, MaterialFit& fit) {
  const auto& [young, damping, core] = estimate.values;
  if (young.undetermined.empty()) fit.settings.young = young.value;
  if (damping.undetermined.empty()) fit.settings.damping = damping.value;
  if (core.undetermined.empty()) fit.settings.core = core.value;
  std::size_t determined = 0;
  for (const EstimatedValue& value : estimate.values) {
    determined += value.undetermined.empty();
    if (!value.undetermined.empty())
      fit.notes.push_back(std::string("`") + value.key +
                          "` cannot be told from this observation: " + value.undetermined + ".");
  }
  if (determined == 0)
    throw input_error(file + ": tells nothing of the material: " + estimate.values[0].undetermined +
                      "; observe a livelier clip.");
  if (estimate.residual > much * estimate.observed)
    fit.notes.push_back("No material explains the observation well: " + percent(estimate.residual / estimate.observed) +
                        " of the motion remain. They may be noise; else see whether clip, frame rate and size are "
                        "those of the observation.");
}

std::string material_report(const FitJob& job, const MaterialFit& fit) {
  using Json = nlohmann::ordered_json;
  Json json{{"input", job.input.string()},
            {"settings", job.output.string()},
            {"program", std::string("sinew ") + SINEW_VERSION},
            {"height_metres", fit.height},
            {"points", fit.points},
            {"runs", fit.estimate.runs},
            {"observed_rms_metres", fit.estimate.observed},
            {"residual_rms_metres", fit.estimate.residual}};
  for (const EstimatedValue& value : fit.estimate.values)
    json["material"][value.key] = value.undetermined.empty()
                                      ? Json{{"value", value.value}, {"standard_error_percent", 100 * value.error}}
                                      : Json{{"value", nullptr}, {"why", value.undetermined}};
  for (const FitExample& example : job.examples)
    json["examples"].push_back(Json{{"clip", example.clip}, {"source", example.file.string()}});
  for (const StageReport& stage : fit.stages)
    json["stages"].push_back(Json{{"name", stage.name}, {"seconds", stage.seconds}});
  json["notes"] = fit.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

MaterialFit fit_from_files(const FitJob& job, const Progress& progress) {
  check_material_job(job);
  Stopwatch watch;
  MaterialFit result;
  report_or_stop(progress, "reading " + job.input.filename().string(), 0);
  OpenedCharacter opened = open_rigged_character(job.input, {job.height, job.unit});
  const Character& character = opened.character;
  if (!opened.size.sentence.empty()) result.notes.push_back(opened.size.sentence);
  const SimulationSurface surface = simulation_surface(character);
  result.height = standing_height(surface);
  result.settings = estimated_settings(job);
  std::vector<ObservedFlesh> examples;
  std::vector<float> observed;
  for (const FitExample& example : job.examples) {
    examples.push_back(observe_flesh(job, example, character, surface, result.height));
    observed.insert(observed.end(), examples.back().observed.begin(), examples.back().observed.end());
    result.points += examples.back().points;
  }
  refuse_still(examples, result.height);
  result.stages.push_back({"read", watch.lap()});

  Runs runs(job, character, examples, progress);
  result.estimate = estimate_material(observed, runs.start(), accuracy * result.height,
                                      [&](const MaterialValues& material) { return runs(material); });
  result.stages.push_back({"estimate", watch.lap()});
  keep_values(result.estimate, examples[0].source, result);
  write_text_file(job.output, settings_json(result.settings));
  if (!job.report.empty()) write_text_file(job.report, material_report(job, result));
  report(progress, "done", 1);
  return result;
}

}  // namespace

MaterialFit fit_material(const FitJob& job, const Progress& progress) {
  try {
    const StopInLoops stop(progress);
    return in_context(job.input.string(), "give the start with --young, or a smaller --step",
                      [&] { return fit_from_files(job, stop.progress()); });
  } catch (const Stopped&) {
    MaterialFit stopped;
    stopped.complete = false;
    return stopped;
  }
}

}  // namespace sinew
