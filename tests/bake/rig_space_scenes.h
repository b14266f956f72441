// Rig-space physics on the tube: quick settings, scenes, bakes, and how their curves ring.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "sinew/cook/rig_space/learn_skinning.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"
#include "tests/bake/bake_cooked.h"
#include "tests/bake/tube_character.h"
#include "tests/elastic/blocks.h"

namespace sinew::test {

inline RigSpaceSettings quick(std::vector<std::string> free = {"upper.translation.*"}) {
  RigSpaceSettings settings;
  settings.free = std::move(free);
  settings.tetrahedra = 600;
  settings.poses = 8;
  return settings;
}

inline RigMaker maker(const Character& character) {
  return [&character](std::span<const int> vertices) {
    return make_rig(nullptr, character, simulation_surface(character), vertices);
  };
}

inline CookedRigSpace cooked(const Character& character, const RigSpaceSettings& settings) {
  CookedRigSpace scene = prepare_rig_space(character, settings, maker(character));
  if (settings.inside != InteriorVertices::equilibrium || !settings.young)
    learn_skinning(scene, make_examples(scene, {}, settings), settings);
  correct_interior(scene, settings);
  decide_rig_space_material(scene, settings);
  return scene;
}

inline BakeResult baked(const Character& character, const CookedRigSpace& scene, const RigSpaceSettings& settings,
                        const BakeOptions& options, const Progress& progress = {}) {
  std::unique_ptr<ClipAnimation> animation;
  if (options.clip >= 0)
    animation = std::make_unique<ClipAnimation>(dynamic_cast<const CharacterRig&>(*scene.whole_rig),
                                                character.clips[at(options.clip)]);
  return bake_rig_space(character, scene, settings, animation.get(), options, progress);
}

inline double largest_curve(const BakeResult& result) {
  double largest = 0;
  for (const double value : result.curves->values) largest = std::max(largest, std::abs(value));
  return largest;
}

// Frequency and damping ratio of a curve that rings, by parabolas through three frames.
struct Ringing {
  double frequency = 0, damping = 0;
};
inline Ringing ringing(const std::vector<double>& values, double fps) {
  std::vector<double> times, heights;
  for (std::size_t f = 20; f + 1 < values.size(); ++f) {
    const double a = values[f - 1], b = values[f], c = values[f + 1];
    if (!((b > a && b >= c) || (b < a && b <= c)) || std::abs(b) < 1e-7) continue;
    const double offset = 0.5 * (a - c) / (a - 2 * b + c);
    times.push_back((static_cast<double>(f) + offset) / fps);
    heights.push_back(std::abs(b - 0.25 * (a - c) * offset));
  }
  if (times.size() < 4) return {};
  const double half_period = (times[3] - times[0]) / 3, decay = std::log(heights[0] / heights[3]) / 3;
  return {1 / (2 * half_period), decay / std::hypot(decay, std::numbers::pi)};
}

}  // namespace sinew::test
