#include "studio/server/outbox.h"

#include <utility>
#include <vector>

namespace sinew {
namespace {

constexpr std::size_t most_texts = 2000;  // of a page that takes none

}  // namespace

Outbox::Outbox(WebServer& server, PageNumber page) : server_(server), page_(page), thread_([this] { run(); }) {}

Outbox::~Outbox() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  woken_.notify_all();
  thread_.join();
}

void Outbox::text(std::string text) {
  {
    const std::lock_guard lock(mutex_);
    if (texts_.size() >= most_texts) return;
    texts_.push_back(std::move(text));
  }
  woken_.notify_one();
}

void Outbox::ask_for_frame() {
  {
    const std::lock_guard lock(mutex_);
    asked_ = true;
  }
  woken_.notify_one();
}

void Outbox::offer(std::shared_ptr<const StageFrame> frame) {
  bool due = false;
  {
    const std::lock_guard lock(mutex_);
    newest_ = std::move(frame);
    due = asked_;
  }
  if (due) woken_.notify_one();
}

void Outbox::run() {
  std::vector<std::byte> bytes;
  std::unique_lock lock(mutex_);
  for (;;) {
    woken_.wait(lock, [this] { return ends_ || !texts_.empty() || frame_is_due(); });
    if (ends_) return;
    if (!texts_.empty()) {
      const std::string text = std::move(texts_.front());
      texts_.pop_front();
      lock.unlock();
      server_.send_text(page_, text);
    } else {
      sent_ = newest_;
      asked_ = false;
      const std::shared_ptr<const StageFrame> frame = sent_;
      lock.unlock();
      bytes = frame->bytes;
      const auto applied = frame->applied.find(page_);
      set_applied(bytes, applied == frame->applied.end() ? 0 : applied->second);
      server_.send_bytes(page_, bytes);
    }
    lock.lock();
  }
}

}  // namespace sinew
