#include "sinew/cook/flesh/motion_estimate.h"

#include <algorithm>
#include <cmath>

#include "sinew/base/number_text.h"
#include "sinew/cook/flesh/decide_material.h"
#include "sinew/cook/flesh/material_preset.h"

namespace sinew {
namespace {

constexpr double wanted_share = 0.005;  // of the longest side: amplitude for which Young's modulus is suggested
constexpr double softest_flesh = 50;    // times as soft as now; beyond this a body is not flesh any more
constexpr int softer_bisections = 30;

std::string two_digits(double value) {
  const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
  return plain(std::round(value / unit) * unit);
}

constexpr double nearly_all = 0.95;  // of the skin's vertices

std::string describe_rigid_parts(const CookedFlesh& flesh) {
  const RigidPart& largest =
      *std::max_element(flesh.anatomy.rigid.begin(), flesh.anatomy.rigid.end(),
                        [](const RigidPart& a, const RigidPart& b) { return a.vertices.size() < b.vertices.size(); });
  const std::string bone =
      largest.bone < 0 ? "" : " on " + flesh.surface.bones[static_cast<std::size_t>(largest.bone)].name;
  const std::size_t parts = flesh.anatomy.rigid.size();
  return (parts == 1 ? "a rigid thing" : std::to_string(parts) + " rigid things") +
         " (the largest: " + std::to_string(largest.vertices.size()) + " vertices" + bone + ", " + largest.because +
         ")";
}

}  // namespace

double amplitude_at_sag(const CookedFlesh& flesh, const SampledMotion& motion, double sag, double damping_ratio) {
  std::vector<Swing> swings = flesh.swings;
  for (Swing& swing : swings) swing.sag *= sag / flesh.material.sag;
  return visible_amplitudes(motion, swings, damping_ratio).front();
}

std::vector<std::string> clips_with_visible_flesh(const CookedFlesh& flesh) {
  const std::vector<double> seen = visible_amplitudes(flesh.motion, flesh.swings, flesh.material.damping_ratio);
  std::vector<std::string> names;
  for (std::size_t c = 0; c < seen.size(); ++c)
    if (seen[c] >= visible_share * longest_side(flesh.surface)) names.push_back(flesh.motion.clips[c].clip);
  return names;
}

SofterOption find_softer(const CookedFlesh& flesh, const FleshSettings& settings, const SampledMotion& motion,
                         double measured) {
  const double sag = flesh.material.sag, longest = longest_side(flesh.surface);
  const double now = amplitude_at_sag(flesh, motion, sag, flesh.material.damping_ratio);
  if (!(now > 0) || !(measured > 0)) return {};
  const auto predicted = [&](double other_sag, double damping_ratio) {
    return measured * amplitude_at_sag(flesh, motion, other_sag, damping_ratio) / now;
  };
  if (!settings.young && settings.look != Look::lively) {
    const double lively = sag_of_look(Look::lively, flesh.height, longest, flesh.motion, flesh.swings, sag);
    const double seen = predicted(lively, settings.damping.value_or(material_preset(Look::lively).damping));
    if (seen >= visible_share) return {"--look lively", seen};
  }
  const auto softer = [&](double factor) { return predicted(factor * sag, flesh.material.damping_ratio); };
  if (softer(softest_flesh) < wanted_share) return {};
  double low = 1, high = softest_flesh;
  for (int k = 0; k < softer_bisections; ++k) {
    const double middle = std::sqrt(low * high);
    (softer(middle) < wanted_share ? low : high) = middle;
  }
  return {"--young " + two_digits(flesh.material.young / high), softer(high)};
}

double rigid_share(const CookedFlesh& flesh) {
  std::size_t rigid = 0;
  for (const RigidPart& part : flesh.anatomy.rigid) rigid += part.vertices.size();
  const std::size_t all = flesh.surface.rest.positions.size();
  return all > 0 ? static_cast<double>(rigid) / static_cast<double>(all) : 0;
}

std::string explain_small_amplitude(const CookedFlesh& flesh, const FleshSettings& settings,
                                    const SampledMotion& motion, double measured) {
  if (const double rigid = rigid_share(flesh); rigid >= nearly_all)
    return percent_text(rigid) + " of the skin is " + describe_rigid_parts(flesh) +
           " and keeps its shape; --anatomy off has flesh there.";
  const SofterOption softer = find_softer(flesh, settings, motion, measured);
  if (softer.option.empty())
    return "the rig hardly accelerates most of the skin, and even flesh fifty times as soft would not be seen to move.";
  return "with " + softer.option + " it would be about " + percent_text(softer.amplitude) + ".";
}

}  // namespace sinew
