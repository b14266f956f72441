#include "studio/server/web/pages.h"

namespace sinew::studio {
namespace {

std::string written(const PageJson& json) { return json.dump(-1, ' ', false, PageJson::error_handler_t::replace); }

}  // namespace

void Pages::join(WebServer& server, PageNumber page) {
  const std::lock_guard lock(mutex_);
  if (closed_) return;
  pages_[page] = {std::make_shared<Outbox>(server, page), false};
  pages_[page].outbox->offer(newest_);
}

void Pages::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  pages_.clear();
}

bool Pages::leave(PageNumber page) {
  const std::lock_guard lock(mutex_);
  pages_.erase(page);
  return !pages_.empty();
}

void Pages::greet(PageNumber page) {
  const std::lock_guard lock(mutex_);
  if (const auto found = pages_.find(page); found != pages_.end()) found->second.greeted = true;
}

bool Pages::greeted(PageNumber page) {
  const std::lock_guard lock(mutex_);
  const auto found = pages_.find(page);
  return found != pages_.end() && found->second.greeted;
}

void Pages::send(PageNumber page, const PageJson& json) {
  std::string text = written(json);
  const std::lock_guard lock(mutex_);
  if (const auto found = pages_.find(page); found != pages_.end()) found->second.outbox->text(std::move(text));
}

void Pages::send_all(const PageJson& json) {
  const std::string text = written(json);
  const std::lock_guard lock(mutex_);
  for (auto& [number, page] : pages_)
    if (page.greeted) page.outbox->text(text);
}

void Pages::reply(const Client& client, const PageJson& json) {
  if (client.page == 0) return;  // there was no request
  PageJson message{{"re", client.id}};
  message.update(json);
  send(client.page, message);
}

void Pages::ask_for_frame(PageNumber page) {
  const std::lock_guard lock(mutex_);
  if (const auto found = pages_.find(page); found != pages_.end()) found->second.outbox->ask_for_frame();
}

void Pages::show(const std::shared_ptr<const PlayerFrame>& frame) {
  const std::lock_guard lock(mutex_);
  newest_ = frame;
  for (auto& [number, page] : pages_) page.outbox->offer(frame);
}

}  // namespace sinew::studio
