#include "sinew/base/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>

#include "sinew/base/error.h"

namespace sinew {
namespace {

std::string reason() { return std::strerror(errno); }

Error cannot_write(const std::filesystem::path& path) {
  return usage_error(path.string() + ": cannot be written (" + reason() + "); choose another place with -o.");
}

}  // namespace

std::vector<std::byte> read_file(const std::filesystem::path& path) {
  std::error_code status;
  if (std::filesystem::is_directory(path, status))
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

std::string read_text_file(const std::filesystem::path& path) {
  const std::vector<std::byte> bytes = read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

FileWriter::FileWriter(const std::filesystem::path& path)
    : path_(path),
      temporary_(path.string() + ".tmp" + std::to_string(::getpid())),
      descriptor_(::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) throw cannot_write(path_);
}

FileWriter::~FileWriter() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void FileWriter::write(std::span<const std::byte> bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = ::write(descriptor_, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) throw cannot_write(path_);
    done += static_cast<std::size_t>(written);
  }
}

void FileWriter::commit() {
  if (::fsync(descriptor_) != 0 || ::rename(temporary_.c_str(), path_.c_str()) != 0) throw cannot_write(path_);
  ::close(descriptor_);
  descriptor_ = -1;
}

void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  FileWriter writer(path);
  writer.write(bytes);
  writer.commit();
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  write_file(path, std::as_bytes(std::span(text.data(), text.size())));
}

}  // namespace sinew
