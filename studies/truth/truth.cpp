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
#include "sinew/deform/tetrahedra/quasi_newton_reference.h"
#include "sinew/deform/tetrahedra/rig_reference.h"
#include "sinew/rig/linear_blend.h"
#include "studies/surface/learning.h"
#include "studies/surface/named_clip.h"
#include "studies/truth/performance.h"

namespace sinew {
namespace {

constexpr double ringing_periods = 5;  // duration after the stop that is analysed

std::unique_ptr<Deformer> as_deformer(std::unique_ptr<BodyMotion> motion, std::unique_ptr<SurfaceCarrier> carrier,
                                      const CookedFlesh& scene) {
  const std::vector<double>& mass = scene.body->mass;
  DeformerTraits traits;
  traits.period = 1 / scene.material.frequency;
  return flesh_deformer(std::move(motion), std::move(carrier), scene.surface, traits,
                        std::accumulate(mass.begin(), mass.end(), 0.0));
}

std::unique_ptr<Deformer> nonlinear_deformer(const CookedFlesh& scene, double step, const NonlinearLaw& law) {
  const std::shared_ptr<const FleshBody> body = unlimited_body(*scene.body, step);
  return as_deformer(flesh_motion(body, nonlinear_reference(body, law)), surface_carrier(body), scene);
}

std::unique_ptr<Deformer> linear_deformer(const CookedFlesh& scene, double step) {
  const std::shared_ptr<const FleshBody> body = unlimited_body(*scene.body, step);
  return as_deformer(rig_reference_flesh(body), surface_carrier(body), scene);
}

std::unique_ptr<Deformer> quasi_newton_deformer(const CookedFlesh& scene, double step, const QuasiNewton& how) {
  const std::shared_ptr<const FleshBody> body = unlimited_body(*scene.body, step);
  return as_deformer(quasi_newton_flesh(body, how), surface_carrier(body), scene);
}

FleshSettings with(Elasticity elasticity, FleshSettings settings) {
  settings.elasticity = elasticity;
  return settings;
}

// One character with its reference run and the measurements relative to it.
struct Subject {
  const Character& character;
  const TruthOptions& options;
  FleshSettings settings;
  std::shared_ptr<const CookedFlesh> scene;
  RigMotion motion;
  double seconds = 0;
  Displacements truth, linear, flesh;           // linear: without limits, with the truth's step
  std::shared_ptr<const CookedFlesh> tissue{};  // flesh of nonlinear elasticity, whose look has a softness of its own

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

// Adds the components of the default flesh one after the other.
std::vector<TruthRow> parts_of_flesh(Subject& subject) {
  const CookedFlesh& scene = *subject.scene;
  std::vector<TruthRow> rows;
  NonlinearLaw small = subject.options.law;
  small.small_strain = true;
  rows.push_back(subject.played("small strain", *nonlinear_deformer(scene, subject.options.step, small)));
  small.most_natural_stretch = 1;
  rows.push_back(subject.played("as stiff as modelled", *nonlinear_deformer(scene, subject.options.step, small)));
  Performance played = subject.play(*linear_deformer(scene, subject.options.step));
  rows.push_back(subject.compared("in the vertices' frames", played, subject.options.step));
  subject.linear = std::move(played.frames);
  Scene flesh = flesh_scene(subject.scene, subject.settings);
  rows.push_back(subject.played("its own steps", *flesh.bare()));
  const auto all = flesh.clamps;
  DisplayClamps some;
  some.limit = all->limit;
  flesh.clamps = std::make_shared<const DisplayClamps>(some);
  rows.push_back(subject.played("limits of what is shown", *flesh.deformer()));
  some.shape = all->shape;
  flesh.clamps = std::make_shared<const DisplayClamps>(some);
  rows.push_back(subject.played("rigid things kept", *flesh.deformer()));
  flesh.clamps = all;
  played = subject.play(*flesh.deformer());
  rows.push_back(subject.compared("edges bounded: as it is by default", played, subject.scene->body->dynamics.step));
  subject.flesh = std::move(played.frames);
  return rows;
}

// The truth of the body of nonlinear flesh, whose tissue stiffens as it does.
std::unique_ptr<Deformer> truth_of_tissue(const Subject& subject) {
  NonlinearLaw law = subject.options.law;
  law.tissue.stiffening = subject.settings.stiffening;
  return nonlinear_deformer(*subject.tissue, subject.options.step, law);
}

// Flesh of nonlinear elasticity, with its limits one after the other, against the truth of tissue that stiffens as it
// does.
std::vector<TruthRow> nonlinear_flesh(Subject& subject) {
  QuasiNewton how;
  how.law.stiffening = subject.settings.stiffening;
  Displacements truth = subject.play(*truth_of_tissue(subject)).frames;
  truth.swap(subject.truth);
  const Scene scene = flesh_scene(subject.tissue, with(Elasticity::nonlinear, subject.settings));
  std::vector<TruthRow> rows;
  rows.push_back(
      subject.played("as computed", *quasi_newton_deformer(*subject.tissue, subject.tissue->body->dynamics.step, how)));
  rows.push_back(subject.played("stopped at its reach", *scene.bare()));
  rows.push_back(subject.played("as displayed", *scene.deformer()));
  truth.swap(subject.truth);
  return rows;
}

std::vector<TruthPlace> places_of_error(const Subject& subject) {
  const SimulationSurface& surface = subject.scene->surface;
  std::vector<TruthPlace> places(surface.bones.size());
  double error = 0, motion = 0;
  for (std::size_t b = 0; b < places.size(); ++b) places[b].joint = surface.bones[b].name;
  for (std::size_t f = 0; f < subject.truth.size(); ++f)
    for (std::size_t v = 0; v < surface.influences.size(); ++v) {
      const double off = squared_norm(subject.flesh[f][v] - subject.truth[f][v]),
                   own = squared_norm(subject.truth[f][v]);
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

std::vector<TruthRow> other_truths(const Subject& subject, const Progress& progress) {
  const TruthOptions& options = subject.options;
  std::vector<TruthRow> rows;
  const auto attempt = [&](const std::string& name, double step, const NonlinearLaw& law) {
    try {
      const Performance other = subject.play(*nonlinear_deformer(*subject.scene, step, law), progress);
      rows.push_back(subject.compared(name, other, step));
      const double own = root_mean_square(other.frames);
      rows.back().flesh = root_mean_square(difference(subject.flesh, other.frames)) / own;
      rows.back().linear = root_mean_square(difference(subject.linear, other.frames)) / own;
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::simulation) throw;
      rows.push_back({name, NAN, NAN, NAN, step, NAN, NAN, NAN, NAN});
    }
  };
  attempt("steps half as long", 0.5 * options.step, options.law);
  NonlinearLaw law = options.law;
  law.tissue.stiffening = FleshSettings{}.stiffening;
  attempt("tissue that stiffens", options.step, law);
  law = options.law;
  law.law = HyperelasticLaw::st_venant_kirchhoff;
  attempt("St. Venant-Kirchhoff", options.step, law);
  law = options.law;
  law.most_natural_stretch = 1;
  attempt("naturally as modelled, turned with the rig", options.step, law);
  return rows;
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Joints whose names are typical for parts with springs.
std::vector<std::string> usual_joints(const SimulationSurface& surface) {
  constexpr std::array words{"ear",  "tail",   "hair",    "fin",   "breast", "belly",
                             "cape", "tongue", "antenna", "skirt", "trunk"};
  std::vector<std::string> result;
  for (const Bone& bone : surface.bones)
    if (std::any_of(words.begin(), words.end(),
                    [&](const char* word) { return lower_case(bone.name).starts_with(word); }))
      result.push_back(bone.name);
  return result;
}

// All joints that have a parent.
std::vector<std::string> child_joints(const SimulationSurface& surface) {
  std::vector<std::string> result;
  for (const Bone& bone : surface.bones)
    if (bone.parent >= 0) result.push_back(bone.name);
  return result;
}

TruthRow swing(const Subject& subject, const std::string& name, const std::vector<std::string>& joints,
               double stiffness, double drag) {
  SpringsMethod springs;
  springs.values.swing = joints;
  springs.values.forces.stiffness = stiffness;
  springs.values.forces.drag = drag;
  const Scene scene = cook(springs, {subject.character});
  return subject.played(name, *scene.deformer());
}

// Springs with the parameters that come nearest to the truth.
TruthRow tuned_swing(const Subject& subject, const std::string& name, const std::vector<std::string>& joints) {
  TruthRow best;
  best.error = HUGE_VAL;
  for (const double stiffness : {0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0})
    for (const double drag : {0.05, 0.1, 0.2, 0.4, 0.6}) {
      TruthRow row = swing(subject, name, joints, stiffness, drag);
      if (row.error < best.error) best = std::move(row);
    }
  return best;
}

// A surface model that learned the flesh from another clip, if there is one.
TruthRow learned_row(const Subject& subject, const std::string& name, int clip, const Progress& progress) {
  LearningOptions how;
  const std::vector<Clip>& clips = subject.character.clips;
  const auto other = static_cast<std::size_t>(clip == 0 && clips.size() > 1 ? 1 : 0);
  how.learned = clips[other].name;
  how.unseen = clips[static_cast<std::size_t>(clip)].name;
  how.flesh = subject.settings;
  const LearningExperiment learned = learning_experiment(subject.character, name, how, progress);
  const auto model =
      std::make_shared<const CookedSurface>(prepare_surface(subject.character, cook_runtime_file(learned.model), name));
  return subject.played("surface, learned from '" + clips[other].name + "'", *surface_scene(model).deformer());
}

std::vector<TruthRow> methods_of(const Subject& subject, const std::string& name, int clip, const Progress& progress) {
  const int threads = thread_count();
  set_thread_count(1);  // its microseconds are counted
  std::vector<TruthRow> rows;
  Performance rig;
  rig.frames.assign(subject.truth.size(), std::vector<Vec3>(subject.scene->surface.rest.positions.size()));
  rows.push_back(subject.compared("rig alone", rig, 1 / subject.options.frames_per_second));
  const std::vector<std::string> joints =
      subject.options.swing.empty() ? usual_joints(subject.scene->surface) : subject.options.swing;
  if (!joints.empty()) {
    rows.push_back(swing(subject, "springs, VRM's preset", joints, 1, 0.4));
    rows.push_back(swing(subject, "springs, KawaiiPhysics' preset", joints, 0.5, 0.1));
    rows.push_back(tuned_swing(subject, "springs, tuned to the truth", joints));
  }
  rows.push_back(swing(subject, "springs on every joint, VRM's preset", child_joints(subject.scene->surface), 1, 0.4));
  rows.push_back(tuned_swing(subject, "springs on every joint, tuned", child_joints(subject.scene->surface)));
  rows.push_back(subject.played("flesh", *flesh_scene(subject.scene, subject.settings).deformer()));
  set_thread_count(threads);
  if (!subject.options.learned) return rows;
  try {
    rows.push_back(learned_row(subject, name, clip, progress));
  } catch (const Error& error) {
    rows.push_back({std::string("surface: ") + error.what(), NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN});
  }
  return rows;
}

// Both oscillate freely on a rig that stands still from its fastest moment on.
void compare_ringing(const Subject& subject, TruthExperiment& experiment, const Progress& progress) {
  RigMotion motion = subject.motion;
  motion.stop = experiment.stop_seconds = fastest_moment(motion, subject.seconds);
  const double rate = subject.options.frames_per_second, about = subject.scene->material.frequency;
  const double whole = motion.stop + std::max(0.5, ringing_periods / about);
  const auto after = [&](Deformer& deformer) {
    Displacements frames = perform(deformer, motion, whole, rate, progress).frames;
    frames.erase(frames.begin(), frames.begin() + static_cast<std::ptrdiff_t>(std::lround(motion.stop * rate)) - 1);
    return frames;
  };
  const Displacements truth = after(*nonlinear_deformer(*subject.scene, subject.options.step, subject.options.law));
  const Displacements flesh = after(*flesh_scene(subject.scene, subject.settings).deformer());
  const std::vector<Vec3> shape = principal_motion(truth);
  const Displacements tissue =
      after(*flesh_scene(subject.tissue, with(Elasticity::nonlinear, subject.settings)).deformer());
  const Displacements tissue_truth = after(*truth_of_tissue(subject));
  const std::vector<Vec3> tissue_shape = principal_motion(tissue_truth);
  const Ringing of_truth = ringing(along(truth, shape), 1 / rate, about),
                of_flesh = ringing(along(flesh, shape), 1 / rate, about),
                of_nonlinear = ringing(along(tissue, tissue_shape), 1 / rate, about),
                of_tissue = ringing(along(tissue_truth, tissue_shape), 1 / rate, about);
  experiment.nonlinear_ring = of_nonlinear.frequency;
  experiment.nonlinear_damping = of_nonlinear.damping;
  experiment.tissue_ring = of_tissue.frequency;
  experiment.tissue_damping = of_tissue.damping;
  experiment.truth_ring = of_truth.frequency;
  experiment.truth_damping = of_truth.damping;
  experiment.flesh_ring = of_flesh.frequency;
  experiment.flesh_damping = of_flesh.damping;
  experiment.ring_left = of_truth.left;
}

// Fraction of samples that the rig itself strains beyond the bound, mean over the clip.
double strained_by_the_rig(const Subject& subject) {
  constexpr int poses = 20;
  const FleshBody& body = *subject.scene->body;
  NonlinearForces forces(body, subject.options.law);
  VertexFrames frames;
  double sum = 0;
  for (int k = 0; k < poses; ++k) {
    predict_frames(body.description.mesh.positions, body.description.influences,
                   subject.motion.at(subject.seconds * k / poses), frames);
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
  FleshSettings settings = with(Elasticity::linear, {});
  settings.tetrahedra = options.tetrahedra;
  const auto scene =
      std::make_shared<const CookedFlesh>(prepare_flesh(character, settings, part_of(progress, 0, 0.05)));
  const double seconds = std::min(options.seconds, clip.end - clip.start);
  Subject subject{character, options, settings, scene, {character, scene->surface, clip, HUGE_VAL},
                  seconds,   {},      {},       {},    {}};
  subject.tissue = std::make_shared<const CookedFlesh>(
      prepare_flesh(character, with(Elasticity::nonlinear, settings), {}, SteppedFor::clips, {index}));
  subject.motion.stop = clip.end - clip.start;

  TruthExperiment experiment;
  experiment.character = name;
  experiment.clip = clip.name;
  experiment.tetrahedra = static_cast<int>(scene->body->description.mesh.tetrahedra.size());
  experiment.free_vertices = static_cast<int>(scene->body->free_vertex.size());
  experiment.height = scene->height;
  experiment.amount = scene->material.sag / (material_preset(settings.look).sag * scene->height);
  experiment.frequency = scene->material.frequency;
  experiment.damping_ratio = scene->material.damping_ratio;
  experiment.held_samples = strained_by_the_rig(subject);
  subject.truth =
      subject.play(*nonlinear_deformer(*scene, options.step, options.law), part_of(progress, 0.05, 0.3)).frames;
  const double size = longest_side(scene->surface.rest);
  experiment.motion = root_mean_square(subject.truth) / size;
  experiment.largest_motion = largest(subject.truth) / size;
  experiment.parts = parts_of_flesh(subject);
  experiment.nonlinear = nonlinear_flesh(subject);
  experiment.places = places_of_error(subject);
  compare_ringing(subject, experiment, part_of(progress, 0.3, 0.5));
  if (options.others) experiment.others = other_truths(subject, part_of(progress, 0.5, 0.8));
  if (options.methods) experiment.methods = methods_of(subject, name, index, part_of(progress, 0.8, 1));
  return experiment;
}

}  // namespace sinew
