// What a name that is to be written stands for.
#pragma once

#include <filesystem>
#include <optional>
#include <span>

namespace sinew {

struct OutputPlace {
  enum class Kind { file, folder, stream, descriptor };
  Kind kind = Kind::file;
  std::filesystem::path target;  // behind all symbolic links; of a file, it need not exist
  int descriptor = -1;           // already open in this process
};

// Follows symbolic links. "-" is standard output; a name of a descriptor of this process (/dev/stdout, /dev/fd/3) is
// that descriptor. Everything else that exists and is neither a file nor a folder is a stream: devices, FIFOs, sockets.
// Nothing, with errno, where the links lead round in a circle or one cannot be read.
std::optional<OutputPlace> output_place(const std::filesystem::path& path);

// Whether what is written to both names would end in one file: behind symbolic links, whether or not it exists yet, and
// by hard links. Two streams are one where they are the same descriptor or device.
bool same_place(const std::filesystem::path& a, const std::filesystem::path& b);

// Throws usage_error where two of the outputs are one file, or one of them is an input. Empty names stand for nothing.
void check_outputs_apart(std::span<const std::filesystem::path> outputs, std::span<const std::filesystem::path> inputs);

}  // namespace sinew
