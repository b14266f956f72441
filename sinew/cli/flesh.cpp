// sinew flesh FILE -o MAP: the flesh that `animate` would give a character, to look at.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "sinew/base/output_place.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/setting_options.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/cook/flesh/anatomy_overrides.h"
#include "sinew/cook/flesh/prepare.h"
#include "sinew/jobs/flesh_map_files.h"
#include "sinew/jobs/open_character.h"

namespace sinew::cli {
namespace {

struct FleshVerbOptions {
  std::string file;
  std::filesystem::path output;
  SizeOptions size;
  SettingOptions settings;
  bool quiet = false;
};

void print_summary(const CookedFlesh& scene, const std::filesystem::path& output) {
  const FleshDescription& body = scene.body->description;
  const double deepest = *std::max_element(scene.map.depth.begin(), scene.map.depth.end());
  std::printf("%zu tetrahedra; flesh up to %.3g m deep, Young's modulus %.4g Pa, sags by %.3g m, swings at %.3g Hz\n",
              body.mesh.tetrahedra.size(), deepest, scene.material.young, scene.material.sag, scene.material.frequency);
  std::printf("written to %s\n", printable(output.string()).c_str());
}

void run_flesh(const FleshVerbOptions& options) {
  check_flesh_map_name(options.output);
  check_outputs_apart(std::array{options.output}, std::array{std::filesystem::path(options.file)});
  const FleshSettings settings = options.settings.settings<FleshSettings>("flesh");
  OpenedCharacter opened = open_character(options.file, options.size.asked());
  adopt_anatomy(opened.character, settings.anatomy);
  const Character& character = opened.character;
  catch_interrupts();
  const StopInLoops stop(terminal_progress(options.quiet));
  const CookedFlesh scene = in_context(options.file, "try another --tetrahedra or --cell-size",
                                       [&] { return prepare_flesh(character, settings, stop.progress()); });
  clear_progress();
  write_flesh_map(options.output, character, scene);
  if (options.quiet) return;
  std::cout << opened.size.sentence << '\n';
  for (const std::string& note : scene.notes) std::cout << "note: " << printable(note) << '\n';
  print_summary(scene, options.output);
}

}  // namespace

void add_flesh(CommandLine& line) {
  Verb& verb =
      line.add_verb("flesh", "FILE -o OUTPUT", "Show the flesh that a character gets: its depth, cores and stiffness");
  const auto options = std::make_shared<FleshVerbOptions>();
  OptionSet& set = verb.options;
  set.add("FILE", options->file, "Character: .glb, .gltf or .vrm").required();
  set.add("-o, --output FILE", options->output,
          "Result: .png (picture of the depth), .csv (depth of every vertex), .vtu, .msh or .mesh (body)")
      .required();
  options->size.add_to(set);
  set.add("--quiet", options->quiet, "Print errors only");
  options->settings.add_to(set, {{"flesh", "Flesh", settings_of(FleshSettings())}});
  verb.action = [options] { run_flesh(*options); };
}

}  // namespace sinew::cli
