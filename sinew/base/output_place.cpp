#include "sinew/base/output_place.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <string>
#include <system_error>

#include "sinew/base/error.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

// Largest number of links in a row, as in the operating system.
constexpr int most_links = 40;

// Number of the descriptor if `path` is in /proc/self/fd, to which /dev/fd and /dev/stdout lead.
std::optional<int> own_descriptor(const fs::path& path) {
  std::error_code status;
  const fs::path folder = fs::canonical(path.has_parent_path() ? path.parent_path() : fs::path("."), status);
  if (status || folder != "/proc/" + std::to_string(::getpid()) + "/fd") return std::nullopt;
  const std::string name = path.filename().string();
  int number = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc() || end != name.data() + name.size() || number < 0) return std::nullopt;
  return number;
}

// The path with its folder's links resolved, if the folder exists.
fs::path resolved(const fs::path& file) {
  std::error_code status;
  const fs::path folder = fs::weakly_canonical(fs::absolute(file, status).parent_path(), status);
  return status ? file.lexically_normal() : folder / file.filename();
}

}  // namespace

std::optional<OutputPlace> output_place(const fs::path& path) {
  OutputPlace place;
  place.target = path;
  if (path == "-") {
    place.kind = OutputPlace::Kind::descriptor;
    place.descriptor = STDOUT_FILENO;
    return place;
  }
  struct stat status {};
  for (int links = 0; links < most_links; ++links) {
    if (const std::optional<int> descriptor = own_descriptor(place.target)) {
      place.kind = OutputPlace::Kind::descriptor;
      place.descriptor = *descriptor;
      return place;
    }
    if (::lstat(place.target.c_str(), &status) != 0) return place;  // nothing is there yet
    if (!S_ISLNK(status.st_mode)) {
      place.kind = S_ISREG(status.st_mode)   ? OutputPlace::Kind::file
                   : S_ISDIR(status.st_mode) ? OutputPlace::Kind::folder
                                             : OutputPlace::Kind::stream;
      return place;
    }
    std::error_code error;
    const fs::path next = fs::read_symlink(place.target, error);
    if (error) {
      errno = error.value();
      return std::nullopt;
    }
    place.target = place.target.parent_path() / next;  // an absolute one replaces the folder
  }
  errno = ELOOP;
  return std::nullopt;
}

bool same_place(const fs::path& a, const fs::path& b) {
  const std::optional<OutputPlace> first = output_place(a), second = output_place(b);
  if (!first || !second) return a.lexically_normal() == b.lexically_normal();
  if (first->kind == OutputPlace::Kind::descriptor || second->kind == OutputPlace::Kind::descriptor)
    return first->kind == second->kind && first->descriptor == second->descriptor;
  std::error_code status;
  return resolved(first->target) == resolved(second->target) || fs::equivalent(first->target, second->target, status);
}

void check_outputs_apart(std::span<const fs::path> outputs, std::span<const fs::path> inputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const fs::path& path = outputs[i];
    if (path.empty()) continue;
    for (const fs::path& input : inputs)
      if (!input.empty() && same_place(path, input))
        throw usage_error(path.string() + ": is the input itself, which Sinew never overwrites; choose another name.");
    for (std::size_t j = 0; j < i; ++j) {
      if (outputs[j].empty() || !same_place(path, outputs[j])) continue;
      const bool same_name = path.lexically_normal() == outputs[j].lexically_normal();
      throw usage_error(
          path.string() +
          (same_name ? ": is named for two outputs" : ": leads to the same file as " + outputs[j].string()) +
          "; give each its own name.");
    }
  }
}

}  // namespace sinew
