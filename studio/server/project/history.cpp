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

void History::act(Project next, const std::string& what, const std::string& kind, double time, std::uint64_t stroke) {
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

std::uint64_t History::last_cooked_act() const {
  const Project* after = &now_;
  for (auto past = before_.rbegin(); past != before_.rend(); ++past) {
    if (!cook_alike(*past->project, *after)) return past->act;
    after = past->project.get();
  }
  return 0;
}

bool History::take_back(std::uint64_t act) {
  const auto failed = std::find_if(before_.begin(), before_.end(), [&](const Past& past) { return past.act == act; });
  if (act == 0 || failed == before_.end()) return false;
  const std::shared_ptr<const Project> before = failed->project;
  for (auto later = failed + 1; later != before_.end(); ++later) {
    Project mended = *later->project;
    take_cooked(mended, *before);
    later->project = std::make_shared<const Project>(std::move(mended));
  }
  take_cooked(now_, *before);
  if (failed + 1 != before_.end())
    (failed + 1)->project = before;  // nothing but the failed act lies between the two
  else
    now_ = *before;
  before_.erase(failed);
  ++revision_;
  kind_.clear();
  return true;
}

}  // namespace sinew::studio
