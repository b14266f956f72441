// sinew lattice FILE -o LATTICE: a control lattice around a character, or a check of one.
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/output_place.h"
#include "sinew/base/simulation_context.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/cook/lattice/build_lattice.h"
#include "sinew/cook/lattice/build_lattice_check.h"
#include "sinew/files/lattice_files.h"
#include "sinew/files/png.h"
#include "sinew/jobs/open_character.h"
#include "sinew/mesh/control_lattice/validity.h"
#include "sinew/picture/lattice.h"

namespace sinew::cli {
namespace {

struct LatticeOptions {
  std::string file, output, preview, check, skeleton;
  LatticeSettings settings;
  SizeOptions size;
  bool quiet = false;
};

struct LoadedCharacter {
  Character character;
  SimulationSurface surface;
  std::string size, skeleton;  // sentences about decisions; empty if there were none
};

LoadedCharacter load(const LatticeOptions& options) {
  OpenedCharacter opened = open_character(options.file, options.size.asked());
  LoadedCharacter loaded;
  loaded.character = std::move(opened.character);
  loaded.size = opened.size.sentence;
  loaded.skeleton = adopt_missing_skeleton(loaded.character, options.skeleton);
  loaded.surface = simulation_surface(loaded.character);
  return loaded;
}

void preview(const LatticeOptions& options, const SimulationSurface& surface, const ControlLattice& lattice) {
  if (!options.preview.empty()) write_png(options.preview, lattice_picture(surface.rest, lattice));
}

void print(const LatticeOptions& options, const LoadedCharacter& loaded, const BuiltLattice& built, double seconds) {
  const LatticeMeasures& m = built.measures;
  std::printf("%s\n", loaded.size.c_str());
  if (!loaded.skeleton.empty()) std::printf("%s\n", printable(loaded.skeleton).c_str());
  for (const std::string& note : built.notes) std::printf("note: %s\n", printable(note).c_str());
  std::printf("%zu cells, %zu vertices, %d %s; %d of %d bones in %zu chains of edges\n", m.cells, m.vertices,
              m.components, m.components == 1 ? "body" : "bodies", m.bones_followed, m.bones,
              built.lattice.bones.size());
  std::printf("dihedral angles %.1f to %.1f degrees; %.4g m^3, %.2f times the body; built in %.1f s\n",
              m.smallest_angle, m.largest_angle, m.volume, m.volume / m.body_volume, seconds);
  if (!options.output.empty()) std::printf("written to %s\n", printable(options.output).c_str());
  if (!options.preview.empty()) std::printf("picture in %s\n", printable(options.preview).c_str());
}

void build(const LatticeOptions& options) {
  if (options.output.empty() && options.preview.empty())
    throw usage_error("say where the lattice goes: -o LATTICE.json or .vtu, or --preview PICTURE.png.");
  if (!options.output.empty() && !is_standard_output(options.output) && !names_lattice(options.output))
    throw usage_error(options.output + ": the name of a lattice's file must end in .json or .vtu (ParaView).");
  check_outputs_apart(std::array{std::filesystem::path(options.output), std::filesystem::path(options.preview)},
                      std::array{std::filesystem::path(options.file)});
  const LoadedCharacter loaded = load(options);
  catch_interrupts();
  Stopwatch watch;
  const StopInLoops stop(terminal_progress(options.quiet));
  const BuiltLattice built = in_context(options.file, "run sinew check on it, or ask for other --cells", [&] {
    return build_lattice(loaded.character, loaded.surface, options.settings, stop.progress());
  });
  const double seconds = watch.lap();
  clear_progress();
  if (!options.output.empty()) write_lattice(options.output, built.lattice);
  preview(options, loaded.surface, built.lattice);
  if (!options.quiet) print(options, loaded, built, seconds);
}

// Lists all defects, then throws input_error with the first one, if any.
void refuse(const LatticeOptions& options, const LatticeDefects& defects, const char* verdict) {
  if (!defects.any()) return;
  for (const std::string& sentence : defects.sentences) std::cout << "- " << printable(sentence) << '\n';
  if (defects.count > defects.sentences.size())
    std::cout << "- and " << defects.count - defects.sentences.size() << " more\n";
  throw input_error(options.check + ": " + verdict);
}

void check(const LatticeOptions& options) {
  const ControlLattice lattice = read_lattice(options.check);
  if (!options.quiet)
    std::printf("%zu cells, %zu vertices, %zu chains of bones\n", lattice.cells(), lattice.positions.size(),
                lattice.bones.size());
  const LatticeValidity validity = check_lattice(lattice);
  refuse(options, validity.defects, "the lattice is invalid; correct the defects listed above.");
  if (!options.quiet) {
    if (!validity.overlapping_cells.empty())
      std::printf(
          "note: %zu pairs of cells overlap, the first cells %d and %d: fine for parts that are apart along the "
          "body\n",
          validity.overlapping_cells.size(), validity.overlapping_cells[0][0], validity.overlapping_cells[0][1]);
    if (!validity.hinge_edges.empty() || !validity.hinge_vertices.empty())
      std::printf("note: some cells share only an edge (%zu) or a vertex (%zu); the body bends there like a hinge\n",
                  validity.hinge_edges.size(), validity.hinge_vertices.size());
  }
  if (options.file.empty()) {
    if (!options.quiet) std::printf("the lattice is valid; name its character with --character to check the fit\n");
    return;
  }
  const LoadedCharacter loaded = load(options);
  preview(options, loaded.surface, lattice);
  const LatticeFit fit = check_fit(lattice, loaded.surface);
  refuse(options, fit.defects, "the lattice does not fit the character; correct the defects listed above.");
  if (options.quiet) return;
  if (fit.bones_missing > 0) std::printf("note: %d bones have no chain in the lattice\n", fit.bones_missing);
  std::printf("the lattice is valid and encloses %s\n", printable(options.file).c_str());
}

void run_lattice(const LatticeOptions& options) {
  if (!options.check.empty()) return check(options);
  if (options.file.empty()) throw usage_error("name the character to build a lattice for: sinew lattice FILE -o OUT.");
  build(options);
}

}  // namespace

void add_lattice(CommandLine& line) {
  Verb& verb =
      line.add_verb("lattice", "FILE -o LATTICE", "Build a control lattice around a character, along its bones");
  const auto options = std::make_shared<LatticeOptions>();
  OptionSet& set = verb.options;
  const Option& file = set.add("FILE", options->file, "Character: .glb, .gltf or .vrm");
  const Option& output = set.add("-o, --output FILE", options->output, "Lattice: .json (to edit) or .vtu (ParaView)");
  set.add("--cells N", options->settings.cells, "400", "Number of cells to aim at (default 400)");
  set.add("--preview FILE", options->preview, "Picture of the lattice over the surface, .png");
  set.add("--check LATTICE", options->check,
          "Check this lattice instead of building one; with --character, also whether it fits the character")
      .not_with(output);
  set.add("--character FILE", options->file, "The character, for --check").not_with(file);
  set.add("--skeleton JOINT", options->skeleton, "Topmost joint, for characters without skin weights");
  options->size.add_to(set);
  set.add("--quiet", options->quiet, "Print errors only");
  verb.action = [options] { run_lattice(*options); };
}

}  // namespace sinew::cli
