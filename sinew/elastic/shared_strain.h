// Strain that a group of samples measures together, against locking: a basis that can follow a change of volume or a
// bend only by straining every sample is too stiff where nu is near 1/2. The mean over a group, which has fewer
// conditions to fulfil, is measured instead (docs/elements.md; for volume alone: Nagtegaal, Parks and Rice 1974).
#pragma once

#include <span>

#include "sinew/elastic/strain_samples.h"

namespace sinew {

// `group` per sample, -1 for samples that stay by themselves. Each group gets one sample more, of its mean gradients by
// volume, which takes all of the groups' resistance to change of volume and `shear_share` in [0, 1] of its shear
// stiffness. Moduli of the mean are means by volume. Uniform strain has the same energy as before.
StrainSamples share_strain(const StrainSamples& samples, std::span<const int> group, double shear_share);

}  // namespace sinew
