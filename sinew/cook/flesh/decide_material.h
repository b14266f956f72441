// Translates a look into physical units for one character (docs/binding.md, From a look to physical units).
#pragma once

#include <span>
#include <vector>

#include "sinew/cook/flesh/prepare.h"

namespace sinew {

// Decides Young's modulus, damping and frequency. `flesh` and `body` are those of the base.
MaterialDecision decide_material(const FleshBase& base, const CookedFlesh& flesh, const FleshBody& body,
                                 const FleshSettings& settings);

// Responses of the vertices that the base's motion samples, for flesh whose overall sag is `sag` metres; swings are
// proportional to it. `hold` comes from hold_within_limits(), or is empty. `stiffening`: stiffening_lengths().
std::vector<Swing> sampled_swings(const FleshBase& base, const FleshBody& body, double sag,
                                  std::span<const double> hold = {}, std::span<const double> stiffening = {});

// Per vertex of the body, the displacement from the goal at which its tissue is e times as stiff as at rest, metres;
// empty where it does not stiffen.
std::vector<double> stiffening_lengths(const FleshMap& map, const FleshSettings& settings);

// Sag, metres, at which the visible amplitude in these motions is that of the look. `swings` are the responses at a sag
// of `sag` metres. `height` and `longest` side of the character are in metres.
double sag_of_look(Look look, double height, double longest, const SampledMotion& motion, std::vector<Swing> swings,
                   double sag);

// Springs that hold thin parts, per tetrahedron, N/m per m^3. Thin parts then sag by a third of `sag`, the
// sag of the flesh in metres, ends of thin shells by more.
std::vector<double> thin_springs(const FleshDescription& flesh, const FleshBase& base, double sag);

}  // namespace sinew
