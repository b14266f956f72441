#include "sinew/cook/flesh/outlook.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/number_text.h"
#include "sinew/cook/flesh/decide_material.h"
#include "sinew/cook/flesh/look.h"

namespace sinew {
namespace {

constexpr double wanted_share = 0.005;  // of the longest side: what Young's modulus is named for
constexpr double softest_flesh = 50;    // times as soft as it is: beyond this flesh is none
constexpr int softer_bisections = 30;

std::string two_digits(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return plain(std::round(value / unit) * unit);
}

constexpr double nearly_all = 0.95;  // of the skin

std::string of_rigid_things(const CookedFlesh& scene) {
  const RigidThing& largest =
      *std::max_element(scene.anatomy.rigid.begin(), scene.anatomy.rigid.end(),
                        [](const RigidThing& a, const RigidThing& b) { return a.vertices.size() < b.vertices.size(); });
  const std::string bone =
      largest.bone < 0 ? "" : " on " + scene.surface.bones[static_cast<std::size_t>(largest.bone)].name;
  const std::size_t things = scene.anatomy.rigid.size();
  return (things == 1 ? "a rigid thing" : std::to_string(things) + " rigid things") +
         " (the largest: " + std::to_string(largest.vertices.size()) + " vertices" + bone + ", " + largest.because +
         ")";
}

}  // namespace

double would_be_seen(const CookedFlesh& scene, const SampledMotion& motion, double sag, double damping_ratio) {
  std::vector<Swing> swings = scene.swings;
  for (Swing& swing : swings) swing.sag *= sag / scene.material.sag;
  return seen_in_clips(motion, swings, damping_ratio).front();
}

std::vector<std::string> clips_with_visible_flesh(const CookedFlesh& scene) {
  const std::vector<double> seen = seen_in_clips(scene.motion, scene.swings, scene.material.damping_ratio);
  std::vector<std::string> names;
  for (std::size_t c = 0; c < seen.size(); ++c)
    if (seen[c] >= visible_share * longest_side(scene.surface)) names.push_back(scene.motion.clips[c].clip);
  return names;
}

SofterOption find_softer(const CookedFlesh& scene, const FleshSettings& settings, const SampledMotion& motion,
                         double measured) {
  const double sag = scene.material.sag, longest = longest_side(scene.surface);
  const double now = would_be_seen(scene, motion, sag, scene.material.damping_ratio);
  if (!(now > 0) || !(measured > 0)) return {};
  const auto predicted = [&](double other_sag, double damping_ratio) {
    return measured * would_be_seen(scene, motion, other_sag, damping_ratio) / now;
  };
  if (!settings.young && settings.look != Look::lively) {
    const double lively = sag_of_look(Look::lively, scene.height, longest, scene.motion, scene.swings, sag);
    const double seen = predicted(lively, settings.damping.value_or(look_values(Look::lively).damping));
    if (seen >= visible_share) return {"--look lively", seen};
  }
  const auto softer = [&](double factor) { return predicted(factor * sag, scene.material.damping_ratio); };
  if (softer(softest_flesh) < wanted_share) return {};
  double low = 1, high = softest_flesh;
  for (int k = 0; k < softer_bisections; ++k) {
    const double middle = std::sqrt(low * high);
    (softer(middle) < wanted_share ? low : high) = middle;
  }
  return {"--young " + two_digits(scene.material.young / high), softer(high)};
}

double rigid_share(const CookedFlesh& scene) {
  std::size_t rigid = 0;
  for (const RigidThing& thing : scene.anatomy.rigid) rigid += thing.vertices.size();
  const std::size_t all = scene.surface.rest.positions.size();
  return all > 0 ? static_cast<double>(rigid) / static_cast<double>(all) : 0;
}

std::string why_little_is_seen(const CookedFlesh& scene, const FleshSettings& settings, const SampledMotion& motion,
                               double measured) {
  if (const double rigid = rigid_share(scene); rigid >= nearly_all)
    return percent_text(rigid) + " of the skin is " + of_rigid_things(scene) +
           " and keeps its shape; --anatomy off has flesh there.";
  const SofterOption softer = find_softer(scene, settings, motion, measured);
  if (softer.option.empty())
    return "the rig hardly accelerates most of the skin, and even flesh fifty times as soft would not be seen to move.";
  return "with " + softer.option + " it would be about " + percent_text(softer.seen) + ".";
}

}  // namespace sinew
