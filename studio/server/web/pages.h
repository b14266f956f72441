// The connected pages: messages to one or all of them, and the newest frame.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "studio/server/web/outbox.h"
#include "studio/server/web/page_json.h"
#include "studio/server/web/web_server.h"

namespace sinew::studio {

// The sender of a message, to be answered by the message's id; page 0: no sender.
struct Client {
  PageNumber page = 0;
  std::int64_t id = 0;
};

// All functions may be called from any thread.
class Pages {
 public:
  void join(WebServer& server, PageNumber page);
  // Stops all sending, because the server ends.
  void close();
  // Removes a page. Returns true if others are left.
  bool leave(PageNumber page);
  // The page has agreed to the protocol: it receives events from now on.
  void greet(PageNumber page);
  bool greeted(PageNumber page);

  void send(PageNumber page, const PageJson& json);
  void send_all(const PageJson& json);
  void reply(const Client& client, const PageJson& json = PageJson::object());
  void reply_error(const Client& client, const std::string& sentence) { reply(client, {{"error", sentence}}); }

  void ask_for_frame(PageNumber page);
  void show(const std::shared_ptr<const PlayerFrame>& frame);

 private:
  struct Page {
    std::shared_ptr<Outbox> outbox;
    bool greeted = false;
  };

  std::mutex mutex_;
  std::map<PageNumber, Page> pages_;
  bool closed_ = false;
  std::shared_ptr<const PlayerFrame> newest_;
};

}  // namespace sinew::studio
