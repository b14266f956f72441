// What waits to be sent to one page, on a thread of its own: a page that is slow, or gone, holds up nobody else. Texts are
// sent in order; of frames only the newest, and only when the page has asked for one.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "studio/server/stage.h"
#include "studio/server/web_server.h"

namespace sinew {

class Outbox {
 public:
  Outbox(WebServer& server, PageNumber page);
  ~Outbox();
  Outbox(const Outbox&) = delete;
  Outbox& operator=(const Outbox&) = delete;

  void text(std::string text);
  void ask_for_frame();
  void offer(std::shared_ptr<const StageFrame> frame);

 private:
  void run();
  bool frame_is_due() const { return asked_ && newest_ && newest_ != sent_; }

  WebServer& server_;
  PageNumber page_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::deque<std::string> texts_;
  std::shared_ptr<const StageFrame> newest_, sent_;
  bool asked_ = false, ends_ = false;
  std::thread thread_;
};

}  // namespace sinew
