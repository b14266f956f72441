// Strain averaged over groups of samples, against locking: a basis that can change volume or bend only by straining
// every sample is too stiff for nu near 1/2. The mean strain of a group imposes fewer conditions (docs/elements.md; for
// volume alone: Nagtegaal, Parks and Rice 1974).
#pragma once

#include <span>

#include "sinew/elastic/strain_samples.h"

namespace sinew {

// `group` per sample, -1 for samples that stay separate. Each group gets an additional sample with the volume-weighted
// mean of its gradients and moduli, which takes all of the group's resistance to change of volume and the fraction
// `shear_share` in [0, 1] of its shear stiffness. The energy of uniform strain stays the same.
StrainSamples share_strain(const StrainSamples& samples, std::span<const int> group, double shear_share);

}  // namespace sinew
