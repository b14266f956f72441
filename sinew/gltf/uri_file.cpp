#include "sinew/gltf/uri_file.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "sinew/gltf/read/read_uri.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

std::string with_slashes(std::string name) {
  std::replace(name.begin(), name.end(), '\\', '/');
  return name;
}

// Readings of the URI, the most likely first.
std::vector<std::string> names_of(std::string_view uri) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  const std::string raw(uri), decoded = decode_percent(uri).value_or(raw);
  for (const std::string& name : {decoded, raw}) {
    add(name);
    add(with_slashes(name));
  }
  return names;
}

// True if the folders in `name` lead above the one where they begin.
bool climbs(std::string_view name) {
  int depth = 0;
  while (!name.empty()) {
    const std::size_t end = std::min(name.find('/'), name.size());
    const std::string_view step = name.substr(0, end);
    if (step == "..")
      --depth;
    else if (!step.empty() && step != ".")
      ++depth;
    if (depth < 0) return true;
    name.remove_prefix(std::min(end + 1, name.size()));
  }
  return false;
}

// Reason not to look for a file of this name; empty if there is none.
const char* fault(const std::string& name) {
  if (name.empty()) return "is empty";
  if (name.find('\0') != std::string::npos) return "holds a zero byte";
  if (name.front() == '/') return "is an absolute path";
  if (name.size() >= 2 && is_letter(name[0]) && name[1] == ':') return "names a drive";
  if (climbs(name)) return "climbs out of the document's folder";
  return nullptr;
}

bool is_below(const fs::path& path, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

// Folders that files may be in, with links resolved.
std::vector<fs::path> folders_of(const fs::path& document) {
  std::vector<fs::path> folders;
  std::error_code status;
  const fs::path named = fs::canonical(document.has_parent_path() ? document.parent_path() : fs::path("."), status);
  if (!status) folders.push_back(named);
  const fs::path real = fs::canonical(document, status);
  if (!status && real.parent_path() != named) folders.push_back(real.parent_path());
  return folders;
}

std::string refused(std::string_view uri, const std::string& why) {
  return "names \"" + std::string(uri.substr(0, 200)) + "\", which " + why +
         "; only files beside the document or in folders below it are read, put it there and name it so.";
}

}  // namespace

UriFile file_of_uri(std::string_view uri, const fs::path& document) {
  if (has_uri_scheme(uri)) return {refused(uri, "is not the name of a file beside the document"), {}};
  const std::vector<std::string> names = names_of(uri);
  for (const std::string& name : names)
    if (const char* why = fault(name)) return {refused(uri, why), {}};
  const std::vector<fs::path> folders = folders_of(document);
  bool leads_away = false;
  for (const fs::path& folder : folders)
    for (const std::string& name : names) {
      std::error_code status;
      const fs::path file = fs::canonical(folder / name, status);
      if (status || !fs::is_regular_file(file, status)) continue;
      const bool allowed =
          std::any_of(folders.begin(), folders.end(), [&](const fs::path& f) { return is_below(file, f); });
      if (allowed) return {{}, file};
      leads_away = true;
    }
  if (leads_away) return {refused(uri, "is a link that leads out of the document's folder"), {}};
  return {};
}

}  // namespace sinew
