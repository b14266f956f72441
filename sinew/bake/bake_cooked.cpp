#include "sinew/bake/bake_cooked.h"

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/cook/rig_space/choose_controls.h"

namespace sinew {
namespace {

// For as long as the call lasts.
template <class Cooked>
std::shared_ptr<const Cooked> borrowed(const Cooked& cooked) {
  return {std::shared_ptr<const Cooked>(), &cooked};
}

}  // namespace

BakeResult bake_flesh(const Character& character, const FleshScene& cooked, const FleshSettings& settings,
                      const BakeOptions& options, const Progress& progress) {
  return bake(character, flesh_scene(borrowed(cooked), settings), nullptr, options, progress);
}

BakeResult bake_mixed(const Character& character, const MixedScene& cooked, const MixedSettings& settings,
                      const BakeOptions& options, const Progress& progress) {
  return bake(character, mixed_scene(borrowed(cooked), settings), nullptr, options, progress);
}

BakeResult bake_surface(const Character& character, const SurfaceScene& cooked, const BakeOptions& options,
                        const Progress& progress) {
  return bake(character, surface_scene(borrowed(cooked)), nullptr, options, progress);
}

BakeResult bake_rig_space(const Character& character, const RigSpaceScene& cooked, const RigSpaceSettings& settings,
                          const RigAnimation* animation, const BakeOptions& options, const Progress& progress) {
  if (animation) refuse_keyed(cooked, *animation, character.file, character.clips[index(options.clip)].name);
  return bake(character, rig_space_scene(borrowed(cooked), settings), animation, options, progress);
}

void refuse_keyed(const RigSpaceScene& scene, const RigAnimation& animation, const std::string& file,
                  const std::string& clip) {
  if (scene.dynamics.rest == RestShape::pose) return;
  const std::vector<char> still = animation.still();
  std::vector<int> moved;
  for (const int i : scene.free)
    if (animation.keyed()[index(i)] && !still[index(i)]) moved.push_back(i);
  if (!moved.empty())
    throw input_error(
        file + ": clip '" + clip + "' moves what is to be free: " + listed_parameters(scene.rig->parameters(), moved) +
        ". With the reference elastic the body as modelled would pull it off its keys; choose the reference rig, "
        "or take it out of --free.");
}

}  // namespace sinew
