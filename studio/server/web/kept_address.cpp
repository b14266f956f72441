#include "studio/server/web/kept_address.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "studio/server/web/access.h"

namespace sinew::studio {
namespace {

namespace fs = std::filesystem;

constexpr double longest_kept = 7 * 24 * 3600;  // seconds

fs::path folder_of(const char* variable) {
  const char* const value = std::getenv(variable);
  return value && *value == '/' ? fs::path(value) : fs::path();
}

// FNV-1a: makes a file name, not a secret.
std::string short_name(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  std::array<char, 17> name{};
  std::snprintf(name.data(), name.size(), "%016llx", static_cast<unsigned long long>(hash));
  return name.data();
}

bool is_token(const std::string& text) {
  return text.size() == random_token().size() && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

// An open file that closes itself.
struct Opened {
  int file = -1;
  Opened(const fs::path& path, int flags) : file(::open(path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, 0600)) {}
  ~Opened() {
    if (file >= 0) ::close(file);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
};

}  // namespace

fs::path address_file(const fs::path& folder, const fs::path& character) {
  fs::path base = folder_of("XDG_RUNTIME_DIR");
  if (base.empty()) base = folder_of("XDG_STATE_HOME");
  if (base.empty())
    if (const fs::path home = folder_of("HOME"); !home.empty()) base = home / ".local" / "state";
  if (base.empty()) return {};
  std::error_code status;
  const auto full = [&](const fs::path& path) {
    if (path.empty()) return std::string();
    const fs::path whole = fs::weakly_canonical(path, status);
    return (whole.has_filename() ? whole : whole.parent_path()).string();
  };
  return base / "sinew" / "studio" / (short_name(full(folder) + '\n' + full(character)) + ".json");
}

std::optional<Address> read_address(const fs::path& file) {
  const Opened opened(file, O_RDONLY | O_NONBLOCK);
  struct stat about {};
  if (opened.file < 0 || ::fstat(opened.file, &about) != 0) return std::nullopt;
  constexpr mode_t of_others = 077;
  if (!S_ISREG(about.st_mode) || about.st_uid != ::geteuid() || (about.st_mode & of_others) != 0) return std::nullopt;
  if (std::difftime(std::time(nullptr), about.st_mtime) > longest_kept) return std::nullopt;
  std::array<char, 256> text{};
  const ssize_t length = ::read(opened.file, text.data(), text.size());
  const auto json = nlohmann::json::parse(text.begin(), text.begin() + std::max<ssize_t>(length, 0), nullptr, false);
  if (!json.is_object() || !json.contains("port") || !json["port"].is_number_integer() || !json.contains("token") ||
      !json["token"].is_string())
    return std::nullopt;
  const Address address{json["port"].get<int>(), json["token"].get<std::string>()};
  if (address.port < 1 || address.port > 65535 || !is_token(address.token)) return std::nullopt;
  return address;
}

void keep_address(const fs::path& file, const Address& address) {
  if (file.empty()) return;
  std::error_code status;
  fs::create_directories(file.parent_path(), status);
  fs::permissions(file.parent_path(), fs::perms::owner_all, status);
  const fs::path unfinished = file.string() + "." + std::to_string(::getpid());
  const std::string text = nlohmann::json{{"port", address.port}, {"token", address.token}}.dump() + "\n";
  fs::remove(unfinished, status);
  bool whole = false;
  {
    const Opened opened(unfinished, O_WRONLY | O_CREAT | O_EXCL);
    whole = opened.file >= 0 && ::write(opened.file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  }
  if (whole)
    fs::rename(unfinished, file, status);
  else
    fs::remove(unfinished, status);
}

}  // namespace sinew::studio
