// sinew check FILE: every defect of a character file and what Sinew does about it.
#include <algorithm>
#include <cstddef>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/character/defect_rank.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/cook/methods.h"
#include "sinew/jobs/check_file.h"

namespace sinew::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
  std::string file;
  bool json = false;
  bool all = false;
};

// Number of element indices printed as text; --all and --json give every one.
constexpr std::size_t elements_printed = 10;

Json describe(const Defect& defect) {
  Json entry;
  entry["name"] = defect.name;
  entry["where"] = defect.where;
  entry["kind"] = defect.kind;
  entry["elements"] = defect.elements;
  entry["action"] = defect.action;
  entry["fatal"] = defect.fatal;
  entry["rank"] = name_of(rank_of(defect));
  return entry;
}

void print(const Defect& defect, bool all) {
  std::cout << "- " << defect.name;
  if (!defect.where.empty()) std::cout << " in " << printable(defect.where);
  if (!defect.elements.empty()) {
    std::cout << " (" << defect.elements.size() << "): " << defect.kind;
    const std::size_t count = all ? defect.elements.size() : std::min(defect.elements.size(), elements_printed);
    for (std::size_t i = 0; i < count; ++i) std::cout << ' ' << defect.elements[i];
    if (count < defect.elements.size()) std::cout << " and " << defect.elements.size() - count << " more";
  }
  std::cout << ". " << printable(defect.action) << '\n';
}

std::string heading(DefectRank rank) {
  std::string text = name_of(rank) + std::string(":");
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string verdict(const FileCheck& check) {
  if (check.methods.front() != all_methods().front()->name())
    return "Sinew can animate this file with --method " + listed_methods(check.methods) +
           " only: it has a skeleton, but no skin weights.";
  return "Sinew can animate this file.";
}

void print(const CheckOptions& options, const FileCheck& check) {
  std::cout << printable(options.file) << '\n';
  for (const DefectRank rank : {DefectRank::must_be_mended, DefectRank::was_decided, DefectRank::fine}) {
    std::vector<const Defect*> defects;
    for (const Defect& defect : check.defects)
      if (rank_of(defect) == rank) defects.push_back(&defect);
    const bool decides = rank == DefectRank::was_decided && !check.decisions.empty();
    if (defects.empty() && !decides) {
      if (!check.refusal.empty()) continue;
      std::cout << heading(rank) << (rank == DefectRank::fine ? " everything else.\n" : " nothing.\n");
      continue;
    }
    std::cout << heading(rank) << '\n';
    if (decides)
      for (const Decision& decision : check.decisions)
        std::cout << "- " << decision.about << ": " << printable(decision.what) << '\n';
    for (const Defect* defect : defects) print(*defect, options.all);
  }
  if (check.refusal.empty()) std::cout << verdict(check) << '\n';
}

void print_json(const CheckOptions& options, const FileCheck& check) {
  const bool usable = check.refusal.empty();
  Json report;
  report["file"] = options.file;
  report["usable"] = usable;
  report[usable ? "size" : "error"] = usable ? check.size : check.refusal;
  report["methods"] = check.methods;
  report["decisions"] = Json::object();
  for (const Decision& decision : check.decisions) report["decisions"][decision.about] = decision.what;
  report["defects"] = Json::array();
  for (const Defect& defect : check.defects) report["defects"].push_back(describe(defect));
  std::cout << report.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void run_check(const CheckOptions& options) {
  catch_interrupts();
  const StopInLoops stop(terminal_progress(true));
  const FileCheck check = check_file(options.file, stop.progress());
  if (options.json)
    print_json(options, check);
  else if (!check.defects.empty() || check.refusal.empty())
    print(options, check);
  std::cout << std::flush;
  if (!check.refusal.empty()) throw input_error(check.refusal);
}

}  // namespace

void add_check(CommandLine& line) {
  Verb& verb = line.add_verb("check", "FILE", "Say what is wrong with a character file, and what Sinew does about it");
  const auto options = std::make_shared<CheckOptions>();
  verb.options.add("FILE", options->file, "A .glb, .gltf, .vrm or .obj file").required();
  verb.options.add("--json", options->json, "Print JSON");
  verb.options.add("--all", options->all, "Print every element number");
  verb.action = [options] { run_check(*options); };
}

}  // namespace sinew::cli
