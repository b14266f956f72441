// Files that are written under a name of their own and renamed when they are complete.
#pragma once

#include <filesystem>

namespace sinew {

// A new empty file `sinew-PROCESS-NUMBER.tmp` in the target's folder, so that renaming it is one step. Its writer holds
// a lock on it (flock) until it is gone. Where a run was killed the lock ended with it: a file of that name whose lock
// is free is a left-over, which the next file that is begun in the folder removes. A file that another run is writing,
// on this machine or on one that shares the folder, is locked and stays; where the file system knows no locks, none
// is removed. (Files without a name, O_TMPFILE, would leave nothing at all, but many file systems lack them, and they
// cannot take the place of an existing file in one step.)
class TemporaryFile {
 public:
  // `error` gets errno where the file cannot be made; descriptor() is then -1.
  TemporaryFile(const std::filesystem::path& target, int& error);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  // Puts it in the target's place once its bytes are on disk. Returns errno, or 0.
  int rename_to_target();

 private:
  std::filesystem::path target_, name_;
  int descriptor_ = -1;
};

}  // namespace sinew
