// Regions of the blended linearisation that are painted on the skin (Capell 2004, section 5.2.1): the user divides the
// body among bones by weights that sum to one.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sinew/cook/flesh/prepare.h"
#include "sinew/deform/lattice/lattice_description.h"

namespace sinew {

// Weights of regions per function of the lattice, as LatticeDescription::regions has them; empty where no region is
// painted. Where the painted weights of a place sum to less than one, its skin weights share the rest; where they sum
// to more, they are divided by the sum. `region_bones` is LatticeDiscretization::region_bones; a region that is not in
// it has the bone that holds most of its mass. Throws usage_error where no bone has such a name.
std::vector<Influences> painted_regions(const CookedFlesh& flesh, const LatticeDescription& description,
                                        std::span<const std::string> region_bones);

// Sentences for the user about regions that do nothing: bones of regions that are not painted, and paint where the
// flesh is not in a lattice with the blended linearisation.
std::vector<std::string> notes_on_regions(const Fields& painted, const LatticeDiscretization& lattice);

}  // namespace sinew
