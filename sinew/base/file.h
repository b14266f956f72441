// Reading and writing of whole files. Output goes to a temporary name beside the target and is renamed when complete,
// so that a run that fails or is interrupted leaves no partial file (contract, clause 2).
//
// Only plain files are replaced. A symbolic link is followed to the file that it names; a device, FIFO or socket
// receives the bytes as they are written; "-" and the system's names for it (/dev/stdout, /proc/self/fd/1) are standard
// output.
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

// The extension of a name in lower case, with its dot; empty where there is none.
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

// Reserves standard output for what is written to "-": from this call on, all other output of the program goes to
// standard error.
void keep_standard_output_for_files();

enum class Content { text, binary };

// Throws the error that writing to `path` would throw, as far as it can be known in advance; binary content for a
// terminal is refused. Leaves nothing behind.
void check_can_write(const std::filesystem::path& path, Content content);

// Thrown when the reader of standard output closed the pipe before everything was written.
class ReaderGone : public Error {
 public:
  ReaderGone() : Error(ErrorKind::usage, "standard output: its reader was gone before everything was written.") {}
};

// Writes a file piece by piece, for output that is too large to hold in memory. Without commit() nothing is left behind
// and an existing file stays; devices, FIFOs, sockets and standard output get each piece at once.
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
  std::optional<TemporaryFile> temporary_;  // beside target_; empty for targets that are not plain files
  int stream_ = -1;
};

}  // namespace sinew
