#include "studio/server/web/outbox.h"

#include <utility>
#include <vector>

#include "studio/server/web/frame.h"

namespace sinew::studio {
namespace {

constexpr std::size_t most_texts = 2000;  // waiting for a page that accepts none

}  // namespace

void Outbox::text(std::string text) {
  const std::lock_guard lock(mutex_);
  if (texts_.size() >= most_texts) return;
  texts_.push_back(std::move(text));
  send_next();
}

void Outbox::ask_for_frame() {
  const std::lock_guard lock(mutex_);
  asked_ = true;
  send_next();
}

void Outbox::offer(std::shared_ptr<const PlayerFrame> frame) {
  const std::lock_guard lock(mutex_);
  newest_ = std::move(frame);
  send_next();
}

void Outbox::send_next() {
  if (sending_) return;
  const auto sent = [self = shared_from_this()] {
    const std::lock_guard lock(self->mutex_);
    self->sending_ = false;
    self->send_next();
  };
  if (!texts_.empty()) {
    sending_ = true;
    server_.send_text(page_, std::move(texts_.front()), sent);
    texts_.pop_front();
  } else if (asked_ && newest_ && newest_ != sent_) {
    sending_ = true;
    asked_ = false;
    sent_ = newest_;
    std::vector<std::byte> bytes = sent_->bytes;
    const auto applied = sent_->applied.find(page_);
    set_applied(bytes, applied == sent_->applied.end() ? 0 : applied->second);
    server_.send_bytes(page_, std::move(bytes), sent);
  }
}

}  // namespace sinew::studio
