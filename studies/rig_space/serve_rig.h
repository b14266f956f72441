// The process side of an external rig (pipe_rig.h): serves the rig of a character to another process of this program.
#pragma once

#include <filesystem>

namespace sinew {

// Answers requests from standard input on standard output until the input ends. The character's file and vertices are
// given by the client; `layers` is a file with layers for it (rig_file.h), or empty. Every evaluation takes at least
// `seconds_per_evaluation`, to imitate an animation package. Throws input_error for invalid requests.
void serve_rig(const std::filesystem::path& layers, double seconds_per_evaluation);

}  // namespace sinew
