#include "sinew/cook/rig_space/open_rig_space.h"

#include <optional>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/stopwatch.h"
#include "sinew/cook/rig_space/choose_controls.h"
#include "sinew/files/rig_file.h"
#include "sinew/rig/rig_time.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "sinew/rig/skinned_points.h"

namespace sinew {
namespace {

std::vector<std::shared_ptr<const RigAnimation>> animations_of(const CookedRigSpace& cooked,
                                                               const Character& character) {
  std::vector<std::shared_ptr<const RigAnimation>> result;
  for (const Clip& clip : character.clips) {
    if (cooked.own)
      result.push_back(std::make_shared<ClipAnimation>(*cooked.own, clip));
    else
      result.push_back(std::make_shared<TimeAnimation>(*cooked.whole_rig));
  }
  return result;
}

}  // namespace

OpenRigSpace open_rig_space(const RigSpaceSettings& settings, const Character& character, const Progress& progress) {
  SimulationSurface surface = simulation_surface(character, settings.color_stiffness);
  set_skinning(settings.skinning, surface);
  std::optional<RigFile> file;
  if (!settings.rig.empty()) file = read_rig_file(settings.rig);
  const bool linear = settings.skinning == SkinningKind::linear;
  if (file && !linear)
    throw input_error("skinning: a rig from a file poses the skin itself; leave it out, or leave out the file.");
  const RigMaker maker = [&](std::span<const int> vertices) {
    return make_rig(file ? &*file : nullptr, character, surface, vertices);
  };
  OpenRigSpace result;
  result.cooked = std::make_shared<CookedRigSpace>(prepare_rig_space(character, settings, maker, progress));
  result.animations = animations_of(*result.cooked, character);
  if ((file && !file->layers.empty()) || !linear) {
    surface.skinning = {};  // as viewers pose the skin
    result.plain_rig = make_rig(nullptr, character, surface).rig;
  }
  return result;
}

SkinningKey skinning_key(const CookedRigSpace& cooked) {
  std::vector<int> boundary, interior;
  for (std::size_t v = 0; v < cooked.body->mesh.positions.size(); ++v)
    (v < cooked.body->boundary_vertices() ? boundary : interior).push_back(static_cast<int>(v));
  std::vector<std::string> parameters;
  for (const int i : cooked.free) parameters.push_back(cooked.rig->parameters()[index(i)].name);
  return skinning_key(cooked.body->mesh, boundary, interior, parameters);
}

FoundSkinning find_skinning(const OpenRigSpace& open, const Character& character, const RigSpaceSettings& settings,
                            const Progress& progress) {
  std::vector<ExampleClip> clips;
  for (std::size_t i = 0; i < character.clips.size(); ++i)
    clips.push_back({open.animations[i].get(), character.clips[i].start, character.clips[i].end});
  Stopwatch watch;
  const SkinningExamples examples = make_examples(*open.cooked, clips, settings, part_of(progress, 0, 0.9));
  FoundSkinning found;
  found.poses = examples.poses;
  found.skipped = examples.skipped;
  found.examples_seconds = watch.lap();
  open.cooked->stages.push_back({"examples", found.examples_seconds});
  VolumetricSkinning learned = learn_skinning(*open.cooked, examples, settings, part_of(progress, 0.9, 1));
  found.file = {skinning_key(*open.cooked), std::move(learned.weights)};
  found.learned = std::move(learned.report);
  open.cooked->stages.push_back({"learn", watch.lap()});
  return found;
}

void use_skinning(const FoundSkinning& found, CookedRigSpace& cooked) {
  cooked.body->interior = found.file.weights;
  if (found.skipped > 0)
    cooked.notes.push_back(
        std::to_string(found.skipped) + " of " + std::to_string(found.skipped + found.poses) +
        " example poses fold the body too far for its inside to find an equilibrium; they were left out.");
}

void refuse_keyed(const CookedRigSpace& cooked, const RigAnimation& animation, const std::string& file,
                  const std::string& clip) {
  if (cooked.dynamics.rest == RestShape::pose) return;
  const std::vector<char> still = animation.still();
  std::vector<int> moved;
  for (const int i : cooked.free)
    if (animation.keyed()[index(i)] && !still[index(i)]) moved.push_back(i);
  if (!moved.empty())
    throw input_error(
        file + ": clip '" + clip + "' moves what is to be free: " + listed_parameters(cooked.rig->parameters(), moved) +
        ". With the reference elastic the body as modelled would pull it off its keys; choose the reference rig, "
        "or take it out of --free.");
}

}  // namespace sinew
