#include "studio/server/history.h"

namespace sinew {
namespace {

constexpr double moment = 0.8;  // seconds

}  // namespace

void History::act(Project next, const std::string& what, const std::string& kind, double time) {
  const bool goes_on = !kind.empty() && kind == kind_ && time - time_ < moment && !before_.empty();
  if (!goes_on) before_.push_back({std::move(now_), what});
  if (before_.size() > most) before_.erase(before_.begin());
  now_ = std::move(next);
  after_.clear();
  kind_ = kind;
  time_ = time;
}

void History::undo() { go(before_, after_); }

void History::redo() { go(after_, before_); }

void History::go(std::vector<Past>& from, std::vector<Past>& to) {
  if (from.empty()) return;
  to.push_back({std::move(now_), from.back().what});
  now_ = std::move(from.back().project);
  from.pop_back();
  kind_.clear();
}

void History::take_back() {
  if (before_.empty()) return;
  now_ = std::move(before_.back().project);
  before_.pop_back();
  kind_.clear();
}

}  // namespace sinew
