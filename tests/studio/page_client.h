// A page as the studio's server sees one: HTTP and WebSocket by hand over a socket of the loopback, so that tests can
// also say what no browser would.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/studio/read_frame.h"

namespace sinew::test {

class Wire {
 public:
  explicit Wire(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in place{};
    place.sin_family = AF_INET;
    place.sin_port = htons(static_cast<std::uint16_t>(port));
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&place), sizeof(place)) != 0)
      throw std::runtime_error("no connection");
    const timeval patience{60, 0};
    const int on = 1;
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  }
  ~Wire() { ::close(socket_); }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  // False: the other side has closed.
  bool send(const std::string& bytes) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t count = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
      if (count <= 0) return false;
      done += static_cast<std::size_t>(count);
    }
    return true;
  }
  // Whether something comes within so many seconds.
  bool comes_within(double seconds) const {
    if (!buffer_.empty()) return true;
    pollfd waits{socket_, POLLIN, 0};
    return ::poll(&waits, 1, static_cast<int>(1e3 * seconds)) > 0;
  }
  // Throws where it is closed before, or nothing comes for a minute.
  std::string receive(std::size_t count) {
    while (buffer_.size() < count)
      if (!more()) throw std::runtime_error("closed");
    std::string bytes = buffer_.substr(0, count);
    buffer_.erase(0, count);
    return bytes;
  }
  std::string receive_all() {
    while (more()) {
    }
    return std::move(buffer_);
  }
  std::string receive_header() {
    while (buffer_.find("\r\n\r\n") == std::string::npos)
      if (!more()) return std::move(buffer_);
    return receive(buffer_.find("\r\n\r\n") + 4);
  }

 private:
  bool more() {
    char bytes[65536];
    const ssize_t count = ::recv(socket_, bytes, sizeof(bytes), 0);
    if (count <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  int socket_;
  std::string buffer_;
};

struct HttpAnswer {
  int status = 0;
  std::string header, body;
};

inline HttpAnswer read_answer(Wire& wire) {
  HttpAnswer answer;
  const std::string all = wire.receive_all();
  const std::size_t end = all.find("\r\n\r\n");
  if (end == std::string::npos) return answer;
  answer.header = all.substr(0, end);
  answer.body = all.substr(end + 4);
  answer.status = std::stoi(answer.header.substr(9, 3));
  return answer;
}

// `target`: with its token. Headers that are given replace the usual Host.
inline HttpAnswer http(int port, const std::string& method, const std::string& target, const std::string& headers = "",
                       const std::string& body = "") {
  Wire wire(port);
  const std::string host =
      headers.find("Host:") == std::string::npos ? "Host: 127.0.0.1:" + std::to_string(port) + "\r\n" : "";
  wire.send(method + " " + target + " HTTP/1.1\r\n" + host + headers +
            (body.empty() ? "" : "Content-Length: " + std::to_string(body.size()) + "\r\n") + "\r\n" + body);
  return read_answer(wire);
}

// Seconds after which a studio that sent no frame has nothing to show: longer than any step.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double longest_step = 3;
#else
constexpr double longest_step = 1;
#endif

class PageClient {
 public:
  using Json = nlohmann::json;

  PageClient(int port, const std::string& token, const std::string& headers = "") : wire_(port) {
    wire_.send("GET /session?token=" + token + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(port) +
               "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
               "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n" +
               headers + "\r\n");
    const std::string header = wire_.receive_header();
    joined_ = header.starts_with("HTTP/1.1 101");
    status_ = header.size() > 12 ? header.substr(9, 3) : "closed";
  }

  bool joined() const { return joined_; }
  const std::string& status() const { return status_; }
  Wire& wire() { return wire_; }

  // One frame of the protocol: `first` is its first byte (0x81: a whole text).
  bool send_raw(int first, const std::string& payload) {
    std::string bytes(1, static_cast<char>(first));
    const std::size_t size = payload.size();
    const auto number = [&](std::uint64_t value, int count) {
      for (int k = count - 1; k >= 0; --k) bytes += static_cast<char>(value >> (8 * k) & 0xff);
    };
    if (size < 126) {
      number(0x80 | size, 1);
    } else if (size < 65536) {
      number(0x80 | 126, 1);
      number(size, 2);
    } else {
      number(0x80 | 127, 1);
      number(size, 8);
    }
    bytes += std::string(4, '\0');  // a mask that changes nothing
    return wire_.send(bytes + payload);
  }

  int say(const std::string& what, Json more = Json::object()) {
    more["id"] = ++id_;
    more["do"] = what;
    if (!send_raw(0x81, more.dump())) throw std::runtime_error("closed");
    return id_;
  }

  // The answer; what comes before it is kept.
  Json ask(const std::string& what, const Json& more = Json::object()) {
    const int id = say(what, more);
    return answer_to(id);
  }
  Json answer_to(const Json& id) {
    return first([&](const Json& message) { return message.contains("re") && message["re"] == id; });
  }
  // The next event of this name, or one that was kept.
  Json event(const std::string& name) {
    return first([&](const Json& message) { return message.value("event", "") == name; });
  }
  ReadFrame frame() {
    say("next");
    while (frames_.empty()) read_one();
    const std::vector<std::byte> bytes = std::move(frames_.front());
    frames_.erase(frames_.begin());
    return read_frame(bytes);
  }
  // The last frame before nothing moves any more.
  ReadFrame settled() {
    ReadFrame last = frame();
    for (;;) {
      say("next");
      while (frames_.empty()) {
        if (!wire_.comes_within(longest_step)) return last;
        read_one();
      }
      last = read_frame(frames_.front());
      frames_.erase(frames_.begin());
    }
  }
  // Frames until one has the effect of this message.
  ReadFrame frame_after(int id) {
    ReadFrame now = frame();
    while (now.applied < static_cast<std::uint32_t>(id)) now = frame();
    return now;
  }

  std::vector<Json> events;
  std::optional<std::string> closed_because;

 private:
  // Takes the first message that is wanted out of those that were kept, or else waits for it.
  template <class Wanted>
  Json first(const Wanted& wanted) {
    for (;;) {
      const auto found = std::find_if(events.begin(), events.end(), wanted);
      if (found != events.end()) {
        Json message = *found;
        events.erase(found);
        return message;
      }
      events.push_back(next_text());
    }
  }
  Json next_text() {
    while (texts_.empty()) read_one();
    const Json message = Json::parse(texts_.front());
    texts_.erase(texts_.begin());
    return message;
  }

  void read_one() {
    const std::string head = wire_.receive(2);
    const int kind = head[0] & 0x0f;
    std::uint64_t size = static_cast<std::uint64_t>(head[1] & 0x7f);
    if (size >= 126) {
      const std::string more = wire_.receive(size == 126 ? 2 : 8);
      size = 0;
      for (const char byte : more) size = size << 8 | static_cast<unsigned char>(byte);
    }
    const std::string payload = wire_.receive(static_cast<std::size_t>(size));
    if (kind == 1) texts_.push_back(payload);
    if (kind == 2) {
      const auto* bytes = reinterpret_cast<const std::byte*>(payload.data());
      frames_.emplace_back(bytes, bytes + payload.size());
    }
    if (kind == 9) send_raw(0x8a, payload);
    if (kind == 8) {
      closed_because = payload.size() > 2 ? payload.substr(2) : "";
      throw std::runtime_error("closed: " + *closed_because);
    }
  }

  Wire wire_;
  bool joined_ = false;
  std::string status_;
  int id_ = 0;
  std::vector<std::string> texts_;
  std::vector<std::vector<std::byte>> frames_;
};

}  // namespace sinew::test
