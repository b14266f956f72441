// Files that are written under a temporary name and renamed when complete.
#pragma once

#include <filesystem>

namespace sinew {

// A new empty file `sinew-PROCESS-NUMBER.tmp` in the target's folder, so that renaming it is atomic. Its writer holds a
// lock on it (flock) for as long as it exists. When a run is killed, its lock ends: a file of that name without a lock
// is a left-over, and the next temporary file created in the folder removes it. Files of other runs, on this machine or
// on one that shares the folder, are locked and stay; where the file system has no locks, nothing is removed. (Unnamed
// files, O_TMPFILE, would leave nothing at all, but many file systems lack them, and they cannot atomically replace an
// existing file.)
class TemporaryFile {
 public:
  // Sets `error` to errno where the file cannot be created; descriptor() is then -1.
  TemporaryFile(const std::filesystem::path& target, int& error);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  // Renames it to the target once its bytes are on disk. Returns errno, or 0.
  int rename_to_target();

 private:
  std::filesystem::path target_, name_;
  int descriptor_ = -1;
};

}  // namespace sinew
