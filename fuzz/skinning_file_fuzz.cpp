// Feeds arbitrary bytes to the reader of .vskin, with a checksum that fits. What is taken for good has to come back
// from its own bytes: a crash, a sanitizer report, a hang or another file is a bug.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "sinew/base/byte_archive.h"
#include "sinew/base/error.h"
#include "sinew/files/skinning_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::vector<std::byte> file(size);
  if (size > 0) std::memcpy(file.data(), data, size);
  if (size >= sizeof(std::uint64_t)) {
    const std::size_t checked = size - sizeof(std::uint64_t);
    const std::uint64_t sum = sinew::hash_bytes(file.data(), checked);
    std::memcpy(file.data() + checked, &sum, sizeof(sum));
  }
  try {
    if (sinew::skinning_file_bytes(sinew::parse_skinning_file(file, "input.vskin")) != file) std::abort();
  } catch (const sinew::Error& error) {
    if (error.kind() != sinew::ErrorKind::input) std::abort();
  }
  return 0;
}
