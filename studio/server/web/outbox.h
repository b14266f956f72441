// What waits to be sent to one page: a page that is slow, or gone, holds up nobody. Texts are sent in order; of frames
// only the newest, and only when the page has asked for one.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "studio/server/live/live_player.h"
#include "studio/server/web/web_server.h"

namespace sinew::studio {

class Outbox : public std::enable_shared_from_this<Outbox> {
 public:
  Outbox(WebServer& server, PageNumber page) : server_(server), page_(page) {}

  // From any thread.
  void text(std::string text);
  void ask_for_frame();
  void offer(std::shared_ptr<const PlayerFrame> frame);

 private:
  void send_next();  // mutex_ is held

  WebServer& server_;
  PageNumber page_;
  std::mutex mutex_;
  std::deque<std::string> texts_;
  std::shared_ptr<const PlayerFrame> newest_, sent_;
  bool asked_ = false, sending_ = false;
};

}  // namespace sinew::studio
