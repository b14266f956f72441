// The other end of a rig outside (pipe_rig.h): this program as the rig of a character, for itself in another process.
#pragma once

#include <filesystem>

namespace sinew {

// Answers on standard output what is asked on standard input, until that ends. The character's file and its vertices
// are what the other end names; `layers` is a stack for it (rig_file.h), or empty. Every evaluation is made to last
// `seconds_per_evaluation` at least: what an animation package takes. Throws input_error for what is no request.
void serve_rig(const std::filesystem::path& layers, double seconds_per_evaluation);

}  // namespace sinew
