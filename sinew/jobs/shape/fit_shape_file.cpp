#include "sinew/jobs/shape/fit_shape_file.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/character/choose_clip.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/rig/weight_controls.h"
#include "sinew/shape/fit_pose.h"
#include "sinew/shape/fit_skin.h"
#include "sinew/shape/fit_template.h"
#include "sinew/shape/joint_turns.h"
#include "sinew/shape/shape_forces.h"

namespace sinew {
namespace {

// A morph target that moves the skin by less than this share of the height is left out.
constexpr double least_morph = 1e-4;

// The skin as the rig alone poses it, world, metres.
std::vector<Vec3> posed_skin(const SimulationSurface& surface, std::span<const Affine> bones) {
  VertexFrames frames;
  predict_frames(skin_of(surface), bones, frames);
  return frames.goal;
}

int nearest_vertex(std::span<const Vec3> skin, const Vec3& place) {
  return static_cast<int>(std::min_element(skin.begin(), skin.end(),
                                           [&](const Vec3& a, const Vec3& b) {
                                             return squared_norm(a - place) < squared_norm(b - place);
                                           }) -
                          skin.begin());
}

// Adds a line about features to `added`.
Pose pose_of(const ShapePose& wanted, const ShapeWork& work, AddedShape& added) {
  const Character& character = work.character();
  const Clip* clip = nullptr;
  if (wanted.time != 0 && !wanted.clip) throw usage_error("--time: name the clip that it belongs to by --clip.");
  if (wanted.clip) {
    const int chosen = choose_clip(character, *wanted.clip);
    if (chosen < 0) throw usage_error("--clip: " + character.file + " has no clips.");
    clip = &character.clips[index(chosen)];
  }
  std::vector<JointTurn> turns;
  for (const std::string& text : wanted.turns) turns.push_back(joint_turn_from(text));
  const Pose pose =
      wanted.exactly ? *wanted.exactly : turned(character, sample(character.skeleton, clip, wanted.time), turns);
  std::vector<PoseFeature> features = wanted.at_vertices;
  if (wanted.features.empty() && features.empty()) return pose;
  const std::vector<Vec3> skin = posed_skin(work.surface(), bone_transforms(character, work.surface(), pose));
  for (const auto& [from, to] : wanted.features) features.push_back({nearest_vertex(skin, from), to});
  const PoseFit fit = fit_pose(character, work.surface(), pose, features);
  std::string text = "pose: features are " + short_percent(fit.before / work.height()) +
                     " of the height from their places before, " + short_percent(fit.after / work.height()) + " after";
  for (const FittedTurn& turn : fit.turns)
    text += ", " + character.skeleton.joints[index(turn.joint)].name + " turned by " + short_number(turn.degrees) +
            " degrees";
  added.lines.push_back(text);
  return fit.pose;
}

std::vector<double> counted(const std::vector<ShapeRegion>& regions, const SimulationSurface& surface) {
  if (regions.empty()) return {};
  std::vector<double> weight(surface.rest.positions.size(), 0.0);
  for (const ShapeRegion& region : regions)
    for (std::size_t s = 0; s < weight.size(); ++s)
      weight[s] = std::max(weight[s], bell(distance(surface.rest.positions[s], region.centre), region.radius));
  return weight;
}

double value_in_pose(const ShapeWork& work, const ShapeRig& rig, const Pose& pose) {
  ShapeFile file = work.file;
  file.rigs = {rig};
  const ControlValues values(file, {}, work.character(), work.surface());
  std::vector<double> found(values.size());
  values.find(pose, 0, found);
  return found[values.of_rig(0)[0]];
}

void fit_target(ShapeWork& work, const FitShapeJob& job, AddedShape& added, const Progress& progress) {
  const Pose pose = pose_of(job.pose, work, added);
  const std::vector<Affine> bones = bone_transforms(work.character(), work.surface(), pose);
  const std::vector<Vec3> skin = posed_skin(work.surface(), bones);
  constexpr std::string_view morph = "morph:";
  const ShapeTarget target =
      job.target.starts_with(morph)
          ? morph_target_shape(work.character(), work.surface(), pose, job.target.substr(morph.size()))
          : target_of_file(job.target, job.target_scale, work.character(), work.surface(), skin);
  ShapeRig& rig = work.rig_named(job.name);
  if (rig.kind != TemplateKind::field)
    throw usage_error("--name: rig '" + job.name + "' is made of a template; fit one of another name.");
  if (!rig.samples.empty() && !job.control.empty() && rig.controls != std::vector{job.control})
    throw usage_error("--control: rig '" + job.name + "' has the control " + rig.controls.front() +
                      " already; fit one of another name.");
  if (!job.control.empty()) rig.controls = {job.control};
  if (rig.controls.empty()) rig.controls = {job.name};
  if (rig.controls.size() > 1)
    throw usage_error("--name: rig '" + job.name + "' has several controls; fit one of another name.");
  work.declare_control(rig);
  const bool by_pose =
      control_source(rig.controls.front(), work.file, work.character(), work.surface()) == ControlSource::joint;
  const double at = job.at ? *job.at : by_pose ? value_in_pose(work, rig, pose) : 1;
  if (at == 0)
    throw usage_error("--at: the control " + rig.controls.front() +
                      " is 0 in this pose, where a rig does nothing; give --pose, or the value of the control.");
  SkinFitOptions options{.smoothness = job.smoothness,
                         .weight = job.weight.empty() ? counted(job.regions, work.surface()) : job.weight};
  if (by_pose) {
    const Pose rest = sample(work.character().skeleton, nullptr, 0);
    options.way = [&, rest](double share) {
      return bone_transforms(work.character(), work.surface(),
                             pose_between(work.character().skeleton, rest, pose, share));
    };
  }
  const SkinFit fit = fit_field(work, rig, at, bones, target, options, progress);
  added.lines.push_back(fit_outcome(job.name, fit, work.height()));
  added.left.push_back(fit.after.rms / work.height());
  added.lines.push_back("control " + rig.controls.front() + ": the shape is reached at " + short_number(at));
}

// The sample that is changed: that at `at`, else the last one.
ShapeSample& sample_at(ShapeRig& rig, std::optional<double> at) {
  if (!at) return rig.samples.back();
  for (ShapeSample& sample : rig.samples)
    if (sample.at == std::vector{*at}) return sample;
  throw usage_error("--at: rig '" + rig.name + "' has no sample at " + short_number(*at) + ".");
}

void fit_dragged(ShapeWork& work, const FitShapeJob& job, AddedShape& added, const Progress& progress) {
  ShapeRig& rig = work.rig_named(job.name);
  if (rig.samples.empty() || !has_guide(rig.kind))
    throw usage_error("--name: " + work.file.file + " has no template rig '" + job.name +
                      "' whose parameters could follow; make it by `sinew shape add`.");
  const std::vector<Affine> bones = bone_transforms(work.character(), work.surface(), pose_of(job.pose, work, added));
  const std::vector<Vec3> skin = posed_skin(work.surface(), bones);
  std::vector<DraggedPoint> points = job.dragged;
  for (const auto& [from, to] : job.drags) {
    const int vertex = nearest_vertex(skin, from);
    points.push_back({vertex, to + (skin[index(vertex)] - from)});
  }
  ShapeSample& sample = sample_at(rig, job.at);
  ShapeSample start = sample;
  if (rig.by_displacement && start.eta[amplitude_parameter] != 0)
    start.eta[amplitude_parameter] = amplitude_for_displacement(rig, start, work.surface(), *work.body);
  const std::vector<ShapeParameter> rows = fitted_parameters(rig, start);
  TemplateFitOptions options;
  options.iterations = job.iterations;
  options.fixed.assign(rows.size(), 0);
  for (const std::string& name : job.fixed) {
    const std::size_t row = find_parameter(rows, name);
    if (row == rows.size()) throw usage_error("--fix: rig '" + rig.name + "' has no parameter '" + name + "'.");
    options.fixed[row] = 1;
  }
  TemplateFitting fitting(rig, start, points, bones, work.surface(), *work.body, options);
  int iteration = 0;
  const TemplateFit fit = fitting.fit([&] {
    return report(progress, "moving the template", std::min(1.0, ++iteration / static_cast<double>(job.iterations)));
  });
  sample = fit.sample;
  if (rig.by_displacement)
    sample.eta[amplitude_parameter] = displacement_of_amplitude(rig, fit.sample, work.surface(), *work.body);
  std::string parameters;
  const std::vector<double> values = fitting.values_of(sample);
  for (std::size_t k = 0; k < rows.size(); ++k)
    parameters += (k ? ", " : "") +
                  std::string(k == amplitude_parameter && rig.by_displacement ? "displacement" : rows[k].name) + " " +
                  short_number(values[k]);
  added.lines.push_back(rig.name + ": the points are " + short_percent(fit.before / work.height()) +
                        " of the height from where they are dragged to before, " +
                        short_percent(fit.after / work.height()) + " after, " + std::to_string(fit.iterations) +
                        " iterations");
  added.lines.push_back(parameters);
  added.left.push_back(fit.after / work.height());
}

}  // namespace

AddedShape fit_shape_in(ShapeWork& work, const FitShapeJob& job, const Progress& progress) {
  AddedShape added{work.size, {}, {}};
  if (job.target.empty())
    fit_dragged(work, job, added, progress);
  else
    fit_target(work, job, added, progress);
  return added;
}

AddedShape fit_shape(const FitShapeJob& job, const Progress& progress) {
  if (job.name.empty()) throw usage_error("--name: give the rig a name.");
  if (job.target.empty() == (job.drags.empty() && job.dragged.empty()))
    throw usage_error("say what the rig is fitted to: --target FILE, --target morph:NAME, or points by --drag.");
  if (!(job.smoothness > 0)) throw usage_error("--smoothness: must be positive.");
  if (!(job.target_scale > 0)) throw usage_error("--target-scale: must be positive.");
  ShapeWork work = open_work(job.input, job.rigs, job.size, job.flesh, part_of(progress, 0, 0.5));
  AddedShape added = fit_shape_in(work, job, part_of(progress, 0.5, 0.95));
  write_work(work, job.rigs, progress);
  return added;
}

AddedShape shapes_from_morphs(const MorphsToForces& job, const Progress& progress) {
  ShapeWork work = open_work(job.input, job.rigs, job.size, job.flesh, part_of(progress, 0, 0.3));
  AddedShape added = shapes_from_morphs_in(work, job, part_of(progress, 0.3, 0.95));
  write_work(work, job.rigs, progress);
  return added;
}

AddedShape shapes_from_morphs_in(ShapeWork& work, const MorphsToForces& job, const Progress& progress) {
  AddedShape added{work.size, {}, {}};
  std::vector<std::string> names = job.names;
  if (names.empty())
    for (const WeightControl& weight : weight_controls(work.character(), work.surface()))
      if (std::find(names.begin(), names.end(), weight.parameter.control) == names.end())
        names.push_back(weight.parameter.control);
  if (names.empty()) throw input_error(work.character().file + ": has no morph targets on its skin.");
  const Pose rest = sample(work.character().skeleton, nullptr, 0);
  const std::vector<Affine> bones = bone_transforms(work.character(), work.surface(), rest);
  const std::vector<Vec3> skin = posed_skin(work.surface(), bones);
  std::string still;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const double count = static_cast<double>(names.size()), begin = static_cast<double>(k) / count;
    const ShapeTarget target = morph_target_shape(work.character(), work.surface(), rest, names[k]);
    double most = 0;
    for (std::size_t s = 0; s < skin.size(); ++s) most = std::max(most, distance(target.vertices[s], skin[s]));
    if (most < least_morph * work.height()) {
      still += (still.empty() ? "" : ", ") + names[k];
      continue;
    }
    ShapeRig& rig = work.rig_named(names[k]);
    rig = field_rig(names[k]);
    rig.controls = {names[k]};
    rig.morph = names[k];
    const SkinFit fit = fit_field(work, rig, 1, bones, target, {.smoothness = job.smoothness},
                                  part_of(progress, begin, begin + 1 / count));
    added.lines.push_back(fit_outcome(names[k], fit, work.height()));
    added.left.push_back(fit.after.rms / work.height());
  }
  if (!still.empty()) added.lines.push_back("left out, since they do not move the skin: " + still);
  return added;
}

}  // namespace sinew
