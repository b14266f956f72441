// bake() of what a method's own preparation made, for tests that have that at hand.
#pragma once

#include <memory>

#include "sinew/bake/bake.h"
#include "sinew/character/character.h"
#include "sinew/cook/flesh/flesh_scene.h"
#include "sinew/cook/mixed/mixed_scene.h"
#include "sinew/cook/rig_space/open_rig_space.h"
#include "sinew/cook/rig_space/rig_space_scene.h"
#include "sinew/cook/surface/surface_scene.h"

namespace sinew::test {

// For as long as the call lasts.
template <class Cooked>
std::shared_ptr<const Cooked> borrowed(const Cooked& cooked) {
  return {std::shared_ptr<const Cooked>(), &cooked};
}

inline BakeResult bake_flesh(const Character& character, const CookedFlesh& cooked, const FleshSettings& settings,
                             const BakeOptions& options, const Progress& progress = {}) {
  return bake(character, flesh_scene(borrowed(cooked), settings), nullptr, options, progress);
}

inline BakeResult bake_mixed(const Character& character, const CookedMixed& cooked, const MixedSettings& settings,
                             const BakeOptions& options, const Progress& progress = {}) {
  return bake(character, mixed_scene(borrowed(cooked), settings), nullptr, options, progress);
}

inline BakeResult bake_surface(const Character& character, const CookedSurface& cooked, const BakeOptions& options,
                               const Progress& progress = {}) {
  return bake(character, surface_scene(borrowed(cooked)), nullptr, options, progress);
}

// `animation`: the options' clip as parameters of cooked.rig; null: the rest pose.
inline BakeResult bake_rig_space(const Character& character, const CookedRigSpace& cooked,
                                 const RigSpaceSettings& settings, const RigAnimation* animation,
                                 const BakeOptions& options, const Progress& progress = {}) {
  if (animation)
    refuse_keyed(cooked, *animation, character.file, character.clips[static_cast<std::size_t>(options.clip)].name);
  return bake(character, rig_space_scene(borrowed(cooked), settings, read_fixed_keys(cooked, settings)), animation,
              options, progress);
}

}  // namespace sinew::test
