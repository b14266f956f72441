// Undo and redo: the projects that were, which share all that did not change.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "studio/server/project.h"

namespace sinew {

class History {
 public:
  explicit History(Project project = {}) : now_(std::move(project)) {}

  const Project& now() const { return now_; }

  // `what`: for people, "look". Acts of one `kind` that follow each other within a moment, as a slider's, are one:
  // `time` in seconds. An empty kind stands for itself.
  void act(Project next, const std::string& what, const std::string& kind, double time);
  // What is not undone: a take that is being recorded grows.
  void amend(Project next) { now_ = std::move(next); }

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

 private:
  struct Past {
    Project project;
    std::string what;
  };

  // The latest of `from` is now, and what was now is the latest of `to`.
  void go(std::vector<Past>& from, std::vector<Past>& to);

  static constexpr std::size_t most = 2000;

  Project now_;
  std::vector<Past> before_, after_;  // the latest at the end
  std::string kind_;
  double time_ = -1e300;
};

}  // namespace sinew
