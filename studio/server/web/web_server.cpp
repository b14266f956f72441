#include "studio/server/web/web_server.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <list>
#include <map>
#include <thread>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/wall_clock.h"

namespace sinew::studio {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
namespace websocket = boost::beast::websocket;
using Tcp = asio::ip::tcp;
using SystemError = boost::system::error_code;

constexpr const char* session_path = "/session";
constexpr std::size_t header_limit = 16384;
constexpr auto patience = std::chrono::seconds(10);        // timeout of an idle client
constexpr auto body_patience = std::chrono::seconds(120);  // timeout of a client that sends a body

std::string_view text_of(beast::string_view text) { return {text.data(), text.size()}; }

std::string policy(const WebAnswer& answer, int port) {
  std::string sockets;
  for (const char* host : {"127.0.0.1", "localhost"})
    sockets += std::string(" ws://") + host + ":" + std::to_string(port);
  // The page contains all its scripts and connects to nothing but this server.
  return "default-src 'none'; " + (answer.script.empty() ? std::string() : "script-src " + answer.script + "; ") +
         "worker-src blob:; style-src 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' data: blob:" +
         sockets + "; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
}

using Reply = http::response<http::span_body<const char>>;

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
      : token_(std::move(token)), limits_(limits), events_(std::move(events)), acceptor_(io_), workers_(2) {
    const Tcp::endpoint place(asio::ip::address_v4::loopback(), static_cast<unsigned short>(port));
    SystemError error;
    acceptor_.open(place.protocol(), error);
    if (!error) acceptor_.set_option(Tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor_.bind(place, error);
    if (!error) acceptor_.listen(asio::socket_base::max_listen_connections, error);
    if (error)
      throw usage_error("--port: the studio cannot listen at 127.0.0.1:" + std::to_string(port) + " (" +
                        error.message() + "); name another port.");
    port_ = acceptor_.local_endpoint().port();
    accept();
    thread_ = std::thread([this] { io_.run(); });
  }

  ~Implementation() {
    asio::post(io_, [this] {
      ends_ = true;
      SystemError ignored;
      acceptor_.close(ignored);
      const auto pages = pages_;
      for (const auto& [number, page] : pages) page->drop();
    });
    workers_.join();
    io_.stop();
    thread_.join();
    pages_.clear();  // their sockets need the context
  }

  int port() const { return port_; }

  void send(PageNumber number, bool text, std::vector<std::byte> bytes, std::function<void()> sent) {
    asio::post(io_, [this, number, message = Message{text, std::move(bytes), std::move(sent)}]() mutable {
      if (const auto found = pages_.find(number); found != pages_.end()) found->second->send(std::move(message));
    });
  }

 private:
  struct Message {
    bool text = true;
    std::vector<std::byte> bytes;
    std::function<void()> sent;
  };

  // Counts a connection while it exists.
  struct Place {
    explicit Place(std::atomic<int>& places) : taken(places) { ++taken; }
    ~Place() { --taken; }
    std::atomic<int>& taken;
  };

  // A connected page. Everything runs on the server's thread.
  class Page : public std::enable_shared_from_this<Page> {
   public:
    Page(Implementation& server, beast::tcp_stream&& stream, std::shared_ptr<Place> place, PageNumber number)
        : server_(server),
          socket_(std::move(stream)),
          place_(std::move(place)),
          number_(number),
          allowance_(2 * server.limits_.messages_per_second),
          last_(server.clock_.now()) {}

    void begin(const http::request<http::vector_body<char>>& request) {
      beast::get_lowest_layer(socket_).expires_never();
      websocket::stream_base::timeout timeout{patience, std::chrono::seconds(30), true};
      socket_.set_option(timeout);
      socket_.read_message_max(server_.limits_.message);
      socket_.auto_fragment(false);
      socket_.async_accept(request, [self = shared_from_this()](SystemError error) {
        if (error) return self->server_.forget(self->number_, false);
        self->joined_ = true;
        self->server_.events_.joined(self->number_);
        self->listen();
      });
    }

    void send(Message message) {
      waiting_.push_back(std::move(message));
      if (waiting_.size() == 1) write();
    }

    void drop() {
      SystemError ignored;
      beast::get_lowest_layer(socket_).socket().close(ignored);
    }

   private:
    void listen() {
      socket_.async_read(buffer_, [self = shared_from_this()](SystemError error, std::size_t) {
        if (error == websocket::error::message_too_big)
          return self->dismiss("A message was larger than " + std::to_string(self->server_.limits_.message >> 10) +
                               " KiB.");
        if (error) return self->leave();
        if (!self->socket_.got_text()) return self->dismiss("Pages send text.");
        if (!self->may_speak()) return self->dismiss("There were too many messages.");
        const auto data = self->buffer_.data();
        self->server_.events_.said(self->number_, {static_cast<const char*>(data.data()), data.size()});
        self->buffer_.consume(self->buffer_.size());
        self->listen();
      });
    }

    // Limits the sustained message rate.
    bool may_speak() {
      const double rate = server_.limits_.messages_per_second, now = server_.clock_.now();
      allowance_ = std::min(allowance_ + (now - last_) * rate, 2 * rate);
      last_ = now;
      return (allowance_ -= 1) > 0;
    }

    void write() {
      const Message& message = waiting_.front();
      socket_.text(message.text);
      socket_.async_write(asio::buffer(message.bytes), [self = shared_from_this()](SystemError error, std::size_t) {
        if (error) return self->drop();
        const std::function<void()> sent = std::move(self->waiting_.front().sent);
        self->waiting_.pop_front();
        if (!self->waiting_.empty()) self->write();
        if (sent) sent();  // it sends through the server's queue
      });
    }

    void dismiss(const std::string& why) {
      socket_.async_close(websocket::close_reason(websocket::close_code::policy_error, why),
                          [self = shared_from_this()](SystemError) { self->leave(); });
    }

    void leave() {
      drop();
      server_.forget(number_, std::exchange(joined_, false));
    }

    Implementation& server_;
    websocket::stream<beast::tcp_stream> socket_;
    std::shared_ptr<Place> place_;
    PageNumber number_;
    beast::flat_buffer buffer_;
    std::deque<Message> waiting_;
    bool joined_ = false;
    double allowance_, last_;
  };

  // A request, which becomes a page or is answered and closed.
  class Visit : public std::enable_shared_from_this<Visit> {
   public:
    Visit(Implementation& server, Tcp::socket&& socket, std::shared_ptr<Place> place)
        : server_(server), stream_(std::move(socket)), place_(std::move(place)) {
      parser_.header_limit(header_limit);
      parser_.body_limit(server.limits_.body);
    }

    ~Visit() { server_.welcome(this); }

    void close() { stream_.close(); }

    void begin() {
      SystemError ignored;
      stream_.socket().set_option(Tcp::no_delay(true), ignored);
      stream_.expires_after(patience);
      http::async_read_header(stream_, buffer_, parser_, [self = shared_from_this()](SystemError error, std::size_t) {
        self->too_large_ = error == http::error::body_limit;  // according to its header
        if (!error || self->too_large_) self->judge();
      });
    }

   private:
    void judge() {
      const auto& request = parser_.get();
      const std::string_view target = text_of(request.target());
      const std::size_t question = std::min(target.find('?'), target.size());
      path_ = target.substr(0, question);
      query_ = target.substr(std::min(question + 1, target.size()));
      const std::string token = query_value(query_, "token").value_or("");
      const std::string why =
          refusal({text_of(request[http::field::host]), text_of(request[http::field::origin]), token}, server_.token_,
                  server_.port_);
      if (!why.empty()) return reply(text_answer(403, why + "\n"));
      server_.welcome(this);
      if (path_ == session_path) {
        if (!websocket::is_upgrade(request))
          return reply(text_answer(400, "This address is for WebSocket connections.\n"));
        return become_page();
      }
      if (too_large_) return refuse_body();
      if (request.method() != http::verb::post) return answer();
      stream_.expires_after(body_patience);
      http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](SystemError error, std::size_t) {
        if (error == http::error::body_limit) return self->refuse_body();
        if (!error) self->answer();
      });
    }

    void refuse_body() {
      reply(text_answer(413, "The file is larger than the " + std::to_string(server_.limits_.body >> 20) +
                                 " MiB that a page may send; put it into a folder of the studio and open it there.\n"));
    }

    void become_page() {
      if (server_.pages_.size() >= static_cast<std::size_t>(server_.limits_.pages))
        return reply(text_answer(503, "The studio has reached its number of pages; close one.\n"));
      const PageNumber number = ++server_.last_page_;
      const auto page = std::make_shared<Page>(server_, std::move(stream_), place_, number);
      server_.pages_[number] = page;
      page->begin(parser_.get());
    }

    void answer() {
      asio::post(server_.workers_, [self = shared_from_this()] {
        const auto& body = self->parser_.get().body();
        WebAnswer answer;
        try {
          answer = self->server_.events_.answer({text_of(self->parser_.get().method_string()), self->path_,
                                                 self->query_, std::as_bytes(std::span(body))});
        } catch (const Error& error) {
          answer = text_answer(400, std::string(error.what()) + "\n");
        } catch (const std::exception& error) {
          answer = text_answer(500, std::string("unexpected failure: ") + error.what() + "\n");
        }
        asio::post(self->server_.io_, [self, answer = std::move(answer)] { self->reply(answer); });
      });
    }

    void reply(WebAnswer answer) {
      answer_ = std::move(answer);
      if (!answer_.bytes) answer_.bytes = std::make_shared<const std::vector<std::byte>>();
      reply_.emplace(static_cast<http::status>(answer_.status), 11);
      reply_->set(http::field::content_type, answer_.type);
      if (answer_.gzipped) reply_->set(http::field::content_encoding, "gzip");
      if (!answer_.download.empty())
        reply_->set(http::field::content_disposition, "attachment; filename=\"" + answer_.download + "\"");
      reply_->set("Content-Security-Policy", policy(answer_, server_.port_));
      reply_->set("X-Content-Type-Options", "nosniff");
      reply_->set("Referrer-Policy", "no-referrer");
      reply_->set("Cross-Origin-Resource-Policy", "same-origin");
      reply_->set(http::field::cache_control, "no-store");
      reply_->keep_alive(false);
      reply_->body() = {reinterpret_cast<const char*>(answer_.bytes->data()), answer_.bytes->size()};
      reply_->prepare_payload();
      stream_.expires_after(body_patience);
      http::async_write(stream_, *reply_, [self = shared_from_this()](SystemError, std::size_t) {
        SystemError ignored;
        self->stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
        self->drain();
      });
    }

    // Drains the rest of the request before closing; otherwise the client would see a broken connection instead of the
    // answer.
    void drain() {
      stream_.expires_after(std::chrono::seconds(2));
      stream_.async_read_some(asio::buffer(scrap_), [self = shared_from_this()](SystemError error, std::size_t count) {
        self->drained_ += count;
        if (!error && self->drained_ < most_drained) self->drain();
      });
    }
    static constexpr std::size_t most_drained = 4u << 20;

    Implementation& server_;
    beast::tcp_stream stream_;
    std::shared_ptr<Place> place_;
    beast::flat_buffer buffer_;
    http::request_parser<http::vector_body<char>> parser_;
    std::string path_, query_;
    WebAnswer answer_;
    std::optional<Reply> reply_;
    std::array<char, 4096> scrap_{};
    std::size_t drained_ = 0;
    bool too_large_ = false;
  };

  void accept() {
    acceptor_.async_accept([this](SystemError error, Tcp::socket socket) {
      if (ends_) return;
      // Connections without a token yet share half of the limit, and the oldest of them makes room for the next, so
      // that slow clients lock nobody out.
      if (!error && strangers_.size() >= std::max<std::size_t>(1, static_cast<std::size_t>(limits_.connections) / 2)) {
        Visit* const oldest = strangers_.front();
        strangers_.pop_front();
        oldest->close();
      }
      if (!error && connected_ < limits_.connections) {
        const auto visit = std::make_shared<Visit>(*this, std::move(socket), std::make_shared<Place>(connected_));
        strangers_.push_back(visit.get());
        visit->begin();
      }
      accept();
    });
  }

  // The connection is now admitted, or closed.
  void welcome(Visit* visit) { strangers_.remove(visit); }

  void forget(PageNumber number, bool joined) {
    pages_.erase(number);
    if (joined && !ends_) events_.left(number);
  }

  std::list<Visit*> strangers_;  // in the order of their requests; each removes itself
  std::string token_;
  WebLimits limits_;
  WebEvents events_;
  WallClock clock_ = steady_wall_clock();
  int port_ = 0;
  std::atomic<int> connected_{0};
  bool ends_ = false;
  std::map<PageNumber, std::shared_ptr<Page>> pages_;  // used by the server's thread only
  PageNumber last_page_ = 0;
  asio::io_context io_{1};
  Tcp::acceptor acceptor_;
  asio::thread_pool workers_;
  std::thread thread_;
};

WebServer::WebServer(int port, std::string token, const WebLimits& limits, WebEvents events)
    : implementation_(std::make_unique<Implementation>(port, std::move(token), limits, std::move(events))) {}

WebServer::~WebServer() = default;

int WebServer::port() const { return implementation_->port(); }

void WebServer::send_text(PageNumber page, std::string text, std::function<void()> sent) {
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  implementation_->send(page, true, {bytes, bytes + text.size()}, std::move(sent));
}

void WebServer::send_bytes(PageNumber page, std::vector<std::byte> bytes, std::function<void()> sent) {
  implementation_->send(page, false, std::move(bytes), std::move(sent));
}

}  // namespace sinew::studio
