// Whole files in, whole files out. Output goes to a temporary name beside the target and is renamed
// when complete, so that a run that fails or is interrupted leaves no half file (contract, clause 2).
//
// What is not a plain file is never replaced: a symbolic link is followed and the file that it names is written, into
// a device, a FIFO or a socket the bytes are written as they come, and "-" is standard output, as are the names that
// the system has for it (/dev/stdout, /proc/self/fd/1).
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/temporary_file.h"

namespace sinew {

// The extension of a name with small letters, its dot before it; empty where there is none.
std::string lower_case_ending(const std::filesystem::path& path);

// Throws input_error with the path and the system's reason.
std::vector<std::byte> read_file(const std::filesystem::path& path);
std::string read_text_file(const std::filesystem::path& path);

// Throws Error (usage) with the path and the system's reason; an existing file at `path` is replaced
// only once all bytes are on disk.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);
void write_text_file(const std::filesystem::path& path, std::string_view text);

// Whether `path` is "-".
bool is_standard_output(const std::filesystem::path& path);

// From now on standard output takes only what is written to "-"; what the program prints goes to standard error.
void keep_standard_output_for_files();

enum class Content { text, binary };

// Throws what writing to `path` would throw, as far as that can be told before there is anything to write; binary
// content is not for a terminal. Leaves nothing behind.
void check_can_write(const std::filesystem::path& path, Content content);

// Thrown where the reader of "-" has gone: a pipe was closed before all was written.
class ReaderGone : public Error {
 public:
  ReaderGone() : Error(ErrorKind::usage, "standard output: its reader was gone before everything was written.") {}
};

// The same piece by piece, for output that is too large to hold. Without commit() nothing is left
// behind and what was at `path` stays; a device, FIFO, socket or standard output gets each piece at once.
class FileWriter {
 public:
  explicit FileWriter(const std::filesystem::path& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;

  void write(std::span<const std::byte> bytes);
  void commit();

 private:
  void open_stream();

  std::filesystem::path path_, target_;
  std::optional<TemporaryFile> temporary_;  // beside target_; none for what is not a plain file
  int stream_ = -1;
};

}  // namespace sinew
