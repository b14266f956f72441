// sinew bench mixed|capell|shi|rigspace [FILE...] -o FOLDER: experiments that compare a method with others, as tables and pictures.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "sinew/bake/mixed_proof/tables.h"
#include "sinew/base/error.h"
#include "sinew/cli/bench_session.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/nearest_word.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/io/mixed_proof_pictures.h"

namespace sinew::cli {
namespace {

std::string join(const std::vector<std::string>& words) {
  std::string result;
  for (const std::string& word : words) result += (result.empty() ? "" : ", ") + word;
  return result;
}

void run_bars(const BenchOptions& options, BenchSession& session) {
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

void run_joints(const BenchOptions& options, BenchSession& session) {
  std::vector<JointRun> runs;
  std::vector<std::string> names;
  for (const std::string& file : options.files) {
    const std::string name = printable(std::filesystem::path(file).stem().string());
    const JointExperiment experiment = joint_experiment(read_sized(file), name, {}, session.progress());
    runs.insert(runs.end(), experiment.runs.begin(), experiment.runs.end());
    // Files of one name in several folders.
    const auto before = std::count(names.begin(), names.end(), name);
    names.push_back(name);
    session.picture("mixed_joints_" + name + (before == 0 ? std::string() : std::string("_") + std::to_string(before + 1)),
                    [&] { return joint_picture(experiment); });
  }
  if (runs.empty()) return;
  session.show(joint_table(runs));
  session.keep(joint_frame_table(runs));
}

void bench_mixed(const BenchOptions& options, BenchSession& session) {
  if (!options.only.empty() && chosen(options, "joints") && options.files.empty())
    throw usage_error("joints are those of characters; name some files.");
  run_bars(options, session);
  if (chosen(options, "joints")) run_joints(options, session);
}

struct Proof {
  const char* method;
  std::vector<std::string> experiments;
  void (*run)(const BenchOptions& options, BenchSession& session);
};

const std::vector<Proof>& proofs() {
  static const std::vector<Proof> all{{"mixed", {"bend", "twist", "press", "free", "joints"}, bench_mixed},
                                      {"capell", capell_experiments(), bench_capell},
                                      {"shi", shi_experiments(), bench_shi},
                                      {"rigspace", rigspace_experiments(), bench_rigspace}};
  return all;
}

std::vector<std::string> proof_names() {
  std::vector<std::string> names;
  for (const Proof& proof : proofs()) names.push_back(proof.method);
  return names;
}

void run(const BenchOptions& options) {
  if (options.serve_seconds) return serve_bench_rig(options);
  const auto proof = std::find_if(proofs().begin(), proofs().end(),
                                  [&](const Proof& known) { return known.method == options.method; });
  if (proof == proofs().end()) {
    const std::string nearest = nearest_word(options.method, proof_names());
    throw usage_error("METHOD: '" + options.method + "' cannot be put to the proof" +
                      (nearest.empty() ? "; it can be " : ": did you mean " + nearest + "? It can be ") + join(proof_names()) + ".");
  }
  for (const std::string& only : options.only)
    if (std::find(proof->experiments.begin(), proof->experiments.end(), only) == proof->experiments.end())
      throw usage_error("--only " + only + ": bench " + options.method + " has no such experiment; it has " +
                        join(proof->experiments) + ".");
  catch_interrupts();
  BenchSession session(options);
  proof->run(options, session);
  session.write_tables(options.method);
}

}  // namespace

void add_bench(CommandLine& line) {
  Verb& verb = line.add_verb("bench", "METHOD [FILES]", "Compare a method with others: tables, and pictures in a folder");
  const auto options = std::make_shared<BenchOptions>();
  OptionSet& set = verb.options;
  set.add("METHOD", options->method, "What to put to the proof: " + join(proof_names())).required();
  set.add("FILES ...", options->files,
          "mixed: characters whose hip, shoulder and elbow are bent; capell: characters that turn their heads; shi: "
          "characters whose flesh is learned, FILE or FILE:LEARNED:UNSEEN with the names of two clips; rigspace: "
          "the folder of the sample rigs (default: samples/rigs)");
  set.add("-o, --output FOLDER", options->folder, "Folder for pictures (PNG) and METHOD.json");
  std::string help = "Run only these experiments, with commas between them:";
  for (const Proof& proof : proofs())
    help += std::string(&proof == &proofs().front() ? " " : "; ") + proof.method + ": " + join(proof.experiments);
  set.add("--only NAMES", options->only, help).separated_by_commas();
  set.add("--quiet", options->quiet, "Tables and errors only");
  set.add("--steps N", options->steps, "100", "rigspace: steps of each run, at most").between(2, 100000);
  set.add("--reference-steps N", options->reference_steps, "20",
          "rigspace: steps of the slow reference method, at most; 0 leaves it out")
      .between(0, 100000);
  set.add("--serve SECONDS", options->serve_seconds, "0.002", "Of rigspace, for itself: be a rig outside").hidden();
  verb.action = [options] { run(*options); };
}

}  // namespace sinew::cli
