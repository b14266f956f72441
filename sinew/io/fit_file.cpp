#include "sinew/io/fit_file.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "sinew/bake/body_modes.h"
#include "sinew/bake/checkpoint.h"
#include "sinew/bake/fill_surface.h"
#include "sinew/bake/surface_examples.h"
#include "sinew/bake/surface_paint.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/stopwatch.h"
#include "sinew/character/defects.h"
#include "sinew/character/size.h"
#include "sinew/deform/surface_dynamics/build_surface_model.h"
#include "sinew/deform/surface_dynamics/fit_modes.h"
#include "sinew/deform/surface_dynamics/runtime_file.h"
#include "sinew/deform/surface_dynamics/settling.h"
#include "sinew/io/animate_method.h"
#include "sinew/io/choose_clip.h"
#include "sinew/io/point_cache.h"
#include "sinew/io/png.h"
#include "sinew/io/read_character.h"
#include "sinew/io/surface_parameter_attributes.h"
#include "sinew/io/track.h"

namespace sinew {
namespace {

void check_job(const FitJob& job) {
  if (job.output.extension() != ".sinew")
    throw usage_error(job.output.string() + ": the model's name must end in .sinew.");
  if (!job.show.empty() && job.show.extension() != ".png")
    throw usage_error(job.show.string() + ": the picture's name must end in .png.");
  if (!job.paint.empty() && job.paint.extension() != ".glb" && job.paint.extension() != ".gltf" &&
      job.paint.extension() != ".vrm")
    throw usage_error(job.paint.string() + ": the painted character's name must end in .glb, .gltf or .vrm.");
  if (!(job.steps_per_second >= 10 && job.steps_per_second <= 1000))
    throw usage_error("--steps: must lie between 10 and 1000 steps per second.");
  if (!(job.frames_per_second > 0 && job.frames_per_second <= 10'000))
    throw usage_error("--fps: must lie between 0 and 10000 frames per second.");
  const SurfaceFitOptions& fit = job.fit;
  if (fit.iterations < 0) throw usage_error("--iterations: must not be negative.");
  if (!(fit.tolerance >= 0 && fit.tolerance < 1)) throw usage_error("--fit-tolerance: must lie between 0 and 1.");
  if (!(fit.step_ratio >= 0 && fit.step_ratio <= 1)) throw usage_error("--step-ratio: must lie between 0 and 1.");
  if (!(fit.smoothness >= 0 && std::isfinite(fit.smoothness))) throw usage_error("--smoothness: must not be negative.");
  if (!(fit.velocity_weight >= 0 && fit.velocity_weight <= 10))
    throw usage_error("--velocity: must lie between 0 and 10 seconds.");
  if (job.modes < 0 || job.modes > static_cast<int>(max_surface_modes))
    throw usage_error("--modes: must lie between 0 and " + std::to_string(max_surface_modes) + ".");
  if (!(job.mode_coupling >= 0 && job.mode_coupling <= 1000))
    throw usage_error("--mode-coupling: must lie between 0 and 1000.");
  if (job.mode_coupling > 0 && job.modes == 0)
    throw usage_error("--mode-coupling: couples modes, of which there are none; ask for some with --modes.");
  std::vector<std::filesystem::path> others;
  for (const std::filesystem::path& path : {job.output, job.report, job.show, job.paint, job.checkpoint}) {
    if (path.empty()) continue;
    for (const std::filesystem::path& other : others)
      if (path.lexically_normal() == other.lexically_normal())
        throw usage_error(path.string() + ": is named for two outputs; give each its own name.");
    others.push_back(path);
    std::error_code status;
    if (std::filesystem::equivalent(path, job.input, status))
      throw usage_error(path.string() + ": is the input itself, which Sinew never overwrites; choose another name.");
    const FileWriter probe(path);  // throws where the folder takes no file; leaves none
  }
}

BakeOptions bake_options(const FitJob& job, const Character& character, const FitExample& example) {
  BakeOptions options;
  options.clip = choose_clip(character, example.clip);
  if (options.clip < 0)
    throw input_error(character.file + ": has no clip, so that there is no motion to learn from.");
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
    flesh_.method = Method::flesh;
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
      prepared_ = prepare_method(flesh_, character_, part_of(progress, 0, 0.3));
      notes.insert(notes.end(), prepared_->report.warnings.begin(), prepared_->report.warnings.end());
    }
    const BakeResult bake = prepared_->bake(options, part_of(progress, 0.3, 1));
    if (!bake.complete) throw Stopped();
    return offsets_of(surface_, bake.recording);
  }

 private:
  const FitJob& job_;
  Character& character_;
  const SimulationSurface& surface_;
  AnimateJob flesh_;
  std::optional<PreparedMethod> prepared_;
};

double root_mean(double sum, double weights) { return weights > 0 ? std::sqrt(sum / weights) : 0; }

std::uint64_t fingerprint(const SurfaceModel& model, std::span<const SurfaceExample> examples, const FitJob& job) {
  std::uint64_t hash = hash_bytes(model.rest.data(), model.rest.size() * sizeof(Vec3));
  for (const SurfaceExample& e : examples) hash = hash_bytes(e.offset.data(), e.offset.size() * sizeof(float), hash);
  const double numbers[] = {model.step, static_cast<double>(static_cast<int>(model.reference)),
                            static_cast<double>(static_cast<int>(job.fit.scheme)), job.fit.anisotropic ? 1.0 : 0.0,
                            job.fit.damping ? 1.0 : 0.0};
  return hash_bytes(numbers, sizeof(numbers), hash);
}

// Parameters and shapes as plain numbers, and back.
std::vector<double> numbers_of(const SurfaceModel& model) {
  std::vector<double> numbers;
  for (const VertexParameters& p : model.parameters)
    numbers.insert(numbers.end(), {p.alpha, p.beta, p.gamma, p.lambda, p.delta});
  for (const RestorationShape& s : model.shape) numbers.insert(numbers.end(), {s.xx, s.yy, s.zz, s.xy, s.xz, s.yz});
  return numbers;
}

void set_numbers(const std::vector<double>& numbers, SurfaceModel& model, const std::filesystem::path& path) {
  const std::size_t n = model.rest.size();
  if (numbers.size() != 5 * n && numbers.size() != 11 * n)
    throw input_error(path.string() + ": the checkpoint holds another model's parameters; start again without --resume.");
  for (std::size_t i = 0; i < n; ++i) {
    const double* p = &numbers[5 * i];
    model.parameters[i] = {p[0], p[1], p[2], p[3], p[4]};
  }
  model.shape.clear();
  if (numbers.size() == 5 * n) return;
  for (std::size_t i = 0; i < n; ++i) {
    const double* s = &numbers[5 * n + 6 * i];
    model.shape.push_back({s[0], s[1], s[2], s[3], s[4], s[5]});
  }
}

SurfaceFitResult fit_or_resume(const FitJob& job, SurfaceModel& model, std::span<const SurfaceExample> examples,
                               const Progress& progress) {
  const std::uint64_t print = job.checkpoint.empty() ? 0 : fingerprint(model, examples, job);
  SurfaceFitResult fit;
  if (job.resume && !job.checkpoint.empty() && std::filesystem::exists(job.checkpoint)) {
    set_numbers(read_checkpoint(job.checkpoint, print).now.numbers, model, job.checkpoint);
    fit = continue_fit(model, examples, job.fit, progress);
  } else {
    fit = fit_surface(model, examples, job.fit, progress);
  }
  if (!fit.complete && !job.checkpoint.empty()) {
    Checkpoint state;
    state.fingerprint = print;
    state.now.numbers = numbers_of(model);
    write_checkpoint(job.checkpoint, state);
  }
  return fit;
}

constexpr int candidates_per_mode = 4, more_candidates = 12;  // among which modes are chosen
constexpr double highest_mode = 0.2;                           // of the steps per second
constexpr int trial_iterations = 5;
constexpr double least_gain = 0.97;                            // of the error left without modes

std::string mode_note(const SurfaceModel& model, const ModeFit& fit) {
  std::string note = std::to_string(model.modes.size()) + " modes of the body:";
  char text[96];
  for (std::size_t k = 0; k < model.modes.size(); ++k) {
    std::snprintf(text, sizeof text, " %.2f Hz (damping ratio %.3f, gain %.2f),", model.modes[k].frequency,
                  model.modes[k].damping_ratio, fit.gain[k]);
    note += text;
  }
  std::snprintf(text, sizeof text, " which leave %.1f %% of the goal's error.", 100 * std::sqrt(std::max(0.0, 1 - fit.removed)));
  return note + text;
}

// Gives the model those modes of the body that the examples show, which then are left what the modes do not explain;
// where a trial says that the surface alone comes as near to the examples, everything stays as it is.
void use_modes(const FitJob& job, const Character& character, SurfaceModel& model, std::vector<SurfaceExample>& examples,
               const Progress& progress, FitReport& told) {
  const FleshScene scene = prepare_flesh(character, job.settings, part_of(progress, 0, 0.4));
  ModeFit fit = fit_modes(
      model, body_modes(scene, candidates_per_mode * job.modes + more_candidates, highest_mode * job.steps_per_second),
      examples, static_cast<std::size_t>(job.modes));
  SurfaceModel with_modes = model, without = model;
  with_modes.modes = std::move(fit.modes);
  with_modes.mode_coupling = with_modes.modes.empty() ? 0 : job.mode_coupling;
  std::vector<SurfaceExample> left = examples;
  for (SurfaceExample& example : left) take_modes(with_modes, example);
  SurfaceFitOptions trial = job.fit;
  trial.iterations = trial_iterations;
  const double error_without = fit_surface(without, examples, trial, part_of(progress, 0.4, 0.7)).error.sum;
  const double error_with = fit_surface(with_modes, left, trial, part_of(progress, 0.7, 1)).error.sum;
  const bool helps = !with_modes.modes.empty() && error_with < least_gain * least_gain * error_without;
  told.notes.push_back(mode_note(with_modes, fit) +
                       (helps ? "" : " The surface alone comes as near to the examples: they are left out."));
  if (!helps) return;
  model.modes = with_modes.modes;
  model.mode_coupling = with_modes.mode_coupling;
  examples = std::move(left);
}

// What is painted on the character takes the place of what was learned.
SurfacePaintReport use_painted(const FitJob& job, const Character& character, const SimulationSurface& surface,
                               SurfaceModel& model) {
  const SurfacePaintReport painted = apply_surface_paint(character, surface, model);
  if (job.examples.empty() && painted.vertices == 0)
    throw usage_error("there is nothing to learn from: name examples with --example, let them be made with --simulate, or "
                      "paint _SINEW_ALPHA and its like on " + character.file + ".");
  return painted;
}

void note_paint(const SurfacePaintReport& painted, FitReport& told) {
  if (painted.vertices > 0)
    told.notes.push_back("Parameters are painted on " + std::to_string(painted.vertices) +
                         " vertices, in place of what was learned there.");
}

FitResult fit(const FitJob& job, const Progress& progress) {
  check_job(job);
  Stopwatch watch;
  FitResult result;
  FitReport& told = result.report;
  report_or_stop(progress, "reading " + job.input.filename().string(), 0);
  const GltfDocument document = read_gltf_document(job.input);
  std::vector<Defect> defects;
  Character character = character_from(document, &defects);
  const std::vector<Defect> found = find_defects(character);
  defects.insert(defects.end(), found.begin(), found.end());
  refuse_fatal(character.file, defects);
  const SizeDecision size = decide_size(character, job.height, job.unit);
  character.metres_per_unit = size.metres_per_unit;
  if (!size.sentence.empty()) told.notes.push_back(size.sentence);
  const SimulationSurface surface = simulation_surface(character);

  SurfaceModelOptions options;
  options.step = 1 / job.steps_per_second;
  options.reference = job.reference;
  options.height = told.height = standing_height(surface.rest);
  SurfaceModel model = build_surface_model(character, surface, options);
  told.vertices = model.rest.size();
  told.stages.push_back({"read", watch.lap()});

  constexpr double examples_share = 0.4;
  ExampleSource source(job, character, surface);
  std::vector<SurfaceExample> examples;
  for (std::size_t k = 0; k < job.examples.size(); ++k) {
    const FitExample& from = job.examples[k];
    const double begin = examples_share * static_cast<double>(k) / static_cast<double>(job.examples.size());
    const double end = examples_share * static_cast<double>(k + 1) / static_cast<double>(job.examples.size());
    const BakeOptions bake = bake_options(job, character, from);
    SurfaceExample example;
    example.motion = sample_motion(character, surface, bake, options.step);
    const SurfaceOffsets offsets = source.offsets(from, bake, part_of(progress, begin, end), told.notes);
    example.offset = at_steps(offsets, model.rest.size(), options.step, example.motion.bones.size());
    told.examples.push_back({example.motion.name, from.file.empty() ? "flesh" : from.file.string(),
                             example.motion.bones.size(), 0, 0});
    examples.push_back(std::move(example));
  }
  told.stages.push_back({"examples", watch.lap()});
  if (job.modes > 0 && !examples.empty()) {
    use_modes(job, character, model, examples, part_of(progress, examples_share, examples_share + 0.1), told);
    told.stages.push_back({"modes", watch.lap()});
  }

  if (!examples.empty()) {
    const SurfaceFitResult learned = fit_or_resume(job, model, examples, part_of(progress, examples_share, 0.98));
    told.iterations = learned.iterations;
    told.converged = learned.converged;
    told.notes.insert(told.notes.end(), learned.stages.begin(), learned.stages.end());
    told.rms_before_rounding = root_mean(learned.error.sum, learned.error.weights);
    told.stages.push_back({"fit", watch.lap()});
    if (!learned.complete) {
      result.complete = false;
      return result;
    }
  }
  note_paint(use_painted(job, character, surface, model), told);
  if (const double least = make_settle(model); least > 0)
    told.notes.push_back("Flesh would not have come to rest: delta is " + std::to_string(least) + " or more everywhere.");

  const std::vector<std::byte> bytes = cook_runtime_file(model);
  result.model = read_runtime_file(bytes, job.output.string());
  SurfaceError total;
  for (std::size_t k = 0; k < examples.size(); ++k) {
    const SurfaceError error = surface_error(result.model, std::span(&examples[k], 1), {});
    told.examples[k].goal_rms = root_mean(error.goal_sum, error.weights);
    told.examples[k].rms = root_mean(error.sum, error.weights);
    total.sum += error.sum;
    total.goal_sum += error.goal_sum;
    total.weights += error.weights;
  }
  told.goal_rms = root_mean(total.goal_sum, total.weights);
  told.rms = root_mean(total.sum, total.weights);
  told.file_bytes = bytes.size();
  if (!job.show.empty()) write_png(job.show, render_surface_parameters(surface, result.model));
  if (!job.paint.empty()) write_surface_parameters(document, character, surface, result.model, job.paint);
  write_file(job.output, bytes);
  told.stages.push_back({"write", watch.lap()});
  if (!job.report.empty()) write_text_file(job.report, fit_report_json(job, told));
  report(progress, "done", 1);
  return result;
}

}  // namespace

FitResult fit_file(const FitJob& job, const Progress& progress) {
  try {
    return fit(job, progress);
  } catch (const Stopped&) {
    return {{}, {}, false};
  }
}

std::string fit_report_json(const FitJob& job, const FitReport& report) {
  using Json = nlohmann::ordered_json;
  const auto error = [&](double goal, double rms) {
    return Json{{"goal_rms_metres", goal},
                {"rms_metres", rms},
                {"removed_percent", goal > 0 ? 100 * (1 - rms / goal) : 0.0}};
  };
  Json json{{"input", job.input.string()},
            {"model", job.output.string()},
            {"program", std::string("sinew ") + SINEW_VERSION},
            {"height_metres", report.height},
            {"vertices", report.vertices},
            {"file_bytes", report.file_bytes},
            {"steps_per_second", job.steps_per_second},
            {"reference", job.reference == ShapeReference::rig ? "rig" : "rest"},
            {"scheme", job.fit.scheme == FitScheme::gradient ? "gradient" : "alternating"},
            {"iterations", report.iterations},
            {"converged", report.converged}};
  json.update(error(report.goal_rms, report.rms));
  json["rms_before_rounding_metres"] = report.rms_before_rounding;
  json["examples"] = Json::array();
  for (const FitExampleReport& example : report.examples) {
    Json entry{{"clip", example.clip}, {"source", example.source}, {"frames", example.frames}};
    entry.update(error(example.goal_rms, example.rms));
    json["examples"].push_back(entry);
  }
  json["stages"] = Json::array();
  for (const StageReport& stage : report.stages)
    json["stages"].push_back(Json{{"name", stage.name}, {"seconds", stage.seconds}});
  json["notes"] = report.notes;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace sinew
