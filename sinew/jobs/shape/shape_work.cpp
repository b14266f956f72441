#include "sinew/jobs/shape/shape_work.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/base/output_place.h"
#include "sinew/base/simulation_context.h"
#include "sinew/cook/flesh/cook_shapes.h"
#include "sinew/cook/lattice/named_lattice.h"
#include "sinew/cook/lattice/prepare_lattice.h"
#include "sinew/shape/shape_forces.h"
#include "sinew/shape/shape_rig_json.h"

namespace sinew {
namespace {

// Forces below this share of the largest are left out of the file.
constexpr double negligible_force = 1e-6;
// Digits of forces in files.
constexpr int force_digits = 7;
// Smoothness from which the report says so.
constexpr double noticed_smoothness = 0.01;
// RMS distance, relative to the height, from which the report says why a target was not reached.
constexpr double noticed_distance = 0.005;

double rounded(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", force_digits, value);
  return std::strtod(text, nullptr);
}

std::vector<SkinForce> forces_for_file(std::span<const Vec3> forces) {
  double most = 0;
  for (const Vec3& each : forces) most = std::max(most, norm(each));
  std::vector<SkinForce> result;
  for (std::size_t s = 0; s < forces.size(); ++s)
    if (norm(forces[s]) > negligible_force * most)
      result.push_back({static_cast<int>(s), {rounded(forces[s].x), rounded(forces[s].y), rounded(forces[s].z)}});
  return result;
}

void set_sample(ShapeRig& rig, ShapeSample sample) {
  std::erase_if(rig.samples, [&](const ShapeSample& other) { return other.at == sample.at; });
  rig.samples.push_back(std::move(sample));
  std::sort(rig.samples.begin(), rig.samples.end(),
            [](const ShapeSample& a, const ShapeSample& b) { return a.at < b.at; });
}

// Replaces the samples between that at `at` and its neighbours. Between two fitted ones, forces grow evenly.
void set_between(ShapeRig& rig, double at, const SkinFit& fit, ShapeBody& body) {
  const auto is_fitted = [](const ShapeSample& sample) { return !sample.between; };
  const auto here = std::find_if(rig.samples.begin(), rig.samples.end(),
                                 [&](const ShapeSample& sample) { return sample.at[0] == at; });
  const auto after = std::find_if(here + 1, rig.samples.end(), is_fitted);
  rig.samples.erase(here + 1, after);
  const auto before = std::find_if(std::make_reverse_iterator(here), rig.samples.rend(), is_fitted).base();
  const auto next = here + 1;
  const bool from_nothing =
      (before != rig.samples.begin() && (before - 1)->at[0] == 0) || (next != rig.samples.end() && next->at[0] == 0);
  rig.samples.erase(before, here);
  if (!from_nothing) return;
  for (const PartOfFit& part : fit.between) {
    ShapeSample sample = field_sample({part.share * at}, part.forces, body);
    sample.between = true;
    set_sample(rig, std::move(sample));
  }
}

}  // namespace

ShapeRig& ShapeWork::rig_named(const std::string& name) {
  const auto found =
      std::find_if(file.rigs.begin(), file.rigs.end(), [&](const ShapeRig& rig) { return rig.name == name; });
  return found != file.rigs.end() ? *found : file.rigs.emplace_back(field_rig(name));
}

void ShapeWork::declare_control(const ShapeRig& rig) {
  const std::string& control = rig.controls.front();
  if (control_source(control, file, character(), surface()) == ControlSource::unknown)
    file.controls.push_back({control, 0, {}, false});
}

ShapeRig field_rig(const std::string& name) {
  ShapeRig rig;
  rig.name = name;
  rig.kind = TemplateKind::field;
  return rig;
}

ShapeWork work_on(std::shared_ptr<const Character> character, const FleshSettings& settings, const Progress& progress) {
  ShapeWork work;
  work.known = std::move(character);
  in_context(work.known->file, "try another --tetrahedra", [&] {
    const bool in_lattice = !settings.lattice.file.empty();
    work.flesh = prepare_flesh(*work.known, settings, part_of(progress, 0, in_lattice ? 0.4 : 1));
    NamedLattice control;
    if (in_lattice) {
      control = named_lattice(settings.lattice, *work.known, work.surface(), part_of(progress, 0.4, 0.8));
      work.flesh.lattice = prepare_lattice(work.flesh, *control.lattice, settings, part_of(progress, 0.8, 1));
    }
    work.body = shape_body(work.flesh, settings, control.lattice.get());
    work.statics = static_flesh(work.flesh, settings);
  });
  return work;
}

ShapeWork open_work(const std::filesystem::path& input, const std::filesystem::path& rigs, const SizeRequest& size,
                    const FleshSettings& settings, const Progress& progress) {
  if (!rigs.empty()) check_outputs_apart(std::array{rigs}, std::array{input});
  report_or_stop(progress, "reading " + input.filename().string(), 0);
  OpenedCharacter opened = open_rigged_character(input, size);
  ShapeWork work =
      work_on(std::make_shared<const Character>(std::move(opened.character)), settings, part_of(progress, 0.1, 1));
  work.document = std::move(opened.document);
  work.size = opened.size.sentence;
  if (std::filesystem::exists(rigs)) {
    work.file = read_shapes(rigs);
    check_character(work.file, work.character().file, work.surface());
  } else {
    work.file.file = rigs.string();
    work.file.character = shaped_character(input.filename().string(), work.surface());
  }
  return work;
}

void write_work(ShapeWork& work, const std::filesystem::path& rigs, const Progress& progress) {
  const std::string text = shape_json(work.file);
  // The rigs are tried as the file will say them.
  ShapeForces(shape_from_json(text, rigs.string()), {}, work.character(), work.surface(), *work.body);
  report_or_stop(progress, "writing " + rigs.filename().string(), 1);
  write_file(rigs, std::as_bytes(std::span(text)));
}

ShapeSample field_sample(const std::vector<double>& at, std::span<const Vec3> forces, ShapeBody& body) {
  ShapeSample sample{at, {1}, forces_for_file(forces)};
  std::vector<Vec3> on_skin(body.skin().rows());
  for (const SkinForce& each : sample.forces) on_skin[index(each.vertex)] = each.force;
  sample.reach = reach_of(carry_forces(body.skin(), on_skin), body);
  return sample;
}

SkinFit fit_field(ShapeWork& work, ShapeRig& rig, double at, std::span<const Affine> bones, const ShapeTarget& target,
                  const SkinFitOptions& options, const Progress& progress) {
  const bool closest = target.vertices.empty();
  const SkinFit fit =
      fit_skin(*work.statics, work.surface(), bones,
               closest ? surface_targets(target.mesh, work.surface().rest.triangles) : vertex_targets(target.vertices),
               closest, options, progress);
  if (rig.samples.empty() && at != 0) set_sample(rig, {{0}, {0}});
  set_sample(rig, field_sample({at}, fit.forces, *work.body));
  set_between(rig, at, fit, *work.body);
  return fit;
}

std::string fit_outcome(const std::string& name, const SkinFit& fit, double height) {
  std::string text = name + ": distance from the target " + short_percent(fit.before.rms / height) +
                     " of the height before, " + short_percent(fit.after.rms / height) + " after (RMS; largest " +
                     short_percent(fit.after.largest / height) + "), " + std::to_string(fit.iterations) + " iterations";
  if (fit.after.rms > noticed_distance * height)
    text += "; bones hold the skin that does not reach it, or the target's pose is another one (--pose, --clip)";
  if (fit.smoothness >= noticed_smoothness)
    text += "; smoothed by " + short_number(fit.smoothness) + ", since flesh is not held by sharper forces";
  return text;
}

}  // namespace sinew
