// sinew shape add FILE --rig RIGS: a force rig or a preset for a character. sinew shape list RIGS: what is in a file.
// sinew shape transfer: transfer_options.h.
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include "sinew/base/error.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/transfer_options.h"
#include "sinew/cli/verbs.h"
#include "sinew/jobs/shape_file.h"
#include "sinew/shape/presets.h"

namespace sinew::cli {
namespace {

struct ShapeOptions {
  std::string action, file, guide;
  std::vector<std::string> controls, at, amplitude, displacement, set;
  AddShapeJob job;
  TransferOptions transfer;
  SizeOptions size;
  bool quiet = false;
};

std::vector<double> numbers_from(const std::string& option, const std::string& text) {
  std::vector<double> numbers;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    std::size_t read = 0;
    double value = NAN;
    try {
      value = std::stod(word, &read);
    } catch (const std::exception&) {
      read = 0;
    }
    if (read == 0 || read != word.size() || !std::isfinite(value))
      throw usage_error(option + ": '" + text + "' is no number, nor numbers with commas between them.");
    numbers.push_back(value);
  }
  return numbers;
}

void run_add(const ShapeOptions& options) {
  AddShapeJob job = options.job;
  job.input = options.file;
  job.size = options.size.asked();
  if (job.rigs.empty()) throw usage_error("--rig: name the file of rigs, which is made if it is not there.");
  if (job.preset.empty() == job.kind.empty())
    throw usage_error("say what is added: --preset NAME, or --template NAME.");
  if (!options.guide.empty()) job.guide = guide_from(options.guide);
  job.controls = options.controls;
  if (!options.amplitude.empty() && !options.displacement.empty())
    throw usage_error("--amplitude: a rig has amplitudes or displacements, not both.");
  job.by_displacement = !options.displacement.empty();
  for (const std::string& text : options.at) job.at.push_back(numbers_from("--at", text));
  for (const std::string& text : job.by_displacement ? options.displacement : options.amplitude)
    job.amplitudes.push_back(numbers_from(job.by_displacement ? "--displacement" : "--amplitude", text).front());
  for (const std::string& text : options.set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw usage_error("--set: '" + text + "' is no parameter with a value; write it as radius=0.1.");
    job.parameters.emplace_back(text.substr(0, equals), numbers_from("--set", text.substr(equals + 1)));
  }
  catch_interrupts();
  const StopInLoops stop(terminal_progress(options.quiet));
  const AddedShape added = add_shape(job, stop.progress());
  clear_progress();
  if (options.quiet) return;
  std::printf("%s\n", printable(added.size).c_str());
  for (const std::string& text : added.lines) std::printf("%s\n", printable(text).c_str());
  std::printf("written to %s; play it by sinew animate %s --shapes %s -o OUTPUT\n",
              printable(job.rigs.string()).c_str(), printable(options.file).c_str(),
              printable(job.rigs.string()).c_str());
}

void run_shape(ShapeOptions& options) {
  if (options.action != "transfer" && !options.transfer.job.rigs.empty())
    throw usage_error("RIGS: only transfer takes a second file; `sinew shape add FILE --rig RIGS` adds to one.");
  if (options.action == "add") return run_add(options);
  if (options.action == "transfer") return options.transfer.run(options.file, options.size.asked(), options.quiet);
  for (const std::string& text : list_shapes(options.file)) std::printf("%s\n", printable(text).c_str());
}

std::string preset_names() {
  std::string names;
  for (const ShapePreset& preset : shape_presets()) names += (names.empty() ? "" : ", ") + std::string(preset.name);
  return names;
}

}  // namespace

void add_shape(CommandLine& line) {
  Verb& verb = line.add_verb("shape", "add FILE --rig RIGS --preset NAME",
                             "Make force rigs that shape flesh: breathing, muscles, faces");
  const auto options = std::make_shared<ShapeOptions>();
  OptionSet& set = verb.options;
  set.add("ACTION", options->action,
          "add: adds a rig to a file; list: says what is in one; transfer: carries rigs to another character")
      .one_of({"add", "list", "transfer"})
      .required();
  set.add("FILE", options->file, "Character: .glb, .gltf or .vrm; for list, the file of rigs").required();
  set.add("--rig RIGS", options->job.rigs, "File of rigs to add to (.json); it is made if it is not there");
  set.add("--preset NAME", options->job.preset, "What is added: " + preset_names());
  set.add("--template NAME", options->job.kind, "Or a field of forces: bump, bulge, radial or torus");
  set.add("--name NAME", options->job.name, "Name of the rig; one of this name is replaced");
  set.add("--guide PLACE", options->guide,
          "Where it is: bone:NAME, skin:X,Y,Z (metres, at rest) or free (presets find it)");
  set.add(
      "--control NAME", options->controls,
      "What drives it: a joint's angle in degrees (elbow_l, elbow_l:twist, elbow_l:x), a name of your own, or a morph "
      "target; several: once each");
  set.add("--at VALUE", options->at, "A sample: value of the control (0,90 for two); then what the rig does there:");
  set.add("--displacement METRES", options->displacement, "How far the skin moves at rest");
  set.add("--amplitude FORCE", options->amplitude, "Or the force, in newtons per cubic metre");
  set.add("--set NAME=VALUE", options->set,
          "A parameter, for all samples or each (radius=0.1,0.12): radius, ring; on a bone slide, distance, orbit, "
          "spin; on "
          "skin depth, spin; free x, y, z, turn_x, turn_y, turn_z");
  options->transfer.add_to(set);
  options->size.add_to(set);
  set.add("--quiet", options->quiet, "Print errors only");
  verb.action = [options] { run_shape(*options); };
}

}  // namespace sinew::cli
