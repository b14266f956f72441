#include "sinew/cook/flesh/hold_within_limits.h"

#include <algorithm>

#include "sinew/cook/flesh/decide_material.h"
#include "sinew/cook/flesh/material_preset.h"
#include "sinew/cook/flesh/visible_amplitude.h"

namespace sinew {
namespace {

template <class Use>
void for_each_bone(const Influences& influences, const Use& use) {
  for (int k = 0; k < influences.count; ++k) {
    const auto entry = static_cast<std::size_t>(k);
    use(static_cast<std::size_t>(influences.joint[entry]), influences.weight[entry]);
  }
}

// Ratio of swing to sag in lively clips, per bone, of the skin that it carries; the median of all bones where nothing
// was sampled.
std::vector<double> liveliness_of_bones(const FleshBase& base, const SimulationSurface& surface, const FleshBody& body,
                                        double sag, double damping_ratio) {
  const std::vector<Swing> swings = sampled_swings(base, body, sag);
  const std::vector<double> farthest = lively_swings(base.motion, swings, damping_ratio);
  std::vector<double> sum(surface.bones.size(), 0.0), weight(sum), all;
  for (std::size_t p = 0; p < swings.size(); ++p) {
    if (!(swings[p].sag > 0)) continue;
    const double own = farthest[p] / swings[p].sag;
    all.push_back(own);
    const Influences& influences = surface.influences[static_cast<std::size_t>(base.motion.vertices[p])];
    for_each_bone(influences, [&](std::size_t bone, double share) {
      sum[bone] += share * own;
      weight[bone] += share;
    });
  }
  if (all.empty()) return std::vector<double>(sum.size(), 0.0);
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  const double median = all[all.size() / 2];
  for (std::size_t b = 0; b < sum.size(); ++b) sum[b] = weight[b] > 0 ? sum[b] / weight[b] : median;
  return sum;
}

}  // namespace

std::vector<double> hold_within_limits(const FleshBase& base, const SimulationSurface& surface, const FleshBody& body,
                                       double sag, double damping_ratio) {
  const FleshDescription& flesh = body.description;
  std::vector<double> hold(flesh.mesh.positions.size(), 0.0);
  if (base.motion.clips.empty() || base.usual_limit.empty()) return hold;
  const std::vector<double> liveliness = liveliness_of_bones(base, surface, body, sag, damping_ratio);
  const double longest = surface.figure.empty() ? largest_extent(flesh.mesh.positions) : longest_side(surface);
  const double weight = flesh.material.density * standard_gravity;
  for (std::size_t v = 0; v < hold.size(); ++v) {
    const double own = std::max(0.0, base.sag.of_vertex[v]) * sag / base.sag.whole, limit = base.usual_limit[v];
    if (!(own > 0) || !(limit > 0)) continue;
    double lively = 0;
    for_each_bone(flesh.influences[v], [&](std::size_t bone, double share) { lively += share * liveliness[bone]; });
    hold[v] = std::max(0.0, weight * (lively / reach_of(limit, longest) - 1 / own));
  }
  return hold;
}

}  // namespace sinew
