// The studio: a live character in a page of the browser (docs/manual/03_studio.md). Connects the server, the player,
// the cook worker, the project with its history, and bakes.
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
  std::optional<std::filesystem::path> file;   // opened at the start
  std::vector<std::filesystem::path> folders;  // folders whose files pages may open; the first receives uploads
  std::filesystem::path page;                  // served instead of the built-in page, for developers of it
  int port = 0;                                // 0: the kept port if it is free, otherwise any
  std::filesystem::path
      address_file{};  // file that keeps port and token for the next start (kept_address.h); empty: none
  WebLimits limits{};
  // Receives the reason if `file` could not be opened, on one of the studio's threads.
  std::function<void(const std::string& sentence)> say{};
};

class Studio {
 public:
  // Starts listening and begins to open the file. Throws Error.
  explicit Studio(const StudioOptions& options);
  ~Studio();  // saves the project
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  int port() const;
  const std::string& token() const;
  std::string address() const;  // with the token

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

// The folder of samples that came with the program; empty if it is not found.
std::filesystem::path samples_folder();

// Opens the address in the user's browser, if there is one.
void open_browser(const std::string& address);

}  // namespace sinew::studio
