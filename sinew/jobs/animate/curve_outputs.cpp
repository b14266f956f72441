#include "sinew/jobs/animate/curve_outputs.h"

#include <cstdio>
#include <utility>

#include "sinew/bake/output/curve_clips.h"
#include "sinew/bake/record_frames.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

std::string in_percent(double part, double whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", 100 * part / whole);
  return text;
}

// What layers add to the surface at the moved controls.
Recording layers_of(const Scene& scene, const RigAnimation* animation, const RigCurves& curves,
                    double frames_per_second) {
  const RigControls& controls = *scene.controls;
  const SimulationSurface& surface = *scene.surface;
  Recording recording;
  recording.frames_per_second = frames_per_second;
  if (!controls.without_layers) return recording;
  Rig& whole = *controls.rig;
  recording.times = curves.times;
  for (std::size_t k = 0; k < surface.parts.size(); ++k)
    recording.parts.push_back({surface.parts[k], static_cast<int>(surface.vertex_of[k].size()), {}});
  std::vector<Vec3> with(whole.vertices()), without(whole.vertices());
  for (std::size_t frame = 0; frame < curves.times.size(); ++frame) {
    std::vector<double> p;
    for (const RigParameter& parameter : whole.parameters()) p.push_back(parameter.rest);
    if (animation) animation->sample(curves.times[frame], p);
    add_curves(whole, curves, frame, p);
    whole.evaluate(p, with);
    controls.without_layers->evaluate(p, without);
    for (std::size_t v = 0; v < with.size(); ++v) with[v] -= without[v];
    append_frame(surface, with, recording);
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

}  // namespace

CurveTable curve_table(const RigControls& controls, const RigCurves& curves) {
  const Rig& rig = *controls.rig;
  const RigAnimation* animation = controls.animation(curves.clip);
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

WrittenCurves written_curves(const Scene& scene, const Character& character, const RigCurves& curves,
                             double frames_per_second, std::vector<std::string>& notes) {
  const RigControls& controls = *scene.controls;
  CharacterRig& rig = *controls.own;
  const RigAnimation* animation = controls.animation(curves.clip);
  const double key_error = controls.key_error;
  const std::string source = curves.clip < 0 ? "rest" : character.clips[index(curves.clip)].name;
  CurveClip clip = key_error > 0 ? thinned_clip(rig, animation, curves, source + ".flesh", key_error)
                                 : clip_of_curves(rig, animation, curves, source + ".flesh");
  notes.push_back("clip '" + source + "': " + std::to_string(clip.keys) + " keys on " +
                  std::to_string(clip.clip.channels.size()) + " channels" +
                  (clip.keys < clip.all_keys
                       ? ", of " + std::to_string(clip.all_keys) + " at one per frame; the surface is off by " +
                             in_percent(clip.largest_error, scene.height) + " % of the height at most."
                       : "."));
  WrittenCurves result;
  result.source = curves.clip;
  result.whole = controls.whole_clip;
  if (const std::vector<int> keyed = keyed_of(animation, curves); !result.whole && !keyed.empty()) {
    result.whole = true;
    notes.push_back("clip '" + source + "' has keys for " + std::to_string(keyed.size()) + " of " +
                    std::to_string(curves.parameters.size()) + " free parameters: '" + source +
                    ".flesh' has them with what physics adds, and its other channels too; play it in place of '" +
                    source + "'.");
  }
  result.layers = layers_of(scene, animation, curves, frames_per_second);
  result.clip = std::move(clip.clip);
  return result;
}

}  // namespace sinew
