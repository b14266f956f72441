#include "studio/server/project/trim_take.h"

#include <algorithm>
#include <utility>

namespace sinew::studio {
namespace {

// Actions in force at a moment of a take, as actions that begin then.
class StillActing {
 public:
  void add(const TimedAction& timed) {
    const Action& action = timed.action;
    switch (action.kind) {
      case Action::Kind::grab:
        actions_.push_back(timed);
        return;
      case Action::Kind::drag:
        if (const auto grab = grab_of(action.name); grab != actions_.end()) grab->action.target = action.target;
        return;
      case Action::Kind::release:
        if (const auto grab = grab_of(action.name); grab != actions_.end()) actions_.erase(grab);
        return;
      case Action::Kind::gravity:
      case Action::Kind::stiffness:
      case Action::Kind::damping:
      case Action::Kind::carry:
        std::erase_if(actions_, [&](const TimedAction& other) { return other.action.kind == action.kind; });
        actions_.push_back(timed);
        return;
      case Action::Kind::control:
      case Action::Kind::rig:
      case Action::Kind::activation:
      case Action::Kind::turn:
        std::erase_if(actions_, [&](const TimedAction& other) {
          return other.action.kind == action.kind && other.action.name == action.name;
        });
        actions_.push_back(timed);
        return;
      case Action::Kind::own_gravity:
        std::erase_if(actions_, [&](const TimedAction& other) { return other.action.kind == Action::Kind::gravity; });
        return;
      case Action::Kind::unturn:
        std::erase_if(actions_, [&](const TimedAction& other) {
          return other.action.kind == Action::Kind::turn && other.action.name == action.name;
        });
        return;
      case Action::Kind::point_force:
        actions_.push_back(timed);
        return;
    }
  }

  Take at(double time) const {
    Take still;
    for (TimedAction timed : actions_) {
      const bool is_load = kind_of(timed.action).load;
      timed.action.seconds -= time - timed.elapsed;
      if (is_load && timed.action.seconds <= 0) continue;
      if (!is_load) timed.action.seconds = std::max(0.0, timed.action.seconds);
      timed.elapsed = 0;
      still.push_back(std::move(timed));
    }
    return still;
  }

 private:
  Take::iterator grab_of(const std::string& name) {
    return std::find_if(actions_.begin(), actions_.end(), [&](const TimedAction& timed) {
      return timed.action.kind == Action::Kind::grab && timed.action.name == name;
    });
  }

  Take actions_;
};

}  // namespace

RecordedTake trimmed(const RecordedTake& take, double from, double to) {
  RecordedTake part{take.clip, std::min(take.seconds, to) - from, {}, take.begin + from};
  StillActing acting;
  auto next = take.actions.begin();
  for (; next != take.actions.end() && next->elapsed < from; ++next) acting.add(*next);
  part.actions = acting.at(from);
  for (; next != take.actions.end() && next->elapsed - from < part.seconds; ++next)
    part.actions.push_back({next->elapsed - from, next->action});
  return part;
}

}  // namespace sinew::studio
