#include "studio/server/project/uncooked_steps.h"

#include <algorithm>
#include <map>
#include <utility>

#include "studio/server/project/rebase_project.h"

namespace sinew::studio {
namespace {

void apply_step(History& history, Step& step) {
  const std::uint64_t latest = history.act_to_undo();
  switch (step.kind) {
    case StepKind::act:
      step.act = history.act(step.next, step.what, step.merge, step.time, step.stroke);
      step.continues = step.act == latest;
      break;
    case StepKind::undo:
      step.act = history.act_to_undo();
      history.undo();
      break;
    case StepKind::redo:
      step.act = history.act_to_redo();
      history.redo();
      break;
  }
  history.leave_out(step.lost);
  step.state = std::make_shared<const Project>(history.now());
}

// Takes a step on another state than before.
class Repetition {
 public:
  Repetition(History history, const std::function<bool(const Project&)>& sound)
      : history_(std::move(history)), sound_(sound) {}

  // `before` is the state that the step was taken on. Returns false if the step is impossible now.
  bool repeat(Step& step, const Project& before) {
    const auto known = numbers_.find(step.act);
    const std::uint64_t act = known == numbers_.end() ? step.act : known->second;
    if (step.kind == StepKind::undo && history_.act_to_undo() != act) return false;
    if (step.kind == StepKind::redo && history_.act_to_redo() != act) return false;
    if (step.kind == StepKind::act) step.next = rebased(before, step.next, history_.now());
    History next = history_;
    const std::uint64_t number = step.act;
    apply_step(next, step);
    if (!sound_(next.now())) return false;
    if (step.kind == StepKind::act) numbers_[number] = step.act;
    history_ = std::move(next);
    return true;
  }
  // The act belongs to a step that is not repeated, so that it is neither undone nor redone.
  void leave_out(const Step& step) {
    if (step.kind == StepKind::act && !step.continues) numbers_[step.act] = 0;
  }
  History& history() { return history_; }

 private:
  History history_;
  const std::function<bool(const Project&)>& sound_;
  std::map<std::uint64_t, std::uint64_t> numbers_;  // of acts: before, and now; 0: left out
};

}  // namespace

bool UncookedSteps::take(History& history, Step step, std::uint64_t request) {
  const bool may_cook = step.kind != StepKind::act || !cook_alike(history.now(), step.next);
  if (steps_.empty() && may_cook) played_ = history;
  const Project before = history.now();
  apply_step(history, step);
  const bool cooks = !cook_alike(before, history.now());
  if (cooks) step.request = request;
  if (cooks || !steps_.empty())
    steps_.push_back(std::move(step));
  else
    played_.reset();
  return cooks;
}

std::vector<std::size_t> UncookedSteps::to_cook() const {
  std::vector<std::size_t> steps;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    if (steps_[k].request != 0) steps.push_back(k);
    if (failed_ != 0 && steps_[k].request == failed_) break;
  }
  return steps;
}

void UncookedSteps::clear() {
  played_.reset();
  steps_.clear();
  failed_ = 0;
}

void UncookedSteps::cooked(std::uint64_t request) {
  std::size_t done = 0;
  for (std::size_t k = 0; k < steps_.size(); ++k)
    if (steps_[k].request != 0 && steps_[k].request <= request) done = k + 1;
  if (failed_ <= request) failed_ = 0;
  for (std::size_t k = 0; k < done; ++k) apply_step(*played_, steps_[k]);
  steps_.erase(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(done));
  if (to_cook().empty()) clear();
}

bool UncookedSteps::failed(std::uint64_t request, const std::string& sentence) {
  const bool known =
      std::any_of(steps_.begin(), steps_.end(), [&](const Step& step) { return step.request == request; });
  if (request == 0 || !known) return false;
  failed_ = request;
  sentence_ = sentence;
  return true;
}

const Step& UncookedSteps::last() const { return steps_[to_cook().back()]; }

std::vector<std::string> UncookedSteps::motions_added(std::uint64_t request) const {
  std::vector<std::string> added;
  if (!played_) return added;
  const Project* before = &played_->now();
  for (const Step& step : steps_) {
    if (step.request > request) break;
    for (const std::string& motion : step.state->motions)
      if (step.kind == StepKind::act &&
          std::find(before->motions.begin(), before->motions.end(), motion) == before->motions.end())
        added.push_back(motion);
    before = step.state.get();
  }
  return added;
}

const Step* UncookedSteps::next_try() const {
  const std::vector<std::size_t> open = to_cook();
  return open.size() < 2 ? nullptr : &steps_[open[(open.size() - 2) / 2]];
}

UncookedSteps::Dropped UncookedSteps::drop(History& history, const std::function<bool(const Project&)>& sound) {
  const std::size_t culprit = to_cook().back();
  Dropped dropped{steps_[culprit].kind, sentence_, failed_, failed_};
  Repetition repetition(*played_, sound);
  std::vector<Step> kept;
  std::shared_ptr<const Project> before = std::make_shared<const Project>(played_->now());
  bool dropping = false;
  for (std::size_t k = 0; k < steps_.size(); ++k) {
    Step step = steps_[k];
    dropping = k == culprit || (dropping && step.continues);
    if (dropping) dropped.last = std::max(dropped.last, step.request);
    if (!dropping && repetition.repeat(step, *before))
      kept.push_back(std::move(step));
    else
      repetition.leave_out(steps_[k]);
    before = steps_[k].state;
  }
  history.become(std::move(repetition.history()));
  steps_ = std::move(kept);
  failed_ = 0;
  if (to_cook().empty()) clear();
  return dropped;
}

}  // namespace sinew::studio
