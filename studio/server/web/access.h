// Who may talk to the studio, and which files a page may name. The studio listens on the loopback, where every page of
// every browser and every program of the machine can knock.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::studio {

// 128 bits of the system's randomness, in hexadecimal.
std::string random_token();

// What of a request says who sends it; empty: it has none.
struct Caller {
  std::string_view host, origin;  // headers
  std::string_view token;         // of the query
};

// Why the caller is refused, as a sentence; empty: it may come in. Another page of a browser knows no token; one that
// had its name resolved to the loopback (DNS rebinding) names another host.
std::string refusal(const Caller& caller, std::string_view token, int port);

// The value of a key of a query ("token=ab&name=x%20y"), its percent signs decoded; nothing where there is none.
std::optional<std::string> query_value(std::string_view query, std::string_view key);

// Folders below which a page may name files, all links resolved.
class Folders {
 public:
  // Folders that do not exist are left out.
  explicit Folders(const std::vector<std::filesystem::path>& folders);

  const std::vector<std::filesystem::path>& all() const { return folders_; }
  void add(const std::filesystem::path& folder);

  // The file or folder of this name, all links resolved: absolute, or relative to the first folder that has it. Throws
  // input_error where there is none, or it is not below one of the folders.
  std::filesystem::path inside(const std::string& name) const;

 private:
  bool holds(const std::filesystem::path& canonical) const;

  std::vector<std::filesystem::path> folders_;
};

// Throws input_error where the file is a link: what a page has written would be another file, anywhere on the machine.
void refuse_link(const std::filesystem::path& file);

// Whether a name is that of a file beside others: no folder, no climbing, nothing hidden.
bool is_plain_name(std::string_view name);

}  // namespace sinew::studio
