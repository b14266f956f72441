// Access control: who may talk to the studio, and which files a page may name. The studio listens on the loopback
// interface, where any page in any browser, and any program of the machine, can connect.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinew::studio {

// A random token of 128 bits, in hexadecimal.
std::string random_token();

// The parts of a request that identify its sender; empty if absent.
struct Caller {
  std::string_view host, origin;  // headers
  std::string_view token;         // from the query
};

// Why the caller is refused, as a sentence; empty if it is admitted. A foreign page does not know the token; a page
// whose name was rebound to the loopback (DNS rebinding) has another host.
std::string refusal(const Caller& caller, std::string_view token, int port);

// The percent-decoded value of a key in a query ("token=ab&name=x%20y"); empty if absent.
std::optional<std::string> query_value(std::string_view query, std::string_view key);

// Folders in which pages may name files, with all links resolved.
class Folders {
 public:
  // Ignores folders that do not exist.
  explicit Folders(const std::vector<std::filesystem::path>& folders);

  const std::vector<std::filesystem::path>& all() const { return folders_; }
  void add(const std::filesystem::path& folder);

  // Resolves a name, absolute or relative to the first folder that contains it, with all links resolved. Throws
  // input_error if it does not exist or is outside all folders.
  std::filesystem::path inside(const std::string& name) const;

 private:
  bool holds(const std::filesystem::path& canonical) const;

  std::vector<std::filesystem::path> folders_;
};

// Throws input_error if the file is a link, which would let a page overwrite a file anywhere on the machine.
void refuse_link(const std::filesystem::path& file);

// True if the name is a plain file name: no folder, no "..", not hidden.
bool is_plain_name(std::string_view name);

}  // namespace sinew::studio
