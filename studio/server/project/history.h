// Undo and redo: the projects that were, which share all that did not change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "studio/server/project/project.h"

namespace sinew::studio {

// A history as a line: states in their order, the acts between them, and which of the states is the present one.
struct HistoryLine {
  std::vector<std::shared_ptr<const Project>> states;  // one at least
  std::vector<std::string> acts;  // for people: act k leads from state k to the next; one less than states
  std::size_t at = 0;
};

class History {
 public:
  static constexpr std::size_t most = 2000;  // acts that can be undone

  explicit History(Project project = {}) : now_(std::move(project)) {}
  explicit History(const HistoryLine& line);

  const Project& now() const { return now_; }
  HistoryLine line() const;

  // `what`: for people, "look". Acts of one `kind` are one where they belong to one stroke, from a pointer's press to
  // its release; without strokes (0), where they follow each other within a moment, as a key's that is held: `time` in
  // seconds. An empty kind stands for itself.
  void act(Project next, const std::string& what, const std::string& kind, double time, std::uint64_t stroke = 0);

  bool can_undo() const { return !before_.empty(); }
  bool can_redo() const { return !after_.empty(); }
  void undo();  // if it can
  void redo();
  // As if the last act had never been: it came to nothing.
  void take_back();

  std::size_t undos() const { return before_.size(); }
  std::size_t redos() const { return after_.size(); }
  // What undo() would take back, and redo() do again.
  std::string what() const { return before_.empty() ? "" : before_.back().what; }
  std::string redo_what() const { return after_.empty() ? "" : after_.back().what; }
  // Grows with every change.
  std::uint64_t revision() const { return revision_; }

 private:
  struct Past {
    std::shared_ptr<const Project> project;
    std::string what;
  };

  // The latest of `from` is now, and what was now is the latest of `to`.
  void go(std::vector<Past>& from, std::vector<Past>& to);

  Project now_;
  std::vector<Past> before_, after_;  // the latest at the end
  std::string kind_;
  std::uint64_t stroke_ = 0, revision_ = 0;
  double time_ = -1e300;
};

}  // namespace sinew::studio
