#include "studio/server/web_server.h"

#include <civetweb.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/wall_clock.h"

namespace sinew {
namespace {

constexpr const char* session_path = "/session";

// Beside the pages: those that load something, and those that only knock.
constexpr int other_connections = 12;

struct StopServer {
  void operator()(mg_context* context) const { mg_stop(context); }
};

std::string_view text_of(const char* text) { return text ? std::string_view(text) : std::string_view(); }

const char* reason_of(int status) {
  switch (status) {
    case 200: return "OK";
    case 400: return "Bad Request";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 409: return "Conflict";
    case 413: return "Content Too Large";
    default: return "Internal Server Error";
  }
}

std::string origins_of_sockets(int port) {
  std::string origins;
  for (const char* host : {"127.0.0.1", "localhost"}) origins += std::string(" ws://") + host + ":" + std::to_string(port);
  return origins;
}

// The page brings all its scripts itself, and reaches nothing but this server.
std::string headers_of(const WebAnswer& answer, int port) {
  std::string headers = "HTTP/1.1 " + std::to_string(answer.status) + " " + reason_of(answer.status) + "\r\n";
  const auto add = [&](const char* name, const std::string& value) { headers += std::string(name) + ": " + value + "\r\n"; };
  add("Content-Type", answer.type);
  add("Content-Length", std::to_string(answer.bytes ? answer.bytes->size() : 0));
  if (answer.gzipped) add("Content-Encoding", "gzip");
  if (!answer.download.empty()) add("Content-Disposition", "attachment; filename=\"" + answer.download + "\"");
  add("Content-Security-Policy",
      "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; "
      "img-src 'self' data: blob:; connect-src 'self' data: blob:" + origins_of_sockets(port) +
      "; frame-ancestors 'none'; base-uri 'none'; form-action 'none'");
  add("X-Content-Type-Options", "nosniff");
  add("Referrer-Policy", "no-referrer");
  add("Cross-Origin-Resource-Policy", "same-origin");
  add("Cache-Control", "no-store");
  add("Connection", "close");
  return headers + "\r\n";
}

void write_answer(mg_connection* connection, const WebAnswer& answer, int port) {
  const std::string headers = headers_of(answer, port);
  if (mg_write(connection, headers.data(), headers.size()) <= 0 || !answer.bytes) return;
  mg_write(connection, answer.bytes->data(), answer.bytes->size());
}

std::vector<std::byte> read_body(mg_connection* connection, std::size_t most) {
  const long long said = mg_get_request_info(connection)->content_length;
  if (said < 0) throw input_error("The request does not say how long it is.");
  if (static_cast<unsigned long long>(said) > most)
    throw input_error("The file is larger than the " + std::to_string(most >> 20) + " MiB that a page may send; put it into a folder of the studio and open it there.");
  std::vector<std::byte> body(static_cast<std::size_t>(said));
  std::size_t got = 0;
  while (got < body.size()) {
    const int count = mg_read(connection, body.data() + got, std::min<std::size_t>(body.size() - got, 1u << 20));
    if (count <= 0) throw input_error("The file ended before all of it had come; send it again.");
    got += static_cast<std::size_t>(count);
  }
  return body;
}

}  // namespace

WebAnswer text_answer(int status, std::string_view text, const std::string& type) {
  WebAnswer answer;
  answer.status = status;
  answer.type = type;
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  answer.bytes = std::make_shared<const std::vector<std::byte>>(bytes, bytes + text.size());
  return answer;
}

class WebServer::Implementation {
 public:
  Implementation(int port, std::string token, const WebLimits& limits, WebEvents events)
      : token_(std::move(token)), limits_(limits), events_(std::move(events)) {
    mg_init_library(MG_FEATURES_DEFAULT);
    const std::string place = "127.0.0.1:" + std::to_string(port), threads = std::to_string(limits.pages + other_connections);
    const char* options[] = {"listening_ports", place.c_str(), "num_threads", threads.c_str(), "tcp_nodelay", "1",
                             "request_timeout_ms", "10000", "websocket_timeout_ms", "10000", "enable_websocket_ping_pong", "yes",
                             "enable_keep_alive", "no", "enable_directory_listing", "no", "enable_auth_domain_check", "no",
                             "access_control_list", "-0.0.0.0/0,+127.0.0.0/8", "max_request_size", "16384", nullptr};
    mg_callbacks callbacks{};
    callbacks.begin_request = [](mg_connection* connection) { return self(connection).begin(connection); };
    callbacks.log_message = [](const mg_connection*, const char*) { return 1; };
    callbacks.log_access = [](const mg_connection*, const char*) { return 1; };
    context_.reset(mg_start(&callbacks, this, options));
    if (!context_)
      throw usage_error("--port: the studio cannot listen at " + place + "; another program does, or name another port.");
    mg_server_port ports[1] = {};
    if (mg_get_server_ports(context_.get(), 1, ports) == 1) port_ = ports[0].port;
    mg_set_websocket_handler(
        context_.get(), session_path, [](const mg_connection* connection, void*) { return self(connection).join(connection); },
        [](mg_connection* connection, void*) { self(connection).ready(connection); },
        [](mg_connection* connection, int bits, char* data, std::size_t size, void*) {
          return self(connection).hear(connection, bits, {data, size});
        },
        [](const mg_connection* connection, void*) { self(connection).leave(connection); }, nullptr);
  }

  int port() const { return port_; }

  bool send(PageNumber number, int kind, const char* data, std::size_t size) {
    const std::shared_ptr<Page> page = page_of(number);
    if (!page) return false;
    const std::lock_guard lock(page->writing);
    return page->connection && mg_websocket_write(page->connection, kind, data, size) > 0;
  }

  void send_away(PageNumber number, const std::string& why) {
    std::string reason = "\x03\xf0";  // 1008: against the rules
    reason += why.substr(0, 120);
    send(number, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, reason.data(), reason.size());
    if (const std::shared_ptr<Page> page = page_of(number)) page->unwanted = true;
  }

 private:
  struct Page {
    PageNumber number = 0;
    std::mutex writing;                   // and whether there is a connection
    mg_connection* connection = nullptr;  // null: gone
    std::atomic<bool> unwanted{false};
    std::string message;  // as far as it has come
    bool in_message = false;
    double allowance = 0, last = 0;  // messages that may come now; seconds
  };

  static Implementation& self(const mg_connection* connection) {
    return *static_cast<Implementation*>(mg_get_user_data(mg_get_context(connection)));
  }

  std::shared_ptr<Page> page_of(PageNumber number) {
    const std::lock_guard lock(pages_mutex_);
    const auto found = pages_.find(number);
    return found == pages_.end() ? nullptr : found->second;
  }

  std::shared_ptr<Page> page_of(const mg_connection* connection) {
    return page_of(static_cast<PageNumber>(reinterpret_cast<std::uintptr_t>(mg_get_user_connection_data(connection))));
  }

  std::string refused(const mg_connection* connection) const {
    const std::string token = query_value(text_of(mg_get_request_info(connection)->query_string), "token").value_or("");
    return refusal({text_of(mg_get_header(connection, "Host")), text_of(mg_get_header(connection, "Origin")), token}, token_,
                   port_);
  }

  // Everything but what becomes a page's socket.
  int begin(mg_connection* connection) {
    const mg_request_info& info = *mg_get_request_info(connection);
    const std::string_view path = text_of(info.local_uri);
    WebAnswer answer;
    if (const std::string why = refused(connection); !why.empty()) {
      answer = text_answer(403, why + "\n");
    } else if (path == session_path) {
      if (mg_get_header(connection, "Sec-WebSocket-Key")) return 0;
      answer = text_answer(400, "Here pages connect by WebSocket.\n");
    } else {
      answer = answer_to(connection, info, path);
    }
    write_answer(connection, answer, port_);
    return answer.status;
  }

  WebAnswer answer_to(mg_connection* connection, const mg_request_info& info, std::string_view path) {
    try {
      return events_.answer({text_of(info.request_method), path, text_of(info.query_string),
                             [this, connection] { return read_body(connection, limits_.body); }});
    } catch (const Error& error) {
      return text_answer(400, std::string(error.what()) + "\n");
    } catch (const std::exception& error) {
      return text_answer(500, std::string("unexpected failure: ") + error.what() + "\n");
    }
  }

  // Before the handshake; not 0: refused.
  int join(const mg_connection* connection) {
    if (!refused(connection).empty()) return 1;
    const std::lock_guard lock(pages_mutex_);
    if (pages_.size() >= static_cast<std::size_t>(limits_.pages)) return 1;
    const auto page = std::make_shared<Page>();
    page->number = ++last_page_;
    page->allowance = 2 * limits_.messages_per_second;
    page->last = clock_.now();
    pages_[page->number] = page;
    mg_set_user_connection_data(connection, reinterpret_cast<void*>(static_cast<std::uintptr_t>(page->number)));
    return 0;
  }

  void ready(mg_connection* connection) {
    const std::shared_ptr<Page> page = page_of(connection);
    if (!page) return;
    {
      const std::lock_guard lock(page->writing);
      page->connection = connection;
    }
    events_.joined(page->number);
  }

  // 0 closes the connection.
  int hear(mg_connection* connection, int bits, std::string_view data) {
    const std::shared_ptr<Page> page = page_of(connection);
    if (!page || page->unwanted) return 0;
    const int kind = bits & 0x0f;
    const bool ends = (bits & 0x80) != 0;
    if (kind == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE) return 0;
    if (kind == MG_WEBSOCKET_OPCODE_PING || kind == MG_WEBSOCKET_OPCODE_PONG) return may_say_more(*page);
    const bool goes_on = kind == MG_WEBSOCKET_OPCODE_CONTINUATION;
    if ((kind != MG_WEBSOCKET_OPCODE_TEXT && !goes_on) || goes_on != page->in_message)
      return dismissed(*page, "Pages send text.");
    if (page->message.size() + data.size() > limits_.message)
      return dismissed(*page, "A message was larger than " + std::to_string(limits_.message >> 10) + " KiB.");
    if (!may_say_more(*page)) return dismissed(*page, "There were too many messages.");
    page->in_message = !ends;
    if (!goes_on && ends) {
      events_.said(page->number, data);
    } else {
      page->message += data;
      if (ends) events_.said(page->number, std::exchange(page->message, {}));
    }
    return page->unwanted ? 0 : 1;
  }

  int dismissed(Page& page, const std::string& why) {
    send_away(page.number, why);
    return 0;
  }

  // As long as a page says no more than it may for long.
  int may_say_more(Page& page) const {
    const double now = clock_.now();
    page.allowance = std::min(page.allowance + (now - page.last) * limits_.messages_per_second, 2 * limits_.messages_per_second);
    page.last = now;
    return (page.allowance -= 1) > 0 ? 1 : 0;
  }

  void leave(const mg_connection* connection) {
    const std::shared_ptr<Page> page = page_of(connection);
    if (!page) return;
    {
      const std::lock_guard lock(page->writing);
      page->connection = nullptr;
    }
    events_.left(page->number);
    const std::lock_guard lock(pages_mutex_);
    pages_.erase(page->number);
  }

  std::string token_;
  WebLimits limits_;
  WebEvents events_;
  WallClock clock_ = steady_wall_clock();
  int port_ = 0;
  std::mutex pages_mutex_;
  std::map<PageNumber, std::shared_ptr<Page>> pages_;
  PageNumber last_page_ = 0;
  std::unique_ptr<mg_context, StopServer> context_;  // last: its threads use the others
};

WebServer::WebServer(int port, std::string token, const WebLimits& limits, WebEvents events)
    : implementation_(std::make_unique<Implementation>(port, std::move(token), limits, std::move(events))) {}

WebServer::~WebServer() = default;

int WebServer::port() const { return implementation_->port(); }

bool WebServer::send_text(PageNumber page, std::string_view text) {
  return implementation_->send(page, MG_WEBSOCKET_OPCODE_TEXT, text.data(), text.size());
}

bool WebServer::send_bytes(PageNumber page, std::span<const std::byte> bytes) {
  return implementation_->send(page, MG_WEBSOCKET_OPCODE_BINARY, reinterpret_cast<const char*>(bytes.data()), bytes.size());
}

void WebServer::send_away(PageNumber page, const std::string& why) { implementation_->send_away(page, why); }

}  // namespace sinew
