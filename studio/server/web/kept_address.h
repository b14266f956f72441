// Keeps the port and token of a studio for its next start, so that an open page reconnects after the program was
// killed. Whoever reads the file can act as its user, so nobody else may.
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

// The file for a studio of this folder and character (empty: none), in the user's runtime folder, which is deleted at
// logout, or otherwise in the state folder. Empty if there is neither.
std::filesystem::path address_file(const std::filesystem::path& folder, const std::filesystem::path& character);

// Empty if there is no file, it is older than a week, it is not a regular file that only this user can access, or it
// has no valid address.
std::optional<Address> read_address(const std::filesystem::path& file);

// Writes with mode 0600, in a folder with mode 0700. Failures are ignored.
void keep_address(const std::filesystem::path& file, const Address& address);

}  // namespace sinew::studio
