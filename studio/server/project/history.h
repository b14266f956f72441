// Undo and redo as a list of earlier and later projects, which share unchanged data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "studio/server/project/project.h"

namespace sinew::studio {

// A history as a line: states in order, the acts between them, and the index of the present state.
struct HistoryLine {
  std::vector<std::shared_ptr<const Project>> states;  // at least one
  std::vector<std::string> acts;                       // for the user: act k leads from state k to state k + 1
  std::size_t at = 0;
};

class History {
 public:
  static constexpr std::size_t most = 2000;  // acts that can be undone

  explicit History(Project project = {}) : now_(std::move(project)) {}
  explicit History(const HistoryLine& line);

  const Project& now() const { return now_; }
  HistoryLine line() const;

  // Adds an act. `what` is its name for the user, e.g. "look". Acts of the same `kind` are merged if they belong to the
  // same `stroke` (from a pointer's press to its release) or, without strokes (0), if they follow within a moment, as
  // from a key that is held. `time` is in seconds. Acts of an empty kind are never merged.
  // Returns the number of the act.
  std::uint64_t act(Project next, const std::string& what, const std::string& kind, double time,
                    std::uint64_t stroke = 0);

  bool can_undo() const { return !before_.empty(); }
  bool can_redo() const { return !after_.empty(); }
  void undo();  // does nothing if it cannot
  void redo();
  // Takes motions, or their map, out of the present state. It is no act.
  void leave_out(const std::vector<std::string>& motions);
  // The states that undo() and redo() lead to. There must be one.
  const Project& undone() const { return *before_.back().project; }
  const Project& redone() const { return *after_.back().project; }
  // Numbers of the acts that undo() and redo() would affect, from 1 on; 0: none.
  std::uint64_t act_to_undo() const { return before_.empty() ? 0 : before_.back().act; }
  std::uint64_t act_to_redo() const { return after_.empty() ? 0 : after_.back().act; }
  // Becomes another history; revision() goes on.
  void become(History other);

  std::size_t undos() const { return before_.size(); }
  std::size_t redos() const { return after_.size(); }
  // Names of the acts that undo() and redo() would affect.
  std::string what() const { return before_.empty() ? "" : before_.back().what; }
  std::string redo_what() const { return after_.empty() ? "" : after_.back().what; }
  // Rises with every change.
  std::uint64_t revision() const { return revision_; }

 private:
  struct Past {
    std::shared_ptr<const Project> project;
    std::string what;
    std::uint64_t act = 0;  // number of the act, from 1 on
  };

  // Makes the last state of `from` the present one and appends the present one to `to`.
  void go(std::vector<Past>& from, std::vector<Past>& to);

  Project now_;
  std::vector<Past> before_, after_;  // the nearest to the present at the end
  std::string kind_;
  std::uint64_t stroke_ = 0, revision_ = 0, acts_ = 0;
  double time_ = -1e300;
};

}  // namespace sinew::studio
