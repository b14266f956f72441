// sinew compare A B: how far two moving surfaces are apart, frame by frame, in numbers and pictures.
#include <CLI/CLI.hpp>

#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/character/size.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/io/choose_clip.h"
#include "sinew/io/comparison_strip.h"
#include "sinew/io/read_character.h"
#include "sinew/io/track.h"

namespace sinew::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CompareOptions {
  std::string a, b, unit;
  std::filesystem::path character, preview;  // of the filmstrip
  std::vector<double> times;                 // seconds
  TrackOptions track;
  bool json = false;
};

double percent(double metres, double height) { return height > 0 ? 100 * metres / height : 0; }

void print(const TrackDifference& difference) {
  std::printf("%8s %12s %12s %10s\n", "time s", "RMS %", "max %", "vertex");
  for (const FrameDifference& frame : difference.frames)
    std::printf("%8.4f %12.6f %12.6f %10zu\n", frame.time, percent(frame.rms, difference.height),
                percent(frame.max, difference.height), frame.farthest);
  std::printf("%8s %12.6f %12.6f   (%% of the height, %.4g m; %zu frames)\n", "all",
              percent(difference.rms, difference.height), percent(difference.max, difference.height), difference.height,
              difference.frames.size());
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
      throw usage_error("--character and --times: say what a filmstrip shows; name it with --preview.");
    return;
  }
  if (options.preview.extension() != ".png")
    throw usage_error(options.preview.string() + ": the filmstrip's name must end in .png.");
  if (options.character.empty())
    throw usage_error("--preview: the filmstrip needs the character that both files show; name it with --character.");
  const FileWriter probe(options.preview);  // throws where the folder takes no file; leaves none
}

// The rig, B, and A in the colours of its distance from B.
void write_preview(const CompareOptions& options, const Track& a, const Track& b, const std::vector<double>& times) {
  Character character = read_character(options.character);
  character.metres_per_unit = decide_size(character, options.track.height, options.track.unit).metres_per_unit;
  const int clip = choose_clip(character, options.track.clip);
  const auto shown = [&](const std::string& file, const Track& track) {
    return ShownMotion{printable(std::filesystem::path(file).stem().string()), recording_of(character, clip, track, times)};
  };
  ComparisonStripOptions strip;
  strip.times = options.times;
  write_png(options.preview, comparison_strip(character, shown(options.b, b), {shown(options.a, a)}, strip));
}

void run(CompareOptions options) {
  if (!options.unit.empty()) options.track.unit = parse_unit(options.unit);
  check_preview(options);
  const Track a = read_track(options.a, options.track), b = read_track(options.b, options.track);
  const std::vector<double> times = common_times(a, b, options.track.frames_per_second);
  const TrackDifference difference = compare(a, b, times);
  if (!options.preview.empty()) write_preview(options, a, b, times);
  if (options.json)
    print_json(options, difference);
  else
    print(difference);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* verb =
      app.add_subcommand("compare", "Tell how far two moving surfaces are apart, in percent of the height");
  verb->add_option("A", options->a, "A character (.glb, .gltf, .vrm) or point cache (.pc2, .mdd)")->required();
  verb->add_option("B", options->b, "The other one")->required();
  verb->add_option("--clip", options->track.clip, "Clip by name (default: the first)");
  verb->add_option("--fps", options->track.frames_per_second,
                   "Frames per second: of PC2 files, and of the comparison where both are characters (default 30)");
  verb->add_option("--preview", options->preview,
                   "Filmstrip to write (.png): the rig, B, and A; red where they are far from B");
  verb->add_option("--character", options->character, "Character of the filmstrip, as it was before there was flesh");
  verb->add_option("--times", options->times, "Seconds that the filmstrip shows (default: six lively moments of B)");
  verb->add_option("--height", options->track.height, "Height of the character in metres");
  verb->add_option("--unit", options->unit, "Length of a character's unit: m, cm, mm, in, ft or metres");
  verb->add_flag("--json", options->json, "Print JSON");
  verb->callback([options] { run(*options); });
}

}  // namespace sinew::cli
