// sinew flesh FILE -o MAP: the flesh that `animate` would give a character, to look at.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "sinew/bake/prepare.h"
#include "sinew/base/file.h"
#include "sinew/character/defects.h"
#include "sinew/character/size.h"
#include "sinew/cli/flesh_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/io/flesh_map_files.h"
#include "sinew/io/read_character.h"

namespace sinew::cli {
namespace {

struct Options {
  std::string file, unit;
  std::filesystem::path output;
  std::optional<double> height;
  BodyOptions body;
  DynamicsOptions dynamics;
  FleshOptions flesh;
};

void print_summary(const FleshScene& scene, const std::filesystem::path& output) {
  const FleshDescription& body = scene.body->description;
  const double deepest = *std::max_element(scene.map.depth.begin(), scene.map.depth.end());
  std::printf("%zu tetrahedra; flesh up to %.3g m deep, Young's modulus %.4g Pa, sags by %.3g m, swings at %.3g Hz\n",
              body.mesh.tetrahedra.size(), deepest, scene.material.young, scene.material.sag, scene.material.frequency);
  std::printf("written to %s\n", printable(output.string()).c_str());
}

void run(const Options& options) {
  check_flesh_map_name(options.output);
  const FleshSettings settings = options.flesh.settings(options.body, options.dynamics);
  const std::optional<double> unit = options.unit.empty() ? std::nullopt : std::optional(parse_unit(options.unit));
  Character character = read_character(options.file);
  refuse_fatal(options.file, find_defects(character));
  const SizeDecision size = decide_size(character, options.height, unit);
  character.metres_per_unit = size.metres_per_unit;
  catch_interrupts();
  const FleshScene scene = prepare_flesh(character, settings, terminal_progress(false));
  clear_progress();
  write_flesh_map(options.output, character, scene);
  std::cout << size.sentence << '\n';
  for (const std::string& note : scene.notes) std::cout << "note: " << printable(note) << '\n';
  print_summary(scene, options.output);
}

}  // namespace

void add_flesh(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("flesh", "Show the flesh that a character gets: its depth, cores and stiffness");
  verb->add_option("FILE", options->file, "Character: .glb, .gltf or .vrm")->required();
  verb->add_option("-o,--output", options->output,
                   "Result: .png (picture of the depth), .csv (depth of every vertex), .vtu, .msh or .mesh (body)")
      ->required();
  verb->add_option("--height", options->height, "Height of the character in metres");
  verb->add_option("--unit", options->unit, "Length of the file's unit: m, cm, mm, in, ft or metres");
  options->body.add_to(*verb);
  options->dynamics.add_to(*verb);
  options->flesh.add_to(*verb);
  verb->callback([options] { run(*options); });
}

}  // namespace sinew::cli
