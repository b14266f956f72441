// Fields along limbs: the value of a painted field (character/fields.h) as a curve over the distance along a chain of
// bones, in place of paint or together with it (docs/settings.md, Along a limb).
//
// Every vertex has a place along the chain: its projection onto the bones of the chain, blended by its skin weights on
// them. As far as its skin weights lie on the chain, it gets the curve's value there.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/simulation_surface.h"
#include "sinew/deform/fixed_keys.h"
#include "sinew/linalg/small.h"

namespace sinew {

// The curve of one field along one limb.
struct LimbCurve {
  std::string field;     // name of a painted field
  std::string from, to;  // names of the chain's first and last bone, which hangs from the first or is the same
  // Values over the distance along the chain (FixedKey::time), 0 at its root and 1 at its tip. Ascending, not empty;
  // constant before the first and after the last.
  std::vector<FixedKey> keys;

  bool operator==(const LimbCurve&) const = default;
};

// A chain of bones, rest space, metres.
struct LimbChain {
  std::vector<int> bones;        // indices of bones, from the root on
  std::vector<Vec3> points;      // the bones' heads, then the tip: one more than bones
  std::vector<double> distance;  // of the points along the chain, 0 to 1
  // Per bone of the character: the place in `bones` of the one whose skin it shares, or -1. A leaf bone whose joint
  // lies on a bone of the chain counts for that one, as twist joints do.
  std::vector<int> place_of_bone;
};

// Finds the chain. Throws input_error, a sentence that begins with `where`, if there is no such bone, if `to` does not
// hang from `from`, or if the chain has no length.
LimbChain limb_chain(std::span<const Bone> bones, const LimbCurve& curve, const std::string& where);

// The place of a vertex along a chain.
struct LimbPlace {
  double share = 0;     // of its skin weights that lie on the chain, 0 to 1
  double distance = 0;  // along the chain, 0 to 1; valid where `share` is positive
};
LimbPlace place_along(const LimbChain& chain, const Vec3& rest, const Influences& influences);

// The curve's value, within the range of its field.
double value_along(const LimbCurve& curve, double distance);

// A field that a method obeys.
struct FieldInUse {
  std::size_t field = 0;  // row of painted_fields
  double unpainted = 1;   // value in force where nothing is painted: for fields that replace a setting, the setting
};

// Combines curves with the paint of the surface. Multipliers multiply each other and the paint; of marks the largest
// counts; values that replace a setting go where nothing is painted, a later curve over an earlier one. Between
// vertices that are on the chain and those that are not, values blend by the skin weights. Throws input_error, with
// `file` and the number of the curve, for fields that are not in use, for chains as limb_chain() does, and if the
// surface has no skin weights.
void apply_limb_curves(std::span<const LimbCurve> curves, const std::string& file, std::span<const FieldInUse> in_use,
                       SimulationSurface& surface);

}  // namespace sinew
