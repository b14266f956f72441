// The method rigspace, file to file.
#pragma once

#include <string>
#include <vector>

#include "sinew/io/animate_method.h"

namespace sinew {

// Names of the morph targets of every mesh of the document, where it has them.
std::vector<std::vector<std::string>> target_names(const GltfDocument& document);

// Throws what prepare_rig_space() throws, and input_error where the file of the rig or of the skinning cannot be used.
PreparedMethod prepared_rig_space(const AnimateJob& job, const GltfDocument& document, const Character& character,
                                  const Progress& progress);

}  // namespace sinew
