#include "sinew/base/temporary_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

namespace sinew {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view prefix = "sinew-", suffix = ".tmp";
constexpr int most_attempts = 100;

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool names_temporary(std::string_view name) {
  if (name.size() <= prefix.size() + suffix.size() || !name.starts_with(prefix) || !name.ends_with(suffix))
    return false;
  name = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  const std::size_t dash = name.find('-');
  return dash != std::string_view::npos && is_number(name.substr(0, dash)) && is_number(name.substr(dash + 1));
}

// True if `path` still names the open file; another run may have removed it between opening and locking.
bool is_at(const fs::path& path, int descriptor) {
  struct stat open {
  }, named{};
  return ::fstat(descriptor, &open) == 0 && ::lstat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

void remove_left_over(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat status {};
  const bool own = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid();
  if (own && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && is_at(path, descriptor)) ::unlink(path.c_str());
  ::close(descriptor);
}

void remove_left_overs(const fs::path& folder) {
  std::error_code status;
  for (fs::directory_iterator entry(folder, status), end; !status && entry != end; entry.increment(status))
    if (names_temporary(entry->path().filename().native())) remove_left_over(entry->path());
}

}  // namespace

TemporaryFile::TemporaryFile(const fs::path& target, int& error) : target_(target) {
  static std::atomic<unsigned> count = 0;
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  remove_left_overs(folder);
  // A few file systems change file numbers with every query; there the last attempt is accepted.
  for (int attempt = 0; descriptor_ < 0;) {
    name_ = folder /
            (std::string(prefix) + std::to_string(::getpid()) + "-" + std::to_string(count++) + std::string(suffix));
    descriptor_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    if (descriptor_ < 0 && (errno == EEXIST || errno == EINTR)) continue;
    error = errno;
    if (descriptor_ < 0) return;
    // Another run may have taken the new file for a left-over before it was locked.
    const bool taken = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if ((!taken && is_at(name_, descriptor_)) || ++attempt == most_attempts) break;
    ::close(descriptor_);
    descriptor_ = -1;
  }
  error = 0;
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ < 0) return;
  if (!name_.empty()) ::unlink(name_.c_str());
  ::close(descriptor_);
}

int TemporaryFile::rename_to_target() {
  if (::fsync(descriptor_) != 0 || ::rename(name_.c_str(), target_.c_str()) != 0) return errno;
  name_.clear();
  return 0;
}

}  // namespace sinew
