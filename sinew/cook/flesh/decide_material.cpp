#include "sinew/cook/flesh/decide_material.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sinew/cook/flesh/flesh_fields.h"
#include "sinew/cook/flesh/material_preset.h"
#include "sinew/cook/flesh/visible_amplitude.h"

namespace sinew {
namespace {

// Stiffness of thin parts, as a multiple of the softest flesh's.
constexpr double thin_hold = 3;
// Bounds of the factor by which a character's own clips change the stiffness that the look asks for.
constexpr double stiffest_amount = 0.15, softest_amount = 2.5;
// Where a limit of what is displayed does not bound lively clips, stiffness alone does: fish that whip their tails.
constexpr double stiffest_tissue = 0.01;

}  // namespace

std::vector<Swing> sampled_swings(const FleshBase& base, const FleshBody& body, double sag,
                                  std::span<const double> hold, std::span<const double> stiffening) {
  const FleshDescription& flesh = body.description;
  const std::vector<double> resolved = resolved_share(flesh.mesh, base.held);
  const SimulationSurface& surface = base.cooked.surface;
  const double longest = surface.figure.empty() ? largest_extent(flesh.mesh.positions) : longest_side(surface);
  std::vector<Swing> result;
  for (const int v : base.motion.vertices) {
    const EmbeddedPoint& point = flesh.embedding.points[static_cast<std::size_t>(v)];
    if (point.tetrahedron < 0) {
      result.push_back({0, longest, longest});
      continue;
    }
    double own = 0, thin = 0, limit = 0, held = 0, length = 0;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto corner =
          static_cast<std::size_t>(flesh.mesh.tetrahedra[static_cast<std::size_t>(point.tetrahedron)][k]);
      own += point.weights[k] * base.sag.of_vertex[corner];
      thin += point.weights[k] * (1 - resolved[corner]);
      limit += point.weights[k] * base.usual_limit[corner];
      if (!stiffening.empty()) length += point.weights[k] * stiffening[corner];
      if (!hold.empty()) held += point.weights[k] * hold[corner];
    }
    own = std::max(0.0, own) * sag / base.sag.whole;
    // Springs of thin parts add to their elasticity.
    own /= 1 + std::max(0.0, thin) * thin_hold * own / sag;
    own /= 1 + std::max(0.0, held) * own / (flesh.material.density * standard_gravity);
    limit = std::max(limit, 1e-9 * sag);
    result.push_back({own, limit, reach_of(limit, longest)});
    if (!stiffening.empty()) result.back().stiffening = std::max(length, 1e-9 * sag);
  }
  return result;
}

double sag_of_look(Look look, double height, double longest, const SampledMotion& motion, std::vector<Swing> swings,
                   double sag) {
  const MaterialPreset values = material_preset(look);
  const double wanted = values.sag * height;
  for (Swing& swing : swings) swing.sag *= wanted / sag;
  WantedAmplitude amplitude{values.visible_amplitude * longest};
  const bool stiffens =
      std::any_of(swings.begin(), swings.end(), [](const Swing& swing) { return std::isfinite(swing.stiffening); });
  if (stiffens) amplitude.largest = values.largest_amplitude * longest;
  return wanted * sag_factor(motion, swings, values.damping, amplitude, stiffens ? stiffest_tissue : stiffest_amount,
                             softest_amount);
}

std::vector<double> stiffening_lengths(const FleshMap& map, const FleshSettings& settings) {
  if (!stiffens(settings) || settings.stiffening == 0) return {};
  std::vector<double> lengths = map.bone_distance;
  for (double& length : lengths) length *= settings.stiffening;
  return lengths;
}

MaterialDecision decide_material(const FleshBase& base, const CookedFlesh& flesh, const FleshBody& body,
                                 const FleshSettings& settings) {
  const MaterialPreset look = material_preset(settings.look);
  MaterialDecision decision;
  const double young = body.description.material.young, sag = base.sag.whole;
  decision.damping_ratio = settings.damping.value_or(look.damping);
  if (settings.young) {
    decision.sag = sag * young / *settings.young;
  } else {
    const double wanted = look.sag * flesh.height;
    decision.sag = sag_of_look(settings.look, flesh.height, longest_side(flesh.surface), base.motion,
                               sampled_swings(base, body, wanted, {}, stiffening_lengths(flesh.map, settings)), wanted);
  }
  decision.young = settings.young.value_or(young * sag / decision.sag);
  decision.frequency = std::sqrt(standard_gravity / decision.sag) / (2 * std::numbers::pi);
  return decision;
}

std::vector<double> thin_springs(const FleshDescription& flesh, const FleshBase& base, double sag) {
  std::vector<double> springs = base.held;
  for (std::size_t t = 0; t < springs.size(); ++t)
    springs[t] *= thin_hold * flesh.material.density * standard_gravity / sag *
                  (flesh.young[t] / (flesh.material.young * base.stiffening[t]));
  return springs;
}

}  // namespace sinew
