// The studio: a character in a page of the browser, alive (docs/studio.md). Joins what the other files of this folder
// do alone: the server, the player, the cook worker, the project and its history, and what is baked.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "studio/server/web/web_server.h"

namespace sinew::studio {

struct StudioOptions {
  std::optional<std::filesystem::path> file;   // to be opened at once
  std::vector<std::filesystem::path> folders;  // whose files pages may open; the first takes what is dropped
  std::filesystem::path page;                  // in place of the program's own, for those who work on it
  int port = 0;                                // 0: the kept one where it is free, or else any
  std::filesystem::path address_file{};        // keeps port and token for the next start (kept_address.h); empty: none
  WebLimits limits{};
  std::function<void(const std::string& sentence)>
      say{};  // hears why `file` could not be opened; from a thread of the studio's
};

class Studio {
 public:
  // Listens, and begins to open the file. Throws Error.
  explicit Studio(const StudioOptions& options);
  ~Studio();  // keeps the project
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  int port() const;
  const std::string& token() const;
  std::string address() const;  // with the token

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// The samples that came with the program, where they are found beside it.
std::filesystem::path samples_folder();

// Shows the address in the user's browser, where there is one.
void open_browser(const std::string& address);

}  // namespace sinew::studio
