// The place that an output path refers to.
#pragma once

#include <filesystem>
#include <optional>
#include <span>

namespace sinew {

// A file, folder, stream or open descriptor that output goes to.
struct OutputPlace {
  enum class Kind { file, folder, stream, descriptor };
  Kind kind = Kind::file;
  std::filesystem::path target;  // after all symbolic links are followed; a file need not exist
  int descriptor = -1;           // number of a descriptor that is already open in this process
};

// Follows symbolic links. "-" is standard output; a name of a descriptor of this process (/dev/stdout, /dev/fd/3) is
// that descriptor. Anything else that exists and is neither a file nor a folder is a stream: devices, FIFOs, sockets.
// Empty, with errno set, where the links form a cycle or one cannot be read.
std::optional<OutputPlace> output_place(const std::filesystem::path& path);

// True if both names would write to the same file: behind symbolic links, whether or not it exists yet, or by hard
// links. Two streams are the same where they are the same descriptor or device.
bool same_place(const std::filesystem::path& a, const std::filesystem::path& b);

// Throws usage_error where two of the outputs are the same file, or an output is also an input. Empty names are
// ignored.
void check_outputs_apart(std::span<const std::filesystem::path> outputs, std::span<const std::filesystem::path> inputs);

}  // namespace sinew
