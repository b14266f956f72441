#include "sinew/jobs/fit/helpful_clips.h"

#include <algorithm>

#include "sinew/base/error.h"
#include "sinew/jobs/fit/surface_examples.h"

namespace sinew {
namespace {

constexpr double more = 1.25;         // factor over the examples
constexpr double least_share = 0.05;  // of the skin: clips that add less are not listed

// Centre of the skin that a bone carries, in rest space, and its share of all skin.
struct BoneSkin {
  Vec3 middle;
  double share = 0;
};

std::vector<BoneSkin> bone_skins(const SimulationSurface& surface) {
  std::vector<BoneSkin> skins(surface.bones.size());
  double all = 0;
  for (std::size_t v = 0; v < surface.influences.size(); ++v)
    for (int k = 0; k < surface.influences[v].count; ++k) {
      const double w = surface.influences[v].weight[static_cast<std::size_t>(k)];
      BoneSkin& skin = skins[static_cast<std::size_t>(surface.influences[v].joint[static_cast<std::size_t>(k)])];
      skin.middle += w * surface.rest.positions[v];
      skin.share += w;
      all += w;
    }
  for (BoneSkin& skin : skins) {
    if (skin.share > 0) skin.middle = skin.middle / skin.share;
    if (all > 0) skin.share /= all;
  }
  return skins;
}

// Raises `largest`, per bone, m/s^2, to the maximum over a motion.
void add_accelerations(const SurfaceMotion& motion, std::span<const BoneSkin> skins, double step,
                       std::vector<double>& largest) {
  for (std::size_t t = 1; t + 1 < motion.bones.size(); ++t)
    for (std::size_t b = 0; b < skins.size(); ++b) {
      const auto at = [&](std::size_t frame) { return motion.bones[frame][b] * skins[b].middle; };
      largest[b] = std::max(largest[b], norm(at(t + 1) - 2.0 * at(t) + at(t - 1)) / (step * step));
    }
}

}  // namespace

std::vector<HelpfulClip> helpful_clips(const Character& character, const SimulationSurface& surface,
                                       std::span<const SurfaceExample> seen, double step, std::size_t most) {
  const std::vector<BoneSkin> skins = bone_skins(surface);
  std::vector<double> known(skins.size());
  for (const SurfaceExample& example : seen) add_accelerations(example.motion, skins, step, known);
  std::vector<HelpfulClip> clips;
  for (std::size_t c = 0; c < character.clips.size(); ++c) {
    const std::string& name = character.clips[c].name;
    if (std::any_of(seen.begin(), seen.end(), [&](const SurfaceExample& e) { return e.motion.name == name; })) continue;
    BakeOptions options;
    options.clip = static_cast<int>(c);
    HelpfulClip clip{name};
    try {
      std::vector<double> largest(skins.size());
      add_accelerations(sample_motion(character, surface, options, step), skins, step, largest);
      for (std::size_t b = 0; b < skins.size(); ++b)
        if (largest[b] > more * known[b]) clip.share += skins[b].share;
    } catch (const Error&) {  // a clip that cannot be played does not help
      continue;
    }
    if (clip.share >= least_share) clips.push_back(clip);
  }
  std::stable_sort(clips.begin(), clips.end(),
                   [](const HelpfulClip& a, const HelpfulClip& b) { return a.share > b.share; });
  if (clips.size() > most) clips.resize(most);
  return clips;
}

}  // namespace sinew
