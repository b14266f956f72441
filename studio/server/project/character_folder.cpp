#include "studio/server/project/character_folder.h"

#include <algorithm>
#include <map>
#include <system_error>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "studio/server/studio.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 2000;  // listed at most
constexpr int most_of_a_name = 1000;

}  // namespace

bool can_be_opened(const fs::path& file) {
  const std::string ending = lower_case_ending(file);
  return ending == ".glb" || ending == ".gltf" || ending == ".vrm" || ending == ".obj";
}

bool can_be_motion(const fs::path& file) {
  const std::string ending = lower_case_ending(file);
  return ending == ".bvh" || ending == ".vrma" || ending == ".json" || (can_be_opened(file) && ending != ".obj");
}

fs::path keep_file(const Folders& folders, const std::string& name, std::span<const std::byte> bytes) {
  const fs::path folder = folders.all().front(), plain = folder / name;
  for (int k = 1; k < most_of_a_name; ++k) {
    fs::path path =
        k == 1 ? plain : folder / (plain.stem().string() + "-" + std::to_string(k) + plain.extension().string());
    std::error_code status;
    if (fs::is_symlink(fs::symlink_status(path, status))) continue;  // a link may lead anywhere
    if (!fs::exists(path, status)) {
      write_file(path, bytes);
      return path;
    }
    if (fs::file_size(path, status) != bytes.size() || status) continue;
    const std::vector<std::byte> there = read_file(path);
    if (std::equal(there.begin(), there.end(), bytes.begin(), bytes.end())) return path;
  }
  throw usage_error(name + ": there are too many files of this name; give it another one.");
}

fs::path own_sample(const Folders& folders, const fs::path& sample) {
  std::error_code status;
  if (folders.all().empty() || fs::equivalent(sample.parent_path(), folders.all().front(), status)) return sample;
  return keep_file(folders, sample.filename().string(), read_file(sample));
}

PageJson files_in(const fs::path& folder, bool with_folders) {
  std::map<std::string, PageJson> found;
  std::error_code status;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(folder, fs::directory_options::skip_permission_denied, status)) {
    const std::string name = entry.path().filename().string();
    const bool is_folder = entry.is_directory(status);
    if (name.empty() || name.front() == '.' || found.size() >= most_files) continue;
    if (is_folder ? !with_folders
                  : !(entry.is_regular_file(status) &&
                      (can_be_opened(entry.path()) || lower_case_ending(entry.path()) == ".sinew")))
      continue;
    PageJson file{{"name", name}, {"path", entry.path().string()}};
    if (is_folder)
      file["folder"] = true;
    else
      file["bytes"] = entry.file_size(status);
    found[(is_folder ? "0" : "1") + name] = std::move(file);
  }
  PageJson files = PageJson::array();
  for (auto& [name, file] : found) files.push_back(std::move(file));
  return files;
}

}  // namespace sinew::studio
