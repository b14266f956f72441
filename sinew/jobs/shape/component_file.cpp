#include "sinew/jobs/shape/component_file.h"

#include <array>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/output_place.h"
#include "sinew/jobs/shape/shape_work.h"
#include "sinew/shape/shape_forces.h"

namespace sinew {
namespace {

// Displacement of the skin at rest under the rig's last sample, metres.
std::vector<Vec3> shape_at_rest(ShapeWork& work, const ShapeRig& rig) {
  const SampledForce force = sampled_forces(rig, work.surface(), *work.body).back();
  work.body->set_pose(std::vector<Affine>(work.surface().bones.size()));
  const std::vector<Vec3> points = displacements_of(force, *work.body);
  std::vector<Vec3> skin(work.surface().rest.positions.size());
  multiply(work.body->skin(), points, skin);
  return skin;
}

}  // namespace

AddedShape extract_component_file(const ExtractComponentJob& job, const Progress& progress) {
  check_outputs_apart(std::array{job.output}, std::array{job.input, job.rigs});
  if (!std::filesystem::exists(job.rigs)) throw input_error(job.rigs.string() + ": there is no such file of rigs.");
  ShapeWork work = open_work(job.input, job.rigs, job.size, job.flesh, part_of(progress, 0, 0.8));
  const ShapeRig& rig = work.rig_named(job.name);
  if (rig.samples.empty())
    throw usage_error("--name: " + work.file.file + " has no rig '" + job.name + "'; `sinew shape list` names them.");
  const std::vector<Vec3> displacement = shape_at_rest(work, rig);
  ComponentPlace place = place_of(work.surface(), displacement);
  if (job.centre) place.centre = *job.centre;
  if (job.radius) place.radius = *job.radius;
  ShapeComponent component = extract_component(work.surface(), displacement, place);
  component.name = job.name;
  component.from = work.file.character.name;
  component.height = work.height();
  const std::string text = component_json(component);
  report_or_stop(progress, "writing " + job.output.filename().string(), 1);
  write_file(job.output, std::as_bytes(std::span(text)));
  return {work.size,
          {job.name + ": taken around " + short_number(place.centre.x) + "," + short_number(place.centre.y) + "," +
           short_number(place.centre.z) + ", " + short_number(place.radius) + " m around"},
          {}};
}

AddedShape deploy_component_file(const DeployComponentJob& job, const Progress& progress) {
  ShapeWork work = open_work(job.input, job.rigs, job.size, job.flesh, part_of(progress, 0, 0.5));
  AddedShape added = deploy_component_in(work, job, part_of(progress, 0.5, 0.95));
  write_work(work, job.rigs, progress);
  return added;
}

AddedShape deploy_component_in(ShapeWork& work, const DeployComponentJob& job, const Progress& progress) {
  const ShapeComponent component = component_from_json(read_text_file(job.component), job.component.string());
  ComponentPlace place{job.centre, component.radius * work.height() / component.height, job.spin, job.mirrored};
  if (job.radius) place.radius = *job.radius;
  std::vector<Vec3> skin = deploy_component(component, work.surface(), place);
  for (std::size_t s = 0; s < skin.size(); ++s) skin[s] += work.surface().rest.positions[s];
  const std::string name = job.name.empty() ? component.name : job.name;
  ShapeRig& rig = work.rig_named(name);
  rig = field_rig(name);
  rig.controls = {job.control.empty() ? name : job.control};
  work.declare_control(rig);
  const std::vector<Affine> rest(work.surface().bones.size());
  const SkinFit fit = fit_field(work, rig, 1, rest, {std::move(skin), {}}, {}, progress);
  return {work.size, {fit_outcome(name, fit, work.height())}, {fit.after.rms / work.height()}};
}

}  // namespace sinew
