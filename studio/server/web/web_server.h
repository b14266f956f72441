// HTTP and WebSocket server on the loopback interface, by Boost.Beast: routes, connected pages, and limits on
// everything that clients send. Knows nothing of characters. (civetweb, which compiles faster, gives its threads stacks
// of 100 KiB; the thread-local memory of libraries that Sinew links takes 90 of these.)
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

#include "studio/server/web/access.h"

namespace sinew::studio {

struct WebLimits {
  std::size_t body = 256u << 20;      // bytes of a request
  std::size_t message = 1u << 20;     // bytes of a page's message
  double messages_per_second = 2000;  // sustained rate of a page
  int pages = 8;                      // connected at the same time
  int connections = 32;               // of all kinds at the same time; further ones are closed
};

struct WebRequest {
  std::string_view method, path, query;
  std::span<const std::byte> body;  // of a POST
};

struct WebAnswer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::vector<std::byte>> bytes;
  bool gzipped = false;
  std::string download;  // file name to save it under, unless empty
  std::string script;    // of a page: scripts that its content security policy allows; empty: none
};
WebAnswer text_answer(int status, std::string_view text, const std::string& type = "text/plain; charset=utf-8");

using PageNumber = std::uint32_t;

struct WebEvents {
  std::function<WebAnswer(const WebRequest&)> answer;  // called on separate threads; may take long
  // Called on the server's own thread.
  std::function<void(PageNumber)> joined;
  std::function<void(PageNumber, std::string_view message)> said;
  std::function<void(PageNumber)> left;
};

class WebServer {
 public:
  // `port` 0 means any free one. Throws usage_error if the port is not available.
  WebServer(int port, std::string token, const WebLimits& limits, WebEvents events);
  ~WebServer();
  WebServer(const WebServer&) = delete;
  WebServer& operator=(const WebServer&) = delete;

  int port() const;

  // May be called from any thread; messages are sent in order. `sent` is called on the server's thread when the page
  // can take more, and never if the page is gone.
  void send_text(PageNumber page, std::string text, std::function<void()> sent);
  void send_bytes(PageNumber page, std::vector<std::byte> bytes, std::function<void()> sent);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace sinew::studio
