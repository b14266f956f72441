// The steps in a history since the state that plays, and which of them to take back where they cannot be cooked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "studio/server/project/history.h"

namespace sinew::studio {

enum class StepKind { act, undo, redo };

struct Step {
  StepKind kind = StepKind::act;
  Project next{};               // acts: as in History::act(), like the four members below
  std::string what{}, merge{};  // `merge` is the kind of act in History::act()
  double time = 0;              // seconds
  std::uint64_t stroke = 0;
  std::vector<std::string> lost{};  // undos and redos: motions that the state is left without (History::leave_out())

  // UncookedSteps sets what follows.
  std::uint64_t request = 0;  // number of the cook request that the step makes; 0: it changes nothing cooked
  std::uint64_t act = 0;      // number of the act (History) that is done, undone or redone
  bool continues = false;     // the act was merged with the one before
  std::shared_ptr<const Project> state{};  // after the step
};

// While a state is cooked, more steps may be taken. If one fails, earlier states are tried (next_try(), failed() and
// cooked(), by bisection) until the first step is known whose state cannot be cooked; drop() makes the history as if
// this step had never been taken.
class UncookedSteps {
 public:
  // Applies a step to the history and returns true if what is cooked changes, so that `request` is to be made.
  bool take(History& history, Step step, std::uint64_t request);

  // The state after the step of this request plays.
  void cooked(std::uint64_t request);
  // The state after the step of this request cannot be cooked. Returns false if no such step is left.
  bool failed(std::uint64_t request, const std::string& sentence);

  bool empty() const { return steps_.empty(); }
  bool has_failed() const { return failed_ != 0; }
  // The last step that is to be cooked. There must be one.
  const Step& last() const;
  // Motions that acts have added, of those up to this request, in their order.
  std::vector<std::string> motions_added(std::uint64_t request) const;
  // After a failure: the step whose state is to be tried next; null if the step that failed is known.
  const Step* next_try() const;

  struct Dropped {
    StepKind kind = StepKind::act;
    std::string sentence;
    std::uint64_t first = 0, last = 0;  // requests of the step, and of those that continued its stroke
  };
  // Drops the step that failed, and makes `history` what the others give. A step that leads to a state that is not
  // `sound` (that has impossible settings) is dropped too.
  Dropped drop(History& history, const std::function<bool(const Project&)>& sound);
  void clear();

 private:
  std::vector<std::size_t> to_cook() const;  // indices of steps with requests, up to the one that failed if any

  std::optional<History> played_;  // as of the state that plays; present while there are steps
  std::vector<Step> steps_;
  std::uint64_t failed_ = 0;  // request of the first step known to fail; 0: none
  std::string sentence_;      // says why it failed
};

}  // namespace sinew::studio
