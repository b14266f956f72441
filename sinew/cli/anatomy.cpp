// sinew anatomy FILE -o ANATOMY: the body plan of a character, and what of it is flesh, mostly bone, thin shell or a
// rigid thing.
#include <array>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "sinew/anatomy/anatomy.h"
#include "sinew/base/file.h"
#include "sinew/base/output_place.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/verbs.h"
#include "sinew/files/anatomy_json.h"
#include "sinew/jobs/anatomy_files.h"
#include "sinew/jobs/open_character.h"

namespace sinew::cli {
namespace {

struct AnatomyVerbOptions {
  std::string file;
  std::filesystem::path output, preview;
  SizeOptions size;
};

void run_anatomy(const AnatomyVerbOptions& options) {
  check_outputs_apart(std::array{options.output, options.preview}, std::array{std::filesystem::path(options.file)});
  const OpenedCharacter opened = open_character(options.file, options.size.asked());
  const SimulationSurface surface = simulation_surface(opened.character);
  const Anatomy anatomy = find_anatomy(surface);
  if (!options.output.empty()) write_text_file(options.output, anatomy_json(opened.character, surface, anatomy));
  if (!options.preview.empty()) write_png(options.preview, anatomy_picture(surface, anatomy));
  std::cout << anatomy_text(opened.character, surface, anatomy)
            << anatomy_changes(surface, anatomy, find_anatomy(surface, {}, Names::ignored));
}

}  // namespace

void add_anatomy(CommandLine& line) {
  Verb& verb = line.add_verb("anatomy", "FILE", "Tell what of a character is flesh, skull, sheet or rigid, and why");
  const auto options = std::make_shared<AnatomyVerbOptions>();
  OptionSet& set = verb.options;
  set.add("FILE", options->file, "Character: .glb, .gltf or .vrm").required();
  set.add("-o, --output FILE", options->output,
          "The same as a file to correct and to give to `animate --anatomy`: .json");
  set.add("--preview FILE", options->preview, "Picture of it: .png");
  options->size.add_to(set);
  verb.action = [options] { run_anatomy(*options); };
}

}  // namespace sinew::cli
