#include "studio/server/web/access.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>

#include "sinew/base/error.h"
#include "sinew/gltf/read/read_uri.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

// Compares in constant time, so that a token cannot be guessed letter by letter.
bool same_secret(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned different = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    different |= static_cast<unsigned char>(a[k]) ^ static_cast<unsigned char>(b[k]);
  return different == 0;
}

}  // namespace

std::string random_token() {
  std::array<char, 16> bytes{};
  std::ifstream random("/dev/urandom", std::ios::binary);
  if (!random.read(bytes.data(), bytes.size()))
    throw usage_error("/dev/urandom: cannot be read, and the studio does not start without a random token.");
  constexpr std::string_view digits = "0123456789abcdef";
  std::string token;
  for (const char byte : bytes) {
    token += digits[static_cast<unsigned char>(byte) >> 4];
    token += digits[static_cast<unsigned char>(byte) & 15];
  }
  return token;
}

std::string refusal(const Caller& caller, std::string_view token, int port) {
  const std::string places[] = {"127.0.0.1:" + std::to_string(port), "localhost:" + std::to_string(port)};
  if (std::find(std::begin(places), std::end(places), caller.host) == std::end(places))
    return "The studio answers at " + places[0] + " only; use the address that the program printed.";
  const bool own_page = caller.origin.empty() ||
                        std::any_of(std::begin(places), std::end(places),
                                    [&](const std::string& place) { return caller.origin == "http://" + place; });
  if (!own_page) return "The studio answers to its own page only.";
  if (!same_secret(caller.token, token))
    return "The studio's address has a token, which is missing here or is another one; use the address that the "
           "program printed.";
  return {};
}

std::optional<std::string> query_value(std::string_view query, std::string_view key) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == key)
      return decode_percent(pair.substr(equals + 1));
  }
  return std::nullopt;
}

Folders::Folders(const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) add(folder);
}

void Folders::add(const fs::path& folder) {
  std::error_code status;
  const fs::path place = fs::canonical(folder, status);
  if (!status && fs::is_directory(place, status) &&
      std::find(folders_.begin(), folders_.end(), place) == folders_.end())
    folders_.push_back(place);
}

bool Folders::holds(const fs::path& canonical) const {
  return std::any_of(folders_.begin(), folders_.end(), [&](const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), canonical.begin(), canonical.end()).first == folder.end();
  });
}

fs::path Folders::inside(const std::string& name) const {
  if (name.empty() || name.find('\0') != std::string::npos) throw input_error("A file needs a name.");
  std::vector<fs::path> tried;
  if (fs::path(name).is_absolute())
    tried.emplace_back(name);
  else
    for (const fs::path& folder : folders_) tried.push_back(folder / name);
  for (const fs::path& path : tried) {
    std::error_code status;
    const fs::path place = fs::canonical(path, status);
    if (!status && holds(place)) return place;
  }
  const auto is_lost = [&](const fs::path& path) {
    std::error_code status;
    const fs::path folder = fs::canonical(path.parent_path(), status);
    return !status && holds(folder) && fs::symlink_status(path, status).type() == fs::file_type::not_found;
  };
  if (std::any_of(tried.begin(), tried.end(), is_lost))
    throw input_error(name +
                      ": cannot be found in the studio's folders; put it there, or start `sinew studio` with --folder "
                      "for the folder that it is in.");
  // A page need not know whether such a file exists elsewhere.
  throw input_error(name + ": is not in the studio's folders; start `sinew studio` with --folder to add one.");
}

void refuse_link(const std::filesystem::path& file) {
  std::error_code status;
  if (std::filesystem::is_symlink(std::filesystem::symlink_status(file, status)))
    throw input_error(file.string() +
                      ": is a link to another file, which the studio does not write; choose another name.");
}

bool is_plain_name(std::string_view name) {
  if (name.empty() || name.size() > 200 || name.front() == '.') return false;
  return std::all_of(name.begin(), name.end(), [](char letter) {
    return static_cast<unsigned char>(letter) >= 32 && letter != 127 && letter != '/' && letter != '\\';
  });
}

}  // namespace sinew::studio
