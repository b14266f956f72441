#include "sinew/jobs/animate/animate_rig_space.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include "sinew/bake/bake_cooked.h"
#include "sinew/bake/output/curve_clips.h"
#include "sinew/bake/record_frames.h"
#include "sinew/base/index.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/scenes.h"
#include "sinew/files/rig_file.h"
#include "sinew/files/settings_json.h"
#include "sinew/rig/rig_time.h"
#include "sinew/rig/skeleton_rig_clip.h"

namespace sinew {
namespace {

std::vector<std::shared_ptr<const RigAnimation>> animations_of(const RigSpaceScene& scene, const Character& character) {
  std::vector<std::shared_ptr<const RigAnimation>> result;
  for (const Clip& clip : character.clips) {
    if (scene.own)
      result.push_back(std::make_shared<ClipAnimation>(*scene.own, clip));
    else
      result.push_back(std::make_shared<TimeAnimation>(*scene.whole_rig));
  }
  return result;
}

std::string in_percent(double part, double whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", 100 * part / whole);
  return text;
}

// What layers add to the surface at the moved controls.
Recording layers_of(const OpenRigSpace& open, const RigAnimation* animation, const RigCurves& curves,
                    double frames_per_second) {
  Recording recording;
  recording.frames_per_second = frames_per_second;
  if (!open.plain_rig) return recording;
  Rig& whole = *open.scene->whole_rig;
  recording.times = curves.times;
  for (std::size_t k = 0; k < open.scene->surface.parts.size(); ++k)
    recording.parts.push_back(
        {open.scene->surface.parts[k], static_cast<int>(open.scene->surface.vertex_of[k].size()), {}});
  std::vector<Vec3> with(whole.vertices()), without(whole.vertices());
  for (std::size_t frame = 0; frame < curves.times.size(); ++frame) {
    std::vector<double> p;
    for (const RigParameter& parameter : whole.parameters()) p.push_back(parameter.rest);
    if (animation) animation->sample(curves.times[frame], p);
    add_curves(whole, curves, frame, p);
    whole.evaluate(p, with);
    open.plain_rig->evaluate(p, without);
    for (std::size_t v = 0; v < with.size(); ++v) with[v] -= without[v];
    append_frame(open.scene->surface, with, recording);
  }
  return recording;
}

// Of the curves' parameters, those that the clip has keys for.
std::vector<int> keyed_of(const RigAnimation* animation, const RigCurves& curves) {
  std::vector<int> keyed;
  for (const int i : curves.parameters)
    if (animation && animation->keyed()[index(i)]) keyed.push_back(i);
  return keyed;
}

// What --curves writes: values of the free parameters, and beside those that the clip moves what physics adds to them.
CurveTable table_of(const Rig& rig, const RigAnimation* animation, const RigCurves& curves) {
  const std::size_t count = curves.parameters.size();
  const std::vector<char> still = animation ? animation->still() : std::vector<char>();
  CurveTable table;
  table.times = curves.times;
  std::vector<std::size_t> moved;
  for (std::size_t i = 0; i < count; ++i) {
    const auto parameter = index(curves.parameters[i]);
    table.names.push_back(rig.parameters()[parameter].name);
    if (animation && animation->keyed()[parameter] && !still[parameter]) moved.push_back(i);
  }
  for (const std::size_t i : moved) table.names.push_back(table.names[i] + " offset");
  for (std::size_t frame = 0; frame < curves.times.size(); ++frame) {
    std::vector<double> p;
    for (const RigParameter& parameter : rig.parameters()) p.push_back(parameter.rest);
    if (animation) animation->sample(curves.times[frame], p);
    add_curves(rig, curves, frame, p);
    for (const int i : curves.parameters) table.values.push_back(p[index(i)]);
    for (const std::size_t i : moved)
      table.values.push_back(curves.values[frame * count + i] - rig.parameters()[index(curves.parameters[i])].rest);
  }
  return table;
}

WrittenCurves written_curves(const OpenRigSpace& open, const RigSpaceSettings& settings, const Character& character,
                             const RigAnimation* animation, const RigCurves& curves, double frames_per_second,
                             std::vector<std::string>& notes) {
  const RigSpaceScene& scene = *open.scene;
  CharacterRig& rig = *scene.own;
  const double key_error = settings.key_error;
  const std::string source = curves.clip < 0 ? "rest" : character.clips[index(curves.clip)].name;
  CurveClip clip = key_error > 0 ? thinned_clip(rig, animation, curves, source + ".flesh", key_error * scene.height)
                                 : clip_of_curves(rig, animation, curves, source + ".flesh");
  notes.push_back("clip '" + source + "': " + std::to_string(clip.keys) + " keys on " +
                  std::to_string(clip.clip.channels.size()) + " channels" +
                  (clip.keys < clip.all_keys
                       ? ", of " + std::to_string(clip.all_keys) + " at one per frame; the surface is off by " +
                             in_percent(clip.largest_error, scene.height) + " % of the height at most."
                       : "."));
  WrittenCurves result;
  result.source = curves.clip;
  result.whole = settings.whole_clip;
  if (const std::vector<int> keyed = keyed_of(animation, curves); !result.whole && !keyed.empty()) {
    result.whole = true;
    notes.push_back("clip '" + source + "' has keys for " + std::to_string(keyed.size()) + " of " +
                    std::to_string(curves.parameters.size()) + " free parameters: '" + source +
                    ".flesh' has them with what physics adds, and its other channels too; play it in place of '" +
                    source + "'.");
  }
  result.layers = layers_of(open, animation, curves, frames_per_second);
  result.clip = std::move(clip.clip);
  return result;
}

}  // namespace

OpenRigSpace open_rig_space(const RigSpaceSettings& settings, const Character& character, const Progress& progress) {
  const SimulationSurface surface = simulation_surface(character, settings.color_stiffness);
  std::optional<RigFile> file;
  if (!settings.rig.empty()) file = read_rig_file(settings.rig);
  const RigMaker maker = [&](std::span<const int> vertices) {
    return make_rig(file ? &*file : nullptr, character, surface, vertices);
  };
  OpenRigSpace result;
  result.scene = std::make_shared<RigSpaceScene>(prepare_rig_space(character, settings, maker, progress));
  result.animations = animations_of(*result.scene, character);
  if (file && !file->layers.empty()) result.plain_rig = make_rig(nullptr, character, surface).rig;
  return result;
}

SkinningKey skinning_key(const RigSpaceScene& scene) {
  std::vector<int> boundary, interior;
  for (std::size_t v = 0; v < scene.body->mesh.positions.size(); ++v)
    (v < scene.body->boundary_vertices() ? boundary : interior).push_back(static_cast<int>(v));
  std::vector<std::string> parameters;
  for (const int i : scene.free) parameters.push_back(scene.rig->parameters()[index(i)].name);
  return skinning_key(scene.body->mesh, boundary, interior, parameters);
}

FoundSkinning find_skinning(const OpenRigSpace& open, const Character& character, const RigSpaceSettings& settings,
                            const Progress& progress) {
  std::vector<ExampleClip> clips;
  for (std::size_t i = 0; i < character.clips.size(); ++i)
    clips.push_back({open.animations[i].get(), character.clips[i].start, character.clips[i].end});
  Stopwatch watch;
  const SkinningExamples examples = make_examples(*open.scene, clips, settings, part_of(progress, 0, 0.9));
  FoundSkinning found{examples.poses, examples.skipped, watch.lap(), {}};
  open.scene->stages.push_back({"examples", found.examples_seconds});
  found.learned = learn_skinning(*open.scene, examples, settings, part_of(progress, 0.9, 1)).report;
  open.scene->stages.push_back({"learn", watch.lap()});
  if (found.skipped > 0)
    open.scene->notes.push_back(
        std::to_string(found.skipped) + " of " + std::to_string(found.skipped + found.poses) +
        " example poses fold the body too far for its inside to find an equilibrium; they were left out.");
  return found;
}

PreparedMethod prepared_rig_space(const MethodChoice& choice, const Character& character, std::span<const int> clips,
                                  const Progress& progress) {
  const RigSpaceSettings& settings = choice.rig_space;
  const auto open = std::make_shared<OpenRigSpace>(open_rig_space(settings, character, part_of(progress, 0, 0.2)));
  const std::shared_ptr<RigSpaceScene>& scene = open->scene;
  // Before anything that takes time.
  const auto animation_of = [open](int clip) { return clip < 0 ? nullptr : open->animations[index(clip)].get(); };
  const auto controls = [animation_of, open, &character](int clip) {
    const RigAnimation* animation = animation_of(clip);
    if (animation) refuse_keyed(*open->scene, *animation, character.file, character.clips[index(clip)].name);
    return animation;
  };
  std::for_each(clips.begin(), clips.end(), controls);
  if (!choice.skinning.empty())
    scene->body->interior = read_skinning_file(choice.skinning, skinning_key(*scene));
  else if (settings.inside != InteriorVertices::equilibrium || !settings.young)
    find_skinning(*open, character, settings, part_of(progress, 0.2, 1));
  correct_interior(*scene, settings);
  decide_rig_space_material(*scene, settings);

  PreparedMethod method;
  RunReport& report = method.report;
  report.method = "rigspace";
  report_surface(scene->surface, report);
  report.height = scene->height;
  report.body_vertices = scene->body->mesh.positions.size();
  report.tetrahedra = scene->body->mesh.tetrahedra.size();
  report.free_unknowns = scene->free.size();
  report.settings = {{"settings", settings_json(settings)},
                     {"young", std::to_string(scene->material.young)},
                     {"frequency", std::to_string(scene->material.frequency)},
                     {"damping_ratio", std::to_string(scene->material.damping_ratio)}};
  report.stages = scene->stages;
  report.warnings = scene->notes;
  method.scene = rig_space_scene(open->scene, settings);
  method.controls = controls;
  method.table = [open, animation_of](const RigCurves& curves) {
    return table_of(*open->scene->whole_rig, animation_of(curves.clip), curves);
  };
  // The controls of a rig outside are no nodes of the file.
  if (scene->own)
    method.curves = [settings, &character, open, animation_of](const RigCurves& curves, double frames_per_second,
                                                               std::vector<std::string>& notes) {
      return written_curves(*open, settings, character, animation_of(curves.clip), curves, frames_per_second, notes);
    };
  else
    report.warnings.push_back(
        "The controls of a rig outside are no nodes of the file: its motion is written as morph targets; "
        "--curves writes their values.");
  return method;
}

}  // namespace sinew
