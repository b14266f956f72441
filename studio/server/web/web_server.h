// HTTP and WebSocket on the loopback, by Boost.Beast: routes, pages that stay connected, and bounds on all that they
// send. Knows nothing of characters. (civetweb, which compiles sooner, gives its threads stacks of 100 KiB; the
// thread-local memory of libraries that Sinew links takes 90 of these.)
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
  double messages_per_second = 2000;  // of a page, for long
  int pages = 8;                      // connected at a time
  int connections = 32;               // of all kinds at a time; more are closed
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
  std::string download;  // as a file of this name, where not empty
  std::string script;    // of a page: what scripts its policy lets run; empty: none
};
WebAnswer text_answer(int status, std::string_view text, const std::string& type = "text/plain; charset=utf-8");

using PageNumber = std::uint32_t;

struct WebEvents {
  std::function<WebAnswer(const WebRequest&)> answer;  // on threads of its own: it may take its time
  // All of these on the server's one thread.
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

  // From any thread, in order. `sent` is called, on the server's thread, when the page can take more; never where the
  // page has gone.
  void send_text(PageNumber page, std::string text, std::function<void()> sent);
  void send_bytes(PageNumber page, std::vector<std::byte> bytes, std::function<void()> sent);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace sinew::studio
