// sinew compare A B: the distance between two moving surfaces, frame by frame, in numbers and pictures.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/output_place.h"
#include "sinew/base/simulation_context.h"
#include "sinew/character/choose_clip.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/verbs.h"
#include "sinew/jobs/animate/track.h"
#include "sinew/jobs/open_character.h"
#include "sinew/jobs/pictures/comparison_strip.h"

namespace sinew::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions {
  std::string a, b;
  std::filesystem::path character, preview;  // for the filmstrip
  std::vector<double> times;                 // seconds
  TrackOptions track;
  SizeOptions size;
  bool json = false, every_frame = false;
};

double percent(double metres, double height) { return height > 0 ? 100 * metres / height : 0; }

void print_answer(const TrackDifference& difference, bool every_frame) {
  const auto worst = std::max_element(difference.frames.begin(), difference.frames.end(),
                                      [](const FrameDifference& a, const FrameDifference& b) { return a.max < b.max; });
  if (!(difference.max > 0)) {
    std::printf("A and B are the same in all %zu frames.\n", difference.frames.size());
    return;
  }
  std::printf(
      "A and B are apart by %.4g %% of the height (RMS; %.4g mm), and at most by %.4g %% (%.4g mm), at %.4g s at "
      "vertex %zu.\n",
      percent(difference.rms, difference.height), 1e3 * difference.rms, percent(difference.max, difference.height),
      1e3 * difference.max, worst->time, worst->farthest);
  std::printf("The height is %.4g m, %zu frames were compared%s.\n", difference.height, difference.frames.size(),
              every_frame ? "" : "; --frames lists them");
}

void print_frames(const TrackDifference& difference) {
  std::printf("%8s %12s %12s %10s\n", "time s", "RMS %", "max %", "vertex");
  for (const FrameDifference& frame : difference.frames)
    std::printf("%8.4f %12.6f %12.6f %10zu\n", frame.time, percent(frame.rms, difference.height),
                percent(frame.max, difference.height), frame.farthest);
}

Json errors(double rms, double max, double height) {
  return Json{{"rms_metres", rms},
              {"rms_percent_of_height", percent(rms, height)},
              {"max_metres", max},
              {"max_percent_of_height", percent(max, height)}};
}

void print_json(const CompareOptions& options, const TrackDifference& difference) {
  Json json{{"a", options.a}, {"b", options.b}, {"height_metres", difference.height}};
  json.update(errors(difference.rms, difference.max, difference.height));
  json["frames"] = Json::array();
  for (const FrameDifference& frame : difference.frames) {
    Json entry{{"time", frame.time}};
    entry.update(errors(frame.rms, frame.max, difference.height));
    entry["farthest_vertex"] = frame.farthest;
    json["frames"].push_back(entry);
  }
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void check_preview(const CompareOptions& options) {
  if (options.preview.empty()) {
    if (!options.character.empty() || !options.times.empty())
      throw usage_error("--character and --times: describe a filmstrip; name its file with --preview.");
    return;
  }
  if (!is_standard_output(options.preview) && options.preview.extension() != ".png")
    throw usage_error(options.preview.string() + ": the filmstrip's name must end in .png.");
  if (options.character.empty())
    throw usage_error("--preview: the filmstrip needs the character that both files show; name it with --character.");
  check_outputs_apart(std::array{options.preview}, std::array{std::filesystem::path(options.a),
                                                              std::filesystem::path(options.b), options.character});
  check_can_write(options.preview, Content::binary);
}

// The rig, B, and A coloured by its distance from B.
void write_preview(const CompareOptions& options, const Track& a, const Track& b, const std::vector<double>& times) {
  const Character character =
      open_any_character(options.character, {options.track.height, options.track.unit}).character;
  const int clip = choose_clip(character, options.track.clip);
  const auto shown = [&](const std::string& file, const Track& track) {
    return ShownMotion{printable(std::filesystem::path(file).stem().string()),
                       recording_of(character, clip, track, times)};
  };
  ComparisonStripOptions strip;
  strip.times = options.times;
  write_png(options.preview, comparison_strip(character, shown(options.b, b), {shown(options.a, a)}, strip));
}

void run_compare(CompareOptions options) {
  options.track.height = options.size.height;
  options.track.unit = options.size.unit();
  check_preview(options);
  const Track a = read_track(options.a, options.track), b = read_track(options.b, options.track);
  const std::vector<double> times = common_times(a, b, options.track.frames_per_second);
  const TrackDifference difference = compare(a, b, times);
  if (!options.preview.empty())
    in_context(options.preview.string(), "name fewer --times", [&] { write_preview(options, a, b, times); });
  if (options.json) return print_json(options, difference);
  print_answer(difference, options.every_frame);
  if (options.every_frame) print_frames(difference);
}

}  // namespace

void add_compare(CommandLine& line) {
  Verb& verb = line.add_verb("compare", "A B", "Tell how far two moving surfaces are apart, in percent of the height");
  const auto options = std::make_shared<CompareOptions>();
  OptionSet& set = verb.options;
  set.add("A", options->a, "A character (.glb, .gltf, .vrm) or point cache (.pc2, .mdd)").required();
  set.add("B", options->b, "The other one").required();
  set.add(
      "--clip NAME", [options](const std::string& name) { options->track.clip = checked_clip(name); },
      "Clip by name or number (default: the first)");
  set.add("--fps N", options->track.frames_per_second, "30",
          "Frames per second: of PC2 files, and of the comparison where both are characters (default 30)");
  set.add("--preview FILE", options->preview,
          "Filmstrip to write (.png): the rig, B, and A; red where they are far from B");
  set.add("--character FILE", options->character, "Character of the filmstrip, as it was before there was flesh");
  set.add("--times SECONDS ...", options->times, "0.5",
          "Moments that the filmstrip shows (default: six lively ones of B)");
  options->size.add_to(set);
  set.add("--frames", options->every_frame, "Print every frame too");
  set.add("--json", options->json, "Print JSON");
  verb.action = [options] { run_compare(*options); };
}

}  // namespace sinew::cli
