// sinew check FILE: every defect of a character file and what Sinew does about it.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/bake/prepare_mixed.h"
#include "sinew/base/error.h"
#include "sinew/character/adopt_skeleton.h"
#include "sinew/character/defects.h"
#include "sinew/character/size.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/io/read_character.h"

namespace sinew::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CheckOptions {
  std::string file;
  bool json = false;
  bool all = false;
};

// So many element numbers are printed as text; --all and --json give every one.
constexpr std::size_t elements_printed = 10;

Json describe(const Defect& defect) {
  Json entry;
  entry["name"] = defect.name;
  entry["where"] = defect.where;
  entry["kind"] = defect.kind;
  entry["elements"] = defect.elements;
  entry["action"] = defect.action;
  entry["fatal"] = defect.fatal;
  return entry;
}

void print(const Defect& defect, bool all) {
  std::cout << (defect.fatal ? "FATAL " : "- ") << defect.name;
  if (!defect.where.empty()) std::cout << " in " << printable(defect.where);
  if (!defect.elements.empty()) {
    std::cout << " (" << defect.elements.size() << "): " << defect.kind;
    const std::size_t count = all ? defect.elements.size() : std::min(defect.elements.size(), elements_printed);
    for (std::size_t i = 0; i < count; ++i) std::cout << ' ' << defect.elements[i];
    if (count < defect.elements.size()) std::cout << " and " << defect.elements.size() - count << " more";
  }
  std::cout << ". " << defect.action << '\n';
}

// `methods`: those that can animate the file.
void print_json(const CheckOptions& options, bool usable, const std::string& sentence, const Json& methods,
                const std::vector<Defect>& defects) {
  Json report;
  report["file"] = options.file;
  report["usable"] = usable;
  report[usable ? "size" : "error"] = sentence;
  report["methods"] = methods;
  report["defects"] = Json::array();
  for (const Defect& defect : defects) report["defects"].push_back(describe(defect));
  std::cout << report.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

// What can be done with a file that nothing fatal is wrong with. `skeleton`: has joints that mixed elements can use.
std::string verdict(const Character& character, bool skeleton) {
  if (has_skin_weights(character)) return "Sinew can work with this file.";
  if (skeleton) return "Sinew can animate this file with --method mixed only: it has a skeleton, but no skin weights.";
  return "Sinew can fill this file's surface (`sinew volume`), but not animate it: nothing is bound to a skeleton.";
}

// Enough elements to see which parts hang together.
constexpr int tetrahedra_for_parts = 3000;

// Parts of the body of a character without skin weights that no bone reaches. False where it has no skeleton.
bool find_boneless_parts(Character character, std::vector<Defect>& defects) {
  try {
    character.metres_per_unit = decide_size(character, std::nullopt, std::nullopt).metres_per_unit;
    adopt_skeleton(character);
    MixedSettings settings;
    settings.tetrahedra = tetrahedra_for_parts;
    const MixedScene scene = prepare_mixed(character, settings);
    for (const BonelessPart& part : scene.pins.boneless_parts)
      defects.push_back({"part without a bone", "", "", {}, boneless_sentence(scene, part)});
    return true;
  } catch (const Error&) {
    return false;
  }
}

void append(std::vector<Defect>& defects, const std::vector<Defect>& more) {
  defects.insert(defects.end(), more.begin(), more.end());
}

void run(const CheckOptions& options) {
  std::vector<Defect> defects;
  Character character;
  try {
    character = read_character(options.file, &defects);
  } catch (const Error& error) {
    if (options.json && error.kind() == ErrorKind::input)
      print_json(options, false, error.what(), Json::array(), defects);
    throw;
  }
  append(defects, find_defects(character));
  append(defects, find_surface_defects(character));
  const bool fatal = std::any_of(defects.begin(), defects.end(), [](const Defect& defect) { return defect.fatal; });
  const bool skeleton = !fatal && !has_skin_weights(character) && find_boneless_parts(character, defects);
  if (!options.json) {
    std::cout << printable(options.file) << '\n';
    for (const Defect& defect : defects) print(defect, options.all);
  }
  try {
    refuse_fatal(options.file, defects);
  } catch (const Error& error) {
    if (options.json) print_json(options, false, error.what(), Json::array(), defects);
    throw;
  }
  const std::string size = decide_size(character, std::nullopt, std::nullopt).sentence;
  const Json methods = has_skin_weights(character) ? Json{"flesh", "mixed"} : skeleton ? Json{"mixed"} : Json::array();
  if (options.json)
    print_json(options, true, size, methods, defects);
  else
    std::cout << size << '\n' << verdict(character, skeleton) << '\n';
}

}  // namespace

void add_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* verb = app.add_subcommand("check", "List the defects of a character file and what Sinew does about them");
  verb->add_option("FILE", options->file, "A .glb, .gltf, .vrm or .obj file")->required();
  verb->add_flag("--json", options->json, "Print JSON");
  verb->add_flag("--all", options->all, "Print every element number");
  verb->callback([options] { run(*options); });
}

}  // namespace sinew::cli
