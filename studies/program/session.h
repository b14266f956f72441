// Common parts of all studies: options, the output folder, and the tables that they print.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/files/png.h"
#include "studies/common/table.h"

namespace sinew::study {

struct StudyOptions {
  std::string folder;
  std::vector<std::string> files, only;
  bool quiet = false;
  std::optional<int> steps, reference_steps;  // of rigspace: fewer than the experiments take by default
};

bool chosen(const StudyOptions& options, const std::string& experiment);

class StudySession {
 public:
  // Creates the folder. Throws usage_error where it cannot.
  explicit StudySession(const StudyOptions& options);

  const Progress& progress() const { return progress_; }

  // Prints the table at once, and keeps it for the file.
  void show(const Table& table);
  void keep(const Table& table) { tables_.push_back(table); }

  template <class Draw>
  void picture(const std::string& name, const Draw& draw) const {
    if (!folder_.empty()) write_png(folder_ / (name + ".png"), draw());
  }
  void write_tables(const std::string& name) const;

 private:
  std::filesystem::path folder_;
  Progress progress_;
  std::vector<Table> tables_;
};

}  // namespace sinew::study
