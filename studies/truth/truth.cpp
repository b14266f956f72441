#include "studies/truth/truth.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/cook/cook.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/flesh/material_preset.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/cook/surface/prepare_surface.h"
#include "sinew/cook/surface/surface_scene.h"
#include "sinew/deform/flesh/flesh_deformer.h"
#include "sinew/deform/setting.h"
#include "sinew/deform/springs/springs_method.h"
#include "sinew/deform/surface/runtime_file.h"
#include "sinew/deform/tetrahedra/flesh_surface.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "sinew/rig/linear_blend.h"
#include "studies/surface/learning.h"
#include "studies/surface/named_clip.h"
#include "studies/truth/performance.h"

namespace sinew {
namespace {

// Shear at which fat and skin are e times as stiff as at rest, about.
constexpr double tissue_stiffens_at = 0.3;
constexpr double ringing_periods = 5;  // that are listened to after the stop

// Shown where it is computed, whatever the body's limits.
class UnlimitedCarrier final : public SurfaceCarrier {
 public:
  explicit UnlimitedCarrier(std::unique_ptr<SurfaceCarrier> inner) : inner_(std::move(inner)) {}
  std::size_t points() const override { return inner_->points(); }
  std::size_t surface_vertices() const override { return inner_->surface_vertices(); }
  double displace(std::span<const Affine> bones, double, std::span<Vec3> local, std::span<Vec3> surface) override {
    return inner_->displace(bones, HUGE_VAL, local, surface);
  }

 private:
  std::unique_ptr<SurfaceCarrier> inner_;
};

std::unique_ptr<Deformer> as_deformer(std::unique_ptr<BodyMotion> motion, std::unique_ptr<SurfaceCarrier> carrier,
                                      const CookedFlesh& scene) {
  const std::vector<double>& mass = scene.body->mass;
  DeformerTraits traits;
  traits.period = 1 / scene.material.frequency;
  return flesh_deformer(std::move(motion), std::move(carrier), scene.surface, traits,
                        std::accumulate(mass.begin(), mass.end(), 0.0), false);
}

std::unique_ptr<Deformer> nonlinear_deformer(const CookedFlesh& scene, double step, const NonlinearLaw& law) {
  const std::shared_ptr<const FleshBody> body = unlimited_body(*scene.body, step);
  return as_deformer(flesh_motion(body, nonlinear_reference(body, law)), surface_carrier(body), scene);
}

std::unique_ptr<Deformer> linear_deformer(const CookedFlesh& scene, double step) {
  const std::shared_ptr<const FleshBody> body = unlimited_body(*scene.body, step);
  return as_deformer(rig_reference_flesh(body), surface_carrier(body), scene);
}

// What is measured of one character.
struct Stage {
  const Character& character;
  const TruthOptions& options;
  FleshSettings settings;
  std::shared_ptr<const CookedFlesh> scene;
  RigMotion motion;
  double seconds = 0;
  Displacements truth, linear, flesh;  // linear: without limits, in the truth's steps

  Performance play(Deformer& deformer, const Progress& progress = {}) const {
    return perform(deformer, motion, seconds, options.frames_per_second, progress);
  }

  TruthRow compared(std::string name, const Performance& performance, double step) const {
    TruthRow row;
    row.name = std::move(name);
    const Displacements off = difference(performance.frames, truth);
    const double own = root_mean_square(truth), most = sinew::largest(truth);
    row.error = own > 0 ? root_mean_square(off) / own : 0;
    row.largest = most > 0 ? sinew::largest(off) / most : 0;
    row.amplitude = own > 0 ? root_mean_square(performance.frames) / own : 0;
    row.step = step;
    row.step_microseconds = performance.step_microseconds;
    row.frame_microseconds = performance.show_microseconds +
                             performance.step_microseconds * std::round(1 / (step * options.frames_per_second));
    return row;
  }

  TruthRow played(std::string name, Deformer& deformer) const {
    const double step = deformer.step() > 0 ? deformer.step() : 1 / options.frames_per_second;
    return compared(std::move(name), play(deformer), step);
  }
};

// What default flesh does, one thing after the other.
std::vector<TruthRow> parts_of_flesh(Stage& stage) {
  const CookedFlesh& scene = *stage.scene;
  std::vector<TruthRow> rows;
  NonlinearLaw small = stage.options.law;
  small.small_strain = true;
  rows.push_back(stage.played("small strain", *nonlinear_deformer(scene, stage.options.step, small)));
  small.most_natural_stretch = 1;
  rows.push_back(stage.played("as stiff as modelled", *nonlinear_deformer(scene, stage.options.step, small)));
  Performance played = stage.play(*linear_deformer(scene, stage.options.step));
  rows.push_back(stage.compared("in the vertices' frames", played, stage.options.step));
  stage.linear = std::move(played.frames);
  const auto flesh = [&] { return make_flesh(scene, stage.settings); };
  const auto unlimited = [&] { return std::make_unique<UnlimitedCarrier>(surface_carrier(scene)); };
  rows.push_back(stage.played("its own steps", *as_deformer(flesh(), unlimited(), scene)));
  rows.push_back(stage.played("limits of what is shown", *as_deformer(flesh(), surface_carrier(scene), scene)));
  KeptShape rigid = *scene.shape;
  rigid.bound.reset();
  rows.push_back(stage.played("rigid things kept", *keeping_shape(as_deformer(flesh(), surface_carrier(scene), scene),
                                                                  std::make_shared<const KeptShape>(rigid))));
  played = stage.play(*flesh_scene(stage.scene, stage.settings).deformer());
  rows.push_back(stage.compared("edges bounded: as it is by default", played, stage.settings.step));
  stage.flesh = std::move(played.frames);
  return rows;
}

std::vector<TruthPlace> places_of_error(const Stage& stage) {
  const SimulationSurface& surface = stage.scene->surface;
  std::vector<TruthPlace> places(surface.bones.size());
  double error = 0, motion = 0;
  for (std::size_t b = 0; b < places.size(); ++b) places[b].joint = surface.bones[b].name;
  for (std::size_t f = 0; f < stage.truth.size(); ++f)
    for (std::size_t v = 0; v < surface.influences.size(); ++v) {
      const double off = squared_norm(stage.flesh[f][v] - stage.truth[f][v]), own = squared_norm(stage.truth[f][v]);
      error += off;
      motion += own;
      if (surface.influences[v].count == 0) continue;
      TruthPlace& place = places[static_cast<std::size_t>(surface.influences[v].joint[0])];
      place.error += off;
      place.motion += own;
    }
  for (TruthPlace& place : places) {
    if (error > 0) place.error /= error;
    if (motion > 0) place.motion /= motion;
  }
  std::stable_sort(places.begin(), places.end(),
                   [](const TruthPlace& a, const TruthPlace& b) { return a.error > b.error; });
  return places;
}

std::vector<TruthRow> other_truths(const Stage& stage, const Progress& progress) {
  const TruthOptions& options = stage.options;
  std::vector<TruthRow> rows;
  const auto attempt = [&](const std::string& name, double step, const NonlinearLaw& law) {
    try {
      const Performance other = stage.play(*nonlinear_deformer(*stage.scene, step, law), progress);
      rows.push_back(stage.compared(name, other, step));
      const double own = root_mean_square(other.frames);
      rows.back().flesh = root_mean_square(difference(stage.flesh, other.frames)) / own;
      rows.back().linear = root_mean_square(difference(stage.linear, other.frames)) / own;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::simulation) throw;
      rows.push_back({name, NAN, NAN, NAN, step, NAN, NAN, NAN, NAN});
    }
  };
  attempt("steps half as long", 0.5 * options.step, options.law);
  NonlinearLaw law = options.law;
  law.stiffening = tissue_stiffens_at;
  attempt("tissue that stiffens", options.step, law);
  law = options.law;
  law.law = HyperelasticLaw::st_venant_kirchhoff;
  attempt("St. Venant-Kirchhoff", options.step, law);
  law = options.law;
  law.most_natural_stretch = 1;
  attempt("naturally as modelled, turned with the rig", options.step, law);
  return rows;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Joints with names of what springs are usually put on.
std::vector<std::string> usual_joints(const SimulationSurface& surface) {
  constexpr std::array words{"ear",  "tail",   "hair",    "fin",   "breast", "belly",
                             "cape", "tongue", "antenna", "skirt", "trunk"};
  std::vector<std::string> result;
  for (const Bone& bone : surface.bones)
    if (std::any_of(words.begin(), words.end(), [&](const char* word) { return lower(bone.name).starts_with(word); }))
      result.push_back(bone.name);
  return result;
}

// All that hang on another one.
std::vector<std::string> child_joints(const SimulationSurface& surface) {
  std::vector<std::string> result;
  for (const Bone& bone : surface.bones)
    if (bone.parent >= 0) result.push_back(bone.name);
  return result;
}

TruthRow swing(const Stage& stage, const std::string& name, const std::vector<std::string>& joints, double stiffness,
               double drag) {
  SpringsMethod springs;
  springs.values.swing = joints;
  springs.values.forces.stiffness = stiffness;
  springs.values.forces.drag = drag;
  const Scene scene = cook(springs, {stage.character});
  return stage.played(name, *scene.deformer());
}

// The numbers with which springs come nearest to the truth.
TruthRow tuned_swing(const Stage& stage, const std::string& name, const std::vector<std::string>& joints) {
  TruthRow best;
  best.error = HUGE_VAL;
  for (const double stiffness : {0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0})
    for (const double drag : {0.05, 0.1, 0.2, 0.4, 0.6}) {
      TruthRow row = swing(stage, name, joints, stiffness, drag);
      if (row.error < best.error) best = std::move(row);
    }
  return best;
}

// A surface model that learned the flesh from another clip, where there is one.
TruthRow learned_row(const Stage& stage, const std::string& name, int clip, const Progress& progress) {
  LearningOptions how;
  const std::vector<Clip>& clips = stage.character.clips;
  const auto other = static_cast<std::size_t>(clip == 0 && clips.size() > 1 ? 1 : 0);
  how.learned = clips[other].name;
  how.unseen = clips[static_cast<std::size_t>(clip)].name;
  how.flesh = stage.settings;
  const LearningExperiment learned = learning_experiment(stage.character, name, how, progress);
  const auto model =
      std::make_shared<const CookedSurface>(prepare_surface(stage.character, cook_runtime_file(learned.model), name));
  return stage.played("surface, learned from '" + clips[other].name + "'", *surface_scene(model).deformer());
}

std::vector<TruthRow> methods_of(const Stage& stage, const std::string& name, int clip, const Progress& progress) {
  const int threads = thread_count();
  set_thread_count(1);  // whose microseconds are counted
  std::vector<TruthRow> rows;
  Performance rig;
  rig.frames.assign(stage.truth.size(), std::vector<Vec3>(stage.scene->surface.rest.positions.size()));
  rows.push_back(stage.compared("rig alone", rig, 1 / stage.options.frames_per_second));
  const std::vector<std::string> joints =
      stage.options.swing.empty() ? usual_joints(stage.scene->surface) : stage.options.swing;
  if (!joints.empty()) {
    rows.push_back(swing(stage, "springs, VRM's preset", joints, 1, 0.4));
    rows.push_back(swing(stage, "springs, KawaiiPhysics' preset", joints, 0.5, 0.1));
    rows.push_back(tuned_swing(stage, "springs, tuned to the truth", joints));
  }
  rows.push_back(swing(stage, "springs on every joint, VRM's preset", child_joints(stage.scene->surface), 1, 0.4));
  rows.push_back(tuned_swing(stage, "springs on every joint, tuned", child_joints(stage.scene->surface)));
  rows.push_back(stage.played("flesh", *flesh_scene(stage.scene, stage.settings).deformer()));
  set_thread_count(threads);
  if (!stage.options.learned) return rows;
  try {
    rows.push_back(learned_row(stage, name, clip, progress));
  } catch (const Error& error) {
    rows.push_back({std::string("surface: ") + error.what(), NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN});
  }
  return rows;
}

// Both ring down on a rig that stands still from its fastest moment on.
void compare_ringing(const Stage& stage, TruthExperiment& experiment, const Progress& progress) {
  RigMotion motion = stage.motion;
  motion.stop = experiment.stop_seconds = fastest_moment(motion, stage.seconds);
  const double rate = stage.options.frames_per_second, about = stage.scene->material.frequency;
  const double whole = motion.stop + std::max(0.5, ringing_periods / about);
  const auto after = [&](Deformer& deformer) {
    Displacements frames = perform(deformer, motion, whole, rate, progress).frames;
    frames.erase(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(std::lround(motion.stop * rate)) - 1);
    return frames;
  };
  const Displacements truth = after(*nonlinear_deformer(*stage.scene, stage.options.step, stage.options.law));
  const Displacements flesh = after(*flesh_scene(stage.scene, stage.settings).deformer());
  const std::vector<Vec3> shape = principal_motion(truth);
  const Ringing of_truth = ringing(along(truth, shape), 1 / rate, about),
                of_flesh = ringing(along(flesh, shape), 1 / rate, about);
  experiment.truth_ring = of_truth.frequency;
  experiment.truth_damping = of_truth.damping;
  experiment.flesh_ring = of_flesh.frequency;
  experiment.flesh_damping = of_flesh.damping;
  experiment.ring_left = of_truth.left;
}

// Mean over the clip of the share of samples that the rig itself strains beyond the bound.
double strained_by_the_rig(const Stage& stage) {
  constexpr int poses = 20;
  const FleshBody& body = *stage.scene->body;
  NonlinearForces forces(body, stage.options.law);
  VertexFrames frames;
  double sum = 0;
  for (int k = 0; k < poses; ++k) {
    predict_frames(body.description.mesh.positions, body.description.influences,
                   stage.motion.at(stage.seconds * k / poses), frames);
    forces.set_goal(frames.goal);
    sum += forces.held();
  }
  return sum / poses;
}

}  // namespace

TruthExperiment truth_experiment(const Character& character, const std::string& name, const TruthOptions& options,
                                 const Progress& progress) {
  const int index = named_clip(character, name, options.clip);
  const Clip& clip = character.clips[static_cast<std::size_t>(index)];
  FleshSettings settings;
  settings.tetrahedra = options.tetrahedra;
  const auto scene =
      std::make_shared<const CookedFlesh>(prepare_flesh(character, settings, part_of(progress, 0, 0.05)));
  const double seconds = std::min(options.seconds, clip.end - clip.start);
  Stage stage{character, options, settings, scene, {character, scene->surface, clip, HUGE_VAL}, seconds, {}, {}, {}};
  stage.motion.stop = clip.end - clip.start;

  TruthExperiment experiment;
  experiment.character = name;
  experiment.clip = clip.name;
  experiment.tetrahedra = static_cast<int>(scene->body->description.mesh.tetrahedra.size());
  experiment.free_vertices = static_cast<int>(scene->body->free_vertex.size());
  experiment.height = scene->height;
  experiment.amount = scene->material.sag / (material_preset(settings.look).sag * scene->height);
  experiment.frequency = scene->material.frequency;
  experiment.damping_ratio = scene->material.damping_ratio;
  experiment.held_samples = strained_by_the_rig(stage);
  stage.truth = stage.play(*nonlinear_deformer(*scene, options.step, options.law), part_of(progress, 0.05, 0.3)).frames;
  const double size = longest_side(scene->surface.rest);
  experiment.motion = root_mean_square(stage.truth) / size;
  experiment.largest_motion = largest(stage.truth) / size;
  experiment.parts = parts_of_flesh(stage);
  experiment.places = places_of_error(stage);
  compare_ringing(stage, experiment, part_of(progress, 0.3, 0.5));
  if (options.others) experiment.others = other_truths(stage, part_of(progress, 0.5, 0.8));
  if (options.methods) experiment.methods = methods_of(stage, name, index, part_of(progress, 0.8, 1));
  return experiment;
}

}  // namespace sinew
