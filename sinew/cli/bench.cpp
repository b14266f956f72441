// sinew bench mixed [FILE...] -o FOLDER: experiments that compare a method with others, as tables and pictures.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "sinew/bake/mixed_proof/tables.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/defects.h"
#include "sinew/character/size.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/io/mixed_proof_pictures.h"
#include "sinew/io/read_character.h"
#include "sinew/io/table_json.h"

namespace sinew::cli {
namespace {

struct BenchOptions {
  std::string method, folder;
  std::vector<std::string> files, only;
  bool quiet = false;
};

const std::vector<std::string> experiments{"bend", "twist", "press", "free", "joints"};

bool chosen(const BenchOptions& options, const std::string& experiment) {
  return options.only.empty() || std::find(options.only.begin(), options.only.end(), experiment) != options.only.end();
}

class Session {
 public:
  explicit Session(const BenchOptions& options) : progress_(terminal_progress(options.quiet)) {
    if (options.folder.empty()) return;
    folder_ = options.folder;
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error || !std::filesystem::is_directory(folder_))
      throw usage_error(options.folder + ": cannot make this folder; give one that can be written to.");
  }

  const Progress& progress() const { return progress_; }

  // Prints the table at once, and keeps it for the file.
  void show(const Table& table) {
    clear_progress();
    std::printf("%s\n\n%s\n", table.title.c_str(), markdown(table).c_str());
    std::fflush(stdout);
    tables_.push_back(table);
  }
  void keep(const Table& table) { tables_.push_back(table); }

  template <class Draw>
  void picture(const std::string& name, const Draw& draw) const {
    if (!folder_.empty()) write_png(folder_ / (name + ".png"), draw());
  }
  void write_tables() const {
    if (!folder_.empty()) write_text_file(folder_ / "mixed.json", tables_json(tables_));
  }

 private:
  std::filesystem::path folder_;
  Progress progress_;
  std::vector<Table> tables_;
};

Character read_sized(const std::string& file) {
  Character character = read_character(file);
  refuse_fatal(file, find_defects(character));
  character.metres_per_unit = decide_size(character, {}, {}).metres_per_unit;
  return character;
}

void run_bars(const BenchOptions& options, Session& session) {
  const Bar bar = make_bar({});
  if (chosen(options, "bend")) {
    const std::vector<BendRun> runs = bend_experiment(bar, {}, session.progress());
    session.show(bend_table(runs));
    const auto picture = [&](const char* name, const auto& shown) {
      std::vector<BendRun> some;
      std::copy_if(runs.begin(), runs.end(), std::back_inserter(some), shown);
      session.picture(name, [&] { return bend_picture(bar, some); });
    };
    const auto is_quadratic = [](const BendRun& run) { return stretch_energy(run.material).quadratic; };
    picture("mixed_bend_fem", [&](const BendRun& run) { return !is_mixed(run.method); });
    picture("mixed_bend_linear", [&](const BendRun& run) { return is_mixed(run.method) && is_quadratic(run); });
    picture("mixed_bend_newton", [&](const BendRun& run) { return is_mixed(run.method) && !is_quadratic(run); });
  }
  if (chosen(options, "twist")) {
    const std::vector<TwistPose> poses = twist_experiment(bar, {}, session.progress());
    session.show(twist_table(poses));
    session.picture("mixed_twist", [&] { return twist_picture(bar, poses, 120); });
  }
  if (chosen(options, "press")) {
    const Bar fine = make_bar({36, 6, bar.width});
    const std::vector<PressPose> poses = press_experiment(fine, {}, session.progress());
    session.show(press_table(poses));
    session.picture("mixed_press", [&] { return press_picture(fine, poses); });
  }
  if (!chosen(options, "free")) return;
  std::vector<ReferenceRow> rows = reference_experiment(bar, {3e4, 0.45, 1000}, session.progress());
  for (const std::string& file : options.files) {
    const auto more = character_reference(read_sized(file), printable(std::filesystem::path(file).stem().string()),
                                          4000, session.progress());
    rows.insert(rows.end(), more.begin(), more.end());
  }
  session.show(reference_table(rows));
}

void run_joints(const BenchOptions& options, Session& session) {
  std::vector<JointRun> runs;
  std::vector<std::string> names;
  for (const std::string& file : options.files) {
    const std::string name = printable(std::filesystem::path(file).stem().string());
    const JointExperiment experiment = joint_experiment(read_sized(file), name, {}, session.progress());
    runs.insert(runs.end(), experiment.runs.begin(), experiment.runs.end());
    // Files of one name in several folders.
    const auto before = std::count(names.begin(), names.end(), name);
    names.push_back(name);
    session.picture("mixed_joints_" + name + (before == 0 ? "" : "_" + std::to_string(before + 1)),
                    [&] { return joint_picture(experiment); });
  }
  if (runs.empty()) return;
  session.show(joint_table(runs));
  session.keep(joint_frame_table(runs));
}

void run(const BenchOptions& options) {
  if (!options.only.empty() && chosen(options, "joints") && options.files.empty())
    throw usage_error("joints are those of characters; name some files.");
  catch_interrupts();
  Session session(options);
  run_bars(options, session);
  if (chosen(options, "joints")) run_joints(options, session);
  session.write_tables();
}

}  // namespace

void add_bench(CLI::App& app) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* verb = app.add_subcommand("bench", "Compare a method with others: tables, and pictures in a folder");
  verb->add_option("METHOD", options->method, "What to put to the proof: mixed")
      ->required()
      ->check(CLI::IsMember({"mixed"}));
  verb->add_option("FILES", options->files, "Characters whose hip, shoulder and elbow are bent");
  verb->add_option("-o,--output", options->folder, "Folder for pictures (PNG) and mixed.json");
  verb->add_option("--only", options->only,
                   "Run only these experiments, with commas between them: bend, twist, press, free, joints")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(experiments));
  verb->add_flag("--quiet", options->quiet, "Tables and errors only");
  verb->callback([options] { run(*options); });
}

}  // namespace sinew::cli
