// Queue of messages to one page, so that a slow or closed page delays nobody. Texts are sent in order; of the frames
// only the newest is sent, and only when the page has asked for one.
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

  // All may be called from any thread.
  void text(std::string text);
  void ask_for_frame();
  void offer(std::shared_ptr<const PlayerFrame> frame);

 private:
  void send_next();  // requires mutex_

  WebServer& server_;
  PageNumber page_;
  std::mutex mutex_;
  std::deque<std::string> texts_;
  std::shared_ptr<const PlayerFrame> newest_, sent_;
  bool asked_ = false, sending_ = false;
};

}  // namespace sinew::studio
