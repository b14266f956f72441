// Whole files in, whole files out. Output goes to a temporary name beside the target and is renamed
// when complete, so that a run that fails or is interrupted leaves no half file (contract, clause 2).
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Throws input_error with the path and the system's reason.
std::vector<std::byte> read_file(const std::filesystem::path& path);
std::string read_text_file(const std::filesystem::path& path);

// Throws Error (usage) with the path and the system's reason; an existing file at `path` is replaced
// only once all bytes are on disk.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_text_file(const std::filesystem::path& path, std::string_view text);

// The same piece by piece, for output that is too large to hold. Without commit() nothing is left
// behind and what was at `path` stays.
class FileWriter {
 public:
  explicit FileWriter(const std::filesystem::path& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  std::filesystem::path path_, temporary_;
  int descriptor_ = -1;
};

}  // namespace sinew
