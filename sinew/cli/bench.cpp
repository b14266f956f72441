// sinew bench mixed -o FOLDER: experiments that compare a method with others, as tables and pictures.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "sinew/bake/mixed_proof/tables.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/io/mixed_proof_pictures.h"
#include "sinew/io/table_json.h"

namespace sinew::cli {
namespace {

struct BenchOptions {
  std::string method;
  std::string folder;
  std::vector<std::string> only;
  bool quiet = false;
};

const std::vector<std::string> experiments{"bend", "twist", "free"};

std::filesystem::path ready_folder(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder))
    throw usage_error(folder + ": cannot make this folder; give one that can be written to.");
  return folder;
}

bool chosen(const BenchOptions& options, const std::string& experiment) {
  return options.only.empty() || std::find(options.only.begin(), options.only.end(), experiment) != options.only.end();
}

// Prints the table at once, and keeps it for the file.
void show(const Table& table, std::vector<Table>& tables) {
  clear_progress();
  std::printf("%s\n\n%s\n", table.title.c_str(), markdown(table).c_str());
  std::fflush(stdout);
  tables.push_back(table);
}

void run(const BenchOptions& options) {
  const std::filesystem::path folder = options.folder.empty() ? "" : ready_folder(options.folder);
  catch_interrupts();
  const Progress progress = terminal_progress(options.quiet);
  std::vector<Table> tables;
  const Bar bar = make_bar({});
  if (chosen(options, "bend")) {
    const std::vector<BendRun> runs = bend_experiment(bar, {}, progress);
    show(bend_table(runs), tables);
    if (!folder.empty()) write_png(folder / "mixed_bend.png", bend_picture(bar, runs));
  }
  if (chosen(options, "twist")) {
    const std::vector<TwistPose> poses = twist_experiment(bar, {}, progress);
    show(twist_table(poses), tables);
    if (!folder.empty()) write_png(folder / "mixed_twist.png", twist_picture(bar, poses, 120));
  }
  if (chosen(options, "free")) show(reference_table(reference_experiment(bar, {3e4, 0.45, 1000}, progress)), tables);
  if (!folder.empty()) write_text_file(folder / "mixed.json", tables_json(tables));
}

}  // namespace

void add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* verb = app.add_subcommand("bench", "Compare a method with others: tables, and pictures in a folder");
  verb->add_option("METHOD", options->method, "What to put to the proof: mixed")
      ->required()
      ->check(CLI::IsMember({"mixed"}));
  verb->add_option("-o,--output", options->folder, "Folder for pictures (PNG) and mixed.json");
  verb->add_option("--only", options->only, "Run only these experiments")->check(CLI::IsMember(experiments));
  verb->add_flag("--quiet", options->quiet, "Tables and errors only");
  verb->callback([options] { run(*options); });
}

}  // namespace sinew::cli
