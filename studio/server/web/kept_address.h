// Port and token of a studio, kept for the next start of the same one: a page that is open comes back by itself after
// the program was killed. Whoever reads the file is let in as its user, so nobody else may.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace sinew::studio {

struct Address {
  int port = 0;
  std::string token;
  bool operator==(const Address&) const = default;
};

// The file for the studio of this folder and character (empty: none): in the user's runtime folder, which ends with the
// login, or else in that for state. Empty where there is neither.
std::filesystem::path address_file(const std::filesystem::path& folder, const std::filesystem::path& character);

// Nothing where there is none, it is older than a week, it is no plain file of this user's that nobody else may touch,
// or no address.
std::optional<Address> read_address(const std::filesystem::path& file);

// With mode 0600, in a folder with mode 0700. What cannot be written is not kept.
void keep_address(const std::filesystem::path& file, const Address& address);

}  // namespace sinew::studio
