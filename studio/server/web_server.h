// HTTP and WebSocket on the loopback, by civetweb: routes, pages that stay connected, and bounds on all that they send.
// Knows nothing of characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "studio/server/access.h"

namespace sinew {

struct WebLimits {
  std::size_t body = 256u << 20;      // bytes of a request
  std::size_t message = 1u << 20;     // bytes of a page's message
  double messages_per_second = 2000;  // of a page, for long
  int pages = 8;                      // connected at a time
};

struct WebRequest {
  std::string_view method, path, query;
  // Of a POST; throws input_error where it is larger than the limit or ends early.
  std::function<std::vector<std::byte>()> body;
};

struct WebAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::vector<std::byte>> bytes;
  bool gzipped = false;
  std::string download;  // as a file of this name, where not empty
};
WebAnswer text_answer(int status, std::string_view text, const std::string& type = "text/plain; charset=utf-8");

using PageNumber = std::uint32_t;

// Called from the server's threads, of one page on one at a time.
struct WebEvents {
  std::function<WebAnswer(const WebRequest&)> answer;
  std::function<void(PageNumber)> joined;
  std::function<void(PageNumber, std::string_view message)> said;
  std::function<void(PageNumber)> left;
};

class WebServer {
 public:
  // `port` 0: any that is free. Throws usage_error where it cannot be had.
  WebServer(int port, std::string token, const WebLimits& limits, WebEvents events);
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  int port() const;

  // From any thread. False where the page has gone, or does not take what it is sent.
  bool send_text(PageNumber page, std::string_view text);
  bool send_bytes(PageNumber page, std::span<const std::byte> bytes);
  void send_away(PageNumber page, const std::string& why);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace sinew
