#include "sinew/base/file.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "sinew/base/output_place.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

std::string reason() { return std::strerror(errno); }

// Name of the path for messages.
std::string name_of(const fs::path& path) { return is_standard_output(path) ? "standard output" : path.string(); }

Error cannot_write(const fs::path& path) {
  const bool full = errno == ENOSPC || errno == EDQUOT || errno == EFBIG;
  return usage_error(name_of(path) + (full ? ": does not fit (" : ": cannot be written (") + reason() +
                     (full ? "); make room for it or choose another place." : "); choose another place."));
}

// Operating systems end a name at a zero byte, and would open another file.
bool holds_zero(const fs::path& path) { return path.native().find('\0') != std::string::npos; }

// Descriptor of standard output before it was reserved for files.
int standard_output = STDOUT_FILENO;

OutputPlace place_of(const fs::path& path) {
  errno = EINVAL;
  const std::optional<OutputPlace> place = holds_zero(path) ? std::nullopt : output_place(path);
  if (!place) throw cannot_write(path);
  if (place->kind == OutputPlace::Kind::folder) throw usage_error(path.string() + ": is a folder; name a file in it.");
  return *place;
}

int descriptor_of(const OutputPlace& place) {
  return place.descriptor == STDOUT_FILENO ? standard_output : place.descriptor;
}

// Connects to the program that listens at the socket `path`; -1 with errno if there is none.
int connect_to(const fs::path& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.native().size() >= sizeof(address.sun_path)) {
    errno = ENAMETOOLONG;
    return -1;
  }
  std::copy(path.native().begin(), path.native().end(), address.sun_path);
  const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor < 0 || ::connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0)
    return descriptor;
  const int error = errno;
  ::close(descriptor);
  errno = error;
  return -1;
}

// Waits until the descriptor can be written: another program may have made the shared terminal or pipe non-blocking.
void wait_for_room(int descriptor) {
  pollfd room{descriptor, POLLOUT, 0};
  ::poll(&room, 1, -1);
}

}  // namespace

std::string lower_case_ending(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  for (char& letter : ending)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return ending;
}

std::vector<std::byte> read_file(const fs::path& path) {
  if (holds_zero(path)) throw input_error(path.string() + ": is no name of a file, which cannot hold a zero byte.");
  std::error_code status;
  if (fs::is_directory(path, status))
    throw input_error(path.string() + ": is a folder, not a file; name a file in it.");
  std::ifstream stream(path, std::ios::binary);
  if (!stream)
    throw input_error(path.string() + ": cannot be opened (" + reason() + "); check the name and the permissions.");
  stream.seekg(0, std::ios::end);
  const auto size = stream.tellg();
  if (size < 0) throw input_error(path.string() + ": cannot be read (" + reason() + ").");
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  stream.seekg(0);
  stream.read(reinterpret_cast<char*>(bytes.data()), size);
  if (!stream) throw input_error(path.string() + ": could not be read to its end (" + reason() + ").");
  return bytes;
}

std::string read_text_file(const fs::path& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

bool is_standard_output(const fs::path& path) { return path == "-"; }

void keep_standard_output_for_files() {
  if (standard_output != STDOUT_FILENO) return;
  std::fflush(stdout);
  const int kept = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  if (kept < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0) throw cannot_write("-");
  standard_output = kept;
}

void check_can_write(const fs::path& path, Content content) {
  const OutputPlace place = place_of(path);
  switch (place.kind) {
    case OutputPlace::Kind::descriptor:
      if (::fcntl(descriptor_of(place), F_GETFD) < 0) throw cannot_write(path);
      if (content == Content::binary && ::isatty(descriptor_of(place)) != 0)
        throw usage_error(name_of(path) +
                          ": is a terminal, which cannot show a binary file; name a file, or send it on with > or |.");
      return;
    case OutputPlace::Kind::stream:
      // Opening a FIFO or socket would be noticed by its reader, so only permission is checked.
      if (::access(place.target.c_str(), W_OK) != 0) throw cannot_write(path);
      return;
    default:
      const FileWriter probe(path);
  }
}

FileWriter::FileWriter(const fs::path& path) : path_(path) {
  const OutputPlace place = place_of(path);
  target_ = place.target;
  if (place.kind == OutputPlace::Kind::descriptor) {
    stream_ = ::fcntl(descriptor_of(place), F_DUPFD_CLOEXEC, 3);
    if (stream_ < 0) throw cannot_write(path_);
  } else if (place.kind == OutputPlace::Kind::file) {
    int error = 0;
    temporary_.emplace(target_, error);
    errno = error;
    if (error != 0) throw cannot_write(path_);
    // A name that is too long for the folder is refused now, not when all is written.
    struct stat status {};
    if (::lstat(target_.c_str(), &status) != 0 && errno != ENOENT) throw cannot_write(path_);
  }
}

FileWriter::~FileWriter() {
  if (stream_ >= 0) ::close(stream_);
}

// Opens the stream late, because opening a FIFO waits for its reader.
void FileWriter::open_stream() {
  struct stat status {};
  const bool socket = ::stat(target_.c_str(), &status) == 0 && S_ISSOCK(status.st_mode);
  stream_ = socket ? connect_to(target_) : ::open(target_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (stream_ < 0) throw cannot_write(path_);
}

void FileWriter::write(std::span<const std::byte> bytes) {
  if (!temporary_ && stream_ < 0) open_stream();
  const int descriptor = temporary_ ? temporary_->descriptor() : stream_;
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(descriptor, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {
      wait_for_room(descriptor);
      continue;
    }
    if (written < 0 && errno == EPIPE && is_standard_output(path_)) throw ReaderGone();
    if (written <= 0) throw cannot_write(path_);
    done += static_cast<std::size_t>(written);
  }
}

void FileWriter::commit() {
  if (temporary_) {
    errno = temporary_->rename_to_target();
    if (errno != 0) throw cannot_write(path_);
    temporary_.reset();
    return;
  }
  if (stream_ < 0) open_stream();
  const int closed = ::close(stream_);
  stream_ = -1;
  if (closed != 0) throw cannot_write(path_);
}

void write_file(const fs::path& path, std::span<const std::byte> bytes) {
  FileWriter writer(path);
  writer.write(bytes);
  writer.commit();
}

void write_text_file(const fs::path& path, std::string_view text) {
  write_file(path, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace sinew
