#include "studio/server/project/history.h"

#include <algorithm>

namespace sinew::studio {
namespace {

constexpr double moment = 0.8;  // seconds

}  // namespace

History::History(const HistoryLine& line) : now_(*line.states[line.at]) {
  for (std::size_t k = line.at > most ? line.at - most : 0; k < line.at; ++k)
    before_.push_back({line.states[k], line.acts[k], ++acts_});
  for (std::size_t k = line.states.size(); k-- > line.at + 1;)
    after_.push_back({line.states[k], line.acts[k - 1], ++acts_});
}

HistoryLine History::line() const {
  HistoryLine line;
  for (const Past& past : before_) {
    line.states.push_back(past.project);
    line.acts.push_back(past.what);
  }
  line.at = line.states.size();
  line.states.push_back(std::make_shared<const Project>(now_));
  for (auto past = after_.rbegin(); past != after_.rend(); ++past) {
    line.states.push_back(past->project);
    line.acts.push_back(past->what);
  }
  return line;
}

std::uint64_t History::act(Project next, const std::string& what, const std::string& kind, double time,
                           std::uint64_t stroke) {
  const bool together = stroke == stroke_ && (stroke != 0 || time - time_ < moment);
  const bool goes_on = !kind.empty() && kind == kind_ && together && !before_.empty();
  if (!goes_on) before_.push_back({std::make_shared<const Project>(std::move(now_)), what, ++acts_});
  if (before_.size() > most) before_.erase(before_.begin());
  now_ = std::move(next);
  after_.clear();
  ++revision_;
  kind_ = kind;
  stroke_ = stroke;
  time_ = time;
  return act_to_undo();
}

void History::undo() { go(before_, after_); }

void History::redo() { go(after_, before_); }

void History::go(std::vector<Past>& from, std::vector<Past>& to) {
  if (from.empty()) return;
  to.push_back({std::make_shared<const Project>(std::move(now_)), from.back().what, from.back().act});
  now_ = *from.back().project;
  from.pop_back();
  ++revision_;
  kind_.clear();
}

void History::leave_out(const std::vector<std::string>& motions) {
  if (motions.empty()) return;
  leave_out_motions(motions, now_);
  ++revision_;
}

void History::become(History other) {
  const std::uint64_t revision = std::max(revision_, other.revision_);
  *this = std::move(other);
  revision_ = revision + 1;
}

}  // namespace sinew::studio
