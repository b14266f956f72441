// What all experiments of `sinew bench` share: options, the folder they write to, tables as they are printed.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sinew/bake/table.h"
#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/io/png.h"

namespace sinew::cli {

struct BenchOptions {
  std::string method, folder;
  std::vector<std::string> files, only;
  bool quiet = false;
  std::optional<int> steps, reference_steps;  // fewer than an experiment takes by itself
  std::optional<double> serve_seconds;  // be a rig outside, whose evaluations last so long
};

bool chosen(const BenchOptions& options, const std::string& experiment);

class BenchSession {
 public:
  // Makes the folder. Throws usage_error where it cannot.
  explicit BenchSession(const BenchOptions& options);

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

// A character in metres. Throws input_error where it has fatal defects.
Character read_sized(const std::string& file);

// bench_capell.cpp
std::vector<std::string> capell_experiments();
void bench_capell(const BenchOptions& options, BenchSession& session);

// bench_shi.cpp
std::vector<std::string> shi_experiments();
void bench_shi(const BenchOptions& options, BenchSession& session);

// bench_rigspace.cpp
std::vector<std::string> rigspace_experiments();
void bench_rigspace(const BenchOptions& options, BenchSession& session);
void serve_bench_rig(const BenchOptions& options);

}  // namespace sinew::cli
