// What a name that is to be written stands for.
#pragma once

#include <filesystem>
#include <optional>

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

}  // namespace sinew
