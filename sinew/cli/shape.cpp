// sinew shape: force rigs of a character (docs/shape_control.md).
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
#include "sinew/jobs/shape/component_file.h"
#include "sinew/jobs/shape/export_shapes.h"
#include "sinew/jobs/shape/fit_shape_file.h"
#include "sinew/jobs/shape_file.h"
#include "sinew/shape/presets.h"

namespace sinew::cli {
namespace {

struct ShapeOptions {
  std::string action, file, guide;
  std::vector<std::string> controls, at, amplitude, displacement, strain, stiffness, set, around, drag, feature, morphs;
  AddShapeJob job;
  FitShapeJob fit;
  DeployComponentJob deploy;
  std::string clip;
  std::filesystem::path output;  // of extract, transfer and export
  ExportShapesJob exported;
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
  if (numbers.empty() || text.ends_with(','))
    throw usage_error(option + ": '" + text + "' is no number, nor numbers with commas between them.");
  return numbers;
}

double one_number_from(const std::string& option, const std::string& text) {
  const std::vector<double> numbers = numbers_from(option, text);
  if (numbers.size() != 1) throw usage_error(option + ": '" + text + "' must be one number.");
  return numbers.front();
}

void print_added(const ShapeOptions& options, const AddedShape& added) {
  clear_progress();
  if (options.quiet) return;
  std::printf("%s\n", printable(added.size).c_str());
  for (const std::string& text : added.lines) std::printf("%s\n", printable(text).c_str());
  std::printf("written to %s; play it by sinew animate %s --shapes %s -o OUTPUT\n",
              printable(options.job.rigs.string()).c_str(), printable(options.file).c_str(),
              printable(options.job.rigs.string()).c_str());
}

Vec3 place_from(const std::string& option, const std::string& text) {
  const std::vector<double> numbers = numbers_from(option, text);
  if (numbers.size() != 3) throw usage_error(option + ": '" + text + "' is no place; write it as X,Y,Z in metres.");
  return {numbers[0], numbers[1], numbers[2]};
}

std::pair<Vec3, Vec3> places_from(const std::string& option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    throw usage_error(option + ": '" + text + "' is no point with a place; write it as X,Y,Z=X,Y,Z in metres.");
  return {place_from(option, text.substr(0, equals)), place_from(option, text.substr(equals + 1))};
}

ShapeRegion ball_from(const std::string& text) {
  const std::vector<double> numbers = numbers_from("--around", text);
  if (numbers.size() != 4 || !(numbers[3] > 0))
    throw usage_error("--around: '" + text + "' is no ball; write it as X,Y,Z,RADIUS in metres.");
  return {{numbers[0], numbers[1], numbers[2]}, numbers[3]};
}

void run_fit(const ShapeOptions& options) {
  FitShapeJob job = options.fit;
  job.input = options.file;
  job.rigs = options.job.rigs;
  job.name = options.job.name;
  job.size = options.size.asked();
  job.flesh = options.job.flesh;
  if (options.controls.size() > 1) throw usage_error("--control: a fitted rig has one control.");
  if (!options.controls.empty()) job.control = options.controls.front();
  if (options.at.size() > 1) throw usage_error("--at: one shape is fitted at a time.");
  if (!options.at.empty()) job.at = one_number_from("--at", options.at.front());
  if (!options.clip.empty()) job.pose.clip = options.clip;
  for (const std::string& text : options.around) job.regions.push_back(ball_from(text));
  for (const std::string& text : options.drag) job.drags.push_back(places_from("--drag", text));
  for (const std::string& text : options.feature) job.pose.features.push_back(places_from("--feature", text));
  catch_interrupts();
  const StopInLoops stop(terminal_progress(options.quiet));
  print_added(options, fit_shape(job, stop.progress()));
}

void run_extract(const ShapeOptions& options) {
  ExtractComponentJob job;
  job.input = options.file;
  job.rigs = options.job.rigs;
  job.size = options.size.asked();
  job.flesh = options.job.flesh;
  job.name = options.job.name;
  job.output = options.output;
  if (job.name.empty() || job.output.empty())
    throw usage_error("extract: name the rig by --name, and the component's file by -o.");
  if (options.around.size() > 1) throw usage_error("--around: a component is one ball.");
  for (const std::string& text : options.around) {
    const ShapeRegion ball = ball_from(text);
    job.centre = ball.centre;
    job.radius = ball.radius;
  }
  catch_interrupts();
  const StopInLoops stop(terminal_progress(options.quiet));
  const AddedShape added = extract_component_file(job, stop.progress());
  clear_progress();
  if (!options.quiet)
    for (const std::string& text : added.lines) std::printf("%s\n", printable(text).c_str());
}

void run_deploy(const ShapeOptions& options) {
  DeployComponentJob job = options.deploy;
  job.input = options.file;
  job.rigs = options.job.rigs;
  job.size = options.size.asked();
  job.flesh = options.job.flesh;
  job.name = options.job.name;
  if (job.component.empty()) throw usage_error("--component: name the component's file.");
  if (options.around.size() != 1) throw usage_error("--around: say where the component is put: X,Y,Z,RADIUS.");
  const ShapeRegion ball = ball_from(options.around.front());
  job.centre = ball.centre;
  job.radius = ball.radius;
  if (options.controls.size() > 1) throw usage_error("--control: a component has one control.");
  if (!options.controls.empty()) job.control = options.controls.front();
  catch_interrupts();
  const StopInLoops stop(terminal_progress(options.quiet));
  print_added(options, deploy_component_file(job, stop.progress()));
}

void run_export(const ShapeOptions& options) {
  ExportShapesJob job = options.exported;
  job.input = options.file;
  job.rigs = options.job.rigs;
  job.size = options.size.asked();
  job.flesh = options.job.flesh;
  job.output = options.output;
  if (job.output.empty()) throw usage_error("-o: name the character's file that is written (.glb, .gltf).");
  catch_interrupts();
  const StopInLoops stop(terminal_progress(options.quiet));
  const ExportedShapes exported = export_shapes(job, stop.progress());
  clear_progress();
  if (options.quiet) return;
  std::printf("%s\n", printable(exported.size).c_str());
  for (const std::string& text : exported.lines) std::printf("%s\n", printable(text).c_str());
  std::printf("written to %s, which plays without physics\n", printable(job.output.string()).c_str());
}

void run_from_morphs(const ShapeOptions& options) {
  const MorphsToForces job{options.file,      options.job.rigs, options.size.asked(),
                           options.job.flesh, options.morphs,   options.fit.smoothness};
  catch_interrupts();
  const StopInLoops stop(terminal_progress(options.quiet));
  print_added(options, shapes_from_morphs(job, stop.progress()));
}

void run_add(const ShapeOptions& options) {
  AddShapeJob job = options.job;
  job.input = options.file;
  job.size = options.size.asked();
  if (job.preset.empty() == job.kind.empty())
    throw usage_error("say what is added: --preset NAME, or --template NAME.");
  if (!options.guide.empty()) job.guide = guide_from(options.guide);
  job.controls = options.controls;
  if (!options.amplitude.empty() && !options.displacement.empty())
    throw usage_error("--amplitude: a rig has amplitudes or displacements, not both.");
  job.by_displacement = !options.displacement.empty();
  for (const std::string& text : options.at) job.at.push_back(numbers_from("--at", text));
  for (const std::string& text : job.by_displacement ? options.displacement : options.amplitude)
    job.amplitudes.push_back(one_number_from(job.by_displacement ? "--displacement" : "--amplitude", text));
  for (const std::string& text : options.strain) job.strains.push_back(one_number_from("--strain", text));
  for (const std::string& text : options.stiffness) job.stiffnesses.push_back(one_number_from("--stiffness", text));
  for (const std::string& text : options.set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
      throw usage_error("--set: '" + text + "' is no parameter with a value; write it as radius=0.1.");
    job.parameters.emplace_back(text.substr(0, equals), numbers_from("--set", text.substr(equals + 1)));
  }
  catch_interrupts();
  const StopInLoops stop(terminal_progress(options.quiet));
  print_added(options, add_shape(job, stop.progress()));
}

void run_shape(ShapeOptions& options) {
  if (options.action != "list" && options.action != "transfer" && options.job.rigs.empty())
    throw usage_error("--rig: name the file of rigs, which is made if it is not there.");
  if (options.action != "transfer" && !options.transfer.job.rigs.empty())
    throw usage_error("RIGS: only transfer takes a second file; `sinew shape add FILE --rig RIGS` adds to one.");
  if (options.action == "add") return run_add(options);
  if (options.action == "fit") return run_fit(options);
  if (options.action == "from-morphs") return run_from_morphs(options);
  if (options.action == "extract") return run_extract(options);
  if (options.action == "deploy") return run_deploy(options);
  if (options.action == "export") return run_export(options);
  if (options.action == "transfer") {
    TransferShapesJob job = options.transfer.job;
    job.source = options.file;
    job.source_size = options.size.asked();
    job.flesh = options.job.flesh;
    job.output = options.output;
    return run_transfer(job, options.quiet);
  }
  for (const std::string& text : list_shapes(options.file)) std::printf("%s\n", printable(text).c_str());
}

std::string preset_names() {
  std::string names;
  for (const ShapePreset& preset : shape_presets()) names += (names.empty() ? "" : ", ") + std::string(preset.name);
  return names;
}

}  // namespace

void add_shape(CommandLine& line) {
  Verb& verb =
      line.add_verb("shape", "ACTION FILE --rig RIGS", "Make force rigs that shape flesh: breathing, muscles, faces");
  const auto options = std::make_shared<ShapeOptions>();
  OptionSet& set = verb.options;
  set.add("ACTION", options->action,
          "add: adds a rig to a file; fit: finds forces for a target shape, or parameters for dragged points; "
          "from-morphs: makes morph targets forces; extract: takes the shape of a rig as a component; deploy: puts a "
          "component on the skin; transfer: carries rigs to another character; export: writes their shapes as morph "
          "targets "
          "that play without physics; list: says what is in a file")
      .one_of({"add", "fit", "from-morphs", "extract", "deploy", "transfer", "export", "list"})
      .required();
  set.add("FILE", options->file, "Character: .glb, .gltf or .vrm; for list, the file of rigs").required();
  set.add("--rig RIGS", options->job.rigs, "File of rigs to add to (.json); it is made if it is not there");
  set.add("--preset NAME", options->job.preset, "What is added: " + preset_names());
  set.add("--template NAME", options->job.kind, "Or a field of forces: bump, bulge, radial or torus");
  set.add("--name NAME", options->job.name, "Name of the rig; one of this name is replaced");
  set.add("--guide PLACE", options->guide,
          "Where it is: bone:NAME, skin:X,Y,Z (metres, at rest) or free (presets find it)");
  set.add("--target FILE", options->fit.target,
          "fit: the shape of the skin, a mesh (.glb, .gltf, .obj), or morph:NAME, a morph target of the character");
  set.add("--target-scale S", options->fit.target_scale, "0.01", "fit: the target's size, as a factor");
  set.add(
      "--pose JOINT=DEGREES", options->fit.pose.turns,
      "fit: turns a joint for the target's pose (elbow_l=90, or about one of its axes, elbow_l:x=90); several: once "
      "each");
  set.add("--clip NAME", options->clip, "fit: the target's pose is one of this clip");
  set.add("--time SECONDS", options->fit.pose.time, "1.5", "fit: at this time of it");
  set.add(
      "--feature X,Y,Z=X,Y,Z", options->feature,
      "fit: a point of the skin in that pose, and its place in the target: the pose is changed until at least three "
      "meet; several: once each");
  set.add("--smoothness SHARE", options->fit.smoothness, "0.1",
          "fit, from-morphs: detail below this share of the height is smoothed (noise of scans: 0.1)");
  set.add("--around X,Y,Z,RADIUS", options->around,
          "fit: only skin in this ball counts (metres, at rest); several: once each; extract, deploy: the patch");
  set.add("--component FILE", options->deploy.component, "deploy: the component (.json)");
  set.add("--spin DEGREES", options->deploy.spin, "15", "deploy: turns it about the skin's normal");
  set.add("--mirror", options->deploy.mirrored, "deploy: swaps left and right");
  set.add("--drag X,Y,Z=X,Y,Z", options->drag,
          "fit: a point of the skin, and where it is to be; the template of the rig NAME follows; several: once each");
  set.add("--fix PARAMETER", options->fit.fixed, "fit: keeps a parameter of the template; several: once each");
  set.add("--morph NAME", options->morphs, "from-morphs: only this morph target; several: once each");
  set.add("--tetrahedra N", options->job.flesh.tetrahedra, "20000", "Tetrahedra of the flesh in which rigs are tried");
  set.add("--lattice FILE", options->job.flesh.lattice.file,
          "Rigs are tried, and forces found, in flesh that moves in this control lattice: a file, or auto");
  set.add("--lattice-cells N", options->job.flesh.lattice.cells, "500", "Cells that auto aims at");
  set.add(
      "--control NAME", options->controls,
      "What drives it: a joint's angle in degrees (elbow_l, elbow_l:twist, elbow_l:x), a name of your own, or a morph "
      "target; several: once each");
  set.add("--at VALUE", options->at, "A sample: value of the control (0,90 for two); then what the rig does there:");
  set.add("--displacement METRES", options->displacement, "How far the skin moves at rest");
  set.add("--amplitude FORCE", options->amplitude, "Or the force, in newtons per cubic metre");
  set.add(
      "--strain STRETCH", options->strain,
      "Or beside it: the stretch of the flesh's natural shape along the template's x (0.8: a muscle that shortens)");
  set.add("--stiffness FACTOR", options->stiffness,
          "Or beside it: how much stiffer the flesh is in the template's middle");
  set.add("--balance FACTOR", options->job.balance, "2.5",
          "Flesh within so many times the template's radius is pushed against, so that it is shaped and not carried "
          "off; presets of faces do so (0: nothing is)");
  set.add("--set NAME=VALUE", options->set,
          "A parameter, for all samples or each (radius=0.1,0.12): radius, ring; on a bone slide, distance, orbit, "
          "spin; on skin depth, spin; free x, y, z, turn_x, turn_y, turn_z");
  set.add(
      "-o, --output OUTPUT", options->output,
      "transfer: the file of TARGET's rigs; extract: the component's file (.json); export: the character with morph "
      "targets (.glb, .gltf)");
  set.add("--report FILE", options->exported.report, "export: the targets and their errors (.json)");
  options->transfer.add_to(set);
  options->size.add_to(set);
  set.add("--quiet", options->quiet, "Print errors only");
  verb.action = [options] { run_shape(*options); };
}

}  // namespace sinew::cli
