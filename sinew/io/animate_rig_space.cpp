#include "sinew/io/animate_rig_space.h"

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "sinew/bake/bake_rig_space.h"
#include "sinew/bake/curve_clips.h"
#include "sinew/bake/learn_skinning.h"
#include "sinew/bake/prepare_rig_space.h"
#include "sinew/base/error.h"
#include "sinew/base/stopwatch.h"
#include "sinew/skinning/skeleton_rig_clip.h"

namespace sinew {
namespace {

std::size_t index(int i) { return static_cast<std::size_t>(i); }

// What keys the rig of a character, per clip.
struct Animations {
  std::vector<std::unique_ptr<ClipAnimation>> of_clip;
};

std::shared_ptr<const Animations> animations_of(const CharacterRig& rig, const Character& character) {
  auto result = std::make_shared<Animations>();
  for (const Clip& clip : character.clips) result->of_clip.push_back(std::make_unique<ClipAnimation>(rig, clip));
  return result;
}

std::vector<ExampleClip> example_clips(const Animations& animations, const Character& character) {
  std::vector<ExampleClip> result;
  for (std::size_t i = 0; i < character.clips.size(); ++i)
    result.push_back({animations.of_clip[i].get(), character.clips[i].start, character.clips[i].end});
  return result;
}

std::string in_percent(double part, double whole) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", 100 * part / whole);
  return text;
}

WrittenCurves written_curves(const RigSpaceScene& scene, const RigSpaceSettings& settings, const Character& character,
                             const RigAnimation* animation, const RigCurves& curves, std::vector<std::string>& notes) {
  CharacterRig& rig = dynamic_cast<CharacterRig&>(*scene.whole_rig);
  const std::string source = curves.clip < 0 ? "rest" : character.clips[index(curves.clip)].name;
  CurveClip clip = settings.key_error > 0
                       ? thinned_clip(rig, animation, curves, source + ".flesh", settings.key_error * scene.height)
                       : clip_of_curves(rig, curves, source + ".flesh");
  notes.push_back("clip '" + source + "': " + std::to_string(clip.keys) + " keys on " + std::to_string(clip.clip.channels.size()) +
                  " channels" + (clip.keys < clip.all_keys
                                     ? ", of " + std::to_string(clip.all_keys) + " at one per frame; the surface is off by " +
                                           in_percent(clip.largest_error, scene.height) + " % of the height at most."
                                     : "."));
  WrittenCurves result;
  result.source = curves.clip;
  result.clip = std::move(clip.clip);
  return result;
}

}  // namespace

std::vector<std::vector<std::string>> target_names(const GltfDocument& document) {
  std::vector<std::vector<std::string>> result;
  const nlohmann::json& json = *document.json;
  if (!json.contains("meshes")) return result;
  for (const nlohmann::json& mesh : json["meshes"]) {
    std::vector<std::string>& names = result.emplace_back();
    if (!mesh.contains("extras") || !mesh["extras"].is_object() || !mesh["extras"].contains("targetNames") ||
        !mesh["extras"]["targetNames"].is_array())
      continue;
    for (const nlohmann::json& name : mesh["extras"]["targetNames"])
      names.push_back(name.is_string() ? name.get<std::string>() : std::string());
  }
  return result;
}

PreparedMethod prepared_rig_space(const AnimateJob& job, const GltfDocument& document, const Character& character,
                                  const Progress& progress) {
  const RigSpaceSettings& settings = job.rig_space;
  const std::vector<std::vector<std::string>> names = target_names(document);
  const SimulationSurface surface = simulation_surface(character, settings.color_stiffness);
  const RigMaker maker = [&](std::span<const int> vertices) {
    return std::make_unique<CharacterRig>(character, surface, vertices, names);
  };
  const auto scene = std::make_shared<RigSpaceScene>(prepare_rig_space(character, settings, maker, part_of(progress, 0, 0.2)));
  const auto animations = animations_of(dynamic_cast<const CharacterRig&>(*scene->whole_rig), character);
  Stopwatch watch;
  if (settings.inside == InteriorVertices::skinning || !settings.young) {
    const std::vector<ExampleClip> clips = example_clips(*animations, character);
    const SkinningExamples examples = make_examples(*scene, clips, settings, part_of(progress, 0.2, 0.9));
    scene->stages.push_back({"examples", watch.lap()});
    learn_skinning(*scene, examples, settings, part_of(progress, 0.9, 1));
    scene->stages.push_back({"learn", watch.lap()});
  }
  decide_rig_space_material(*scene, settings);

  PreparedMethod method;
  RunReport& report = method.report;
  report.method = "rigspace";
  report_surface(scene->surface, report);
  report.height = scene->height;
  report.body_vertices = scene->body->mesh.positions.size();
  report.tetrahedra = scene->body->mesh.tetrahedra.size();
  report.free_unknowns = scene->free.size();
  report.settings = {{"young", std::to_string(scene->material.young)},
                     {"frequency", std::to_string(scene->material.frequency)},
                     {"damping_ratio", std::to_string(scene->material.damping_ratio)}};
  report.stages = scene->stages;
  report.warnings = scene->notes;
  method.bake = [&settings, &character, scene, animations](const BakeOptions& options, const Progress& of_clip) {
    const RigAnimation* animation = options.clip < 0 ? nullptr : animations->of_clip[index(options.clip)].get();
    return bake_rig_space(character, *scene, settings, animation, options, of_clip);
  };
  method.curves = [&settings, &character, scene, animations](const RigCurves& curves, std::vector<std::string>& notes) {
    const RigAnimation* animation = curves.clip < 0 ? nullptr : animations->of_clip[index(curves.clip)].get();
    return written_curves(*scene, settings, character, animation, curves, notes);
  };
  return method;
}

}  // namespace sinew
