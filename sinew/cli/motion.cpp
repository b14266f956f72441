// sinew motion ACTION FILE -o OUTPUT: new clips from those that a character has.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/number_text.h"
#include "sinew/base/printable.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/motion_react.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/verbs.h"
#include "sinew/jobs/motion/blend_motion.h"

namespace sinew::cli {
namespace {

struct MotionOptions {
  std::string action;
  std::vector<std::string> weight;
  BlendMotionJob job;
  ReactOptionWords react;
  SizeOptions size;
  bool quiet = false;
};

// "0.5", a constant, or "2:1", seconds and weight.
WeightKey weight_key(const std::string& text) {
  const auto number = [&](const std::string& word) {
    return number_from(word, {"--weight", "a number, or a time and a number", "0.5 or 0:0,2:1"});
  };
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return {0, number(text)};
  return {number(text.substr(0, colon)), number(text.substr(colon + 1))};
}

void run_blend(const MotionOptions& options) {
  BlendMotionJob job = options.job;
  if (job.clips.empty()) throw usage_error("--clips: name two clips to blend, as in Walk,Run.");
  job.size = options.size.asked();
  for (const std::string& text : options.weight) job.weight.push_back(weight_key(text));
  const BlendMotionReport report = blend_motion(job);
  if (options.quiet) return;
  for (const std::string& note : report.notes) std::printf("note: %s\n", printable(note).c_str());
  std::printf("%s: clip '%s', %.2f s%s\n", printable(job.output.string()).c_str(), printable(report.clip).c_str(),
              report.seconds, report.in_step ? ", in step" : "");
  if (!report.feet) return;
  std::printf("feet stand %d %s and slide by %.2f %% of the leg at most", report.feet->contacts,
              report.feet->contacts == 1 ? "time" : "times", 100 * report.feet->slide);
  if (report.feet->slide < report.feet->slide_before)
    std::printf(" (%.2f %% before they were held)", 100 * report.feet->slide_before);
  std::printf("\n");
}

void run_motion(const MotionOptions& options) {
  if (options.action == "blend") return run_blend(options);
  ReactOptionWords react = options.react;
  react.job.input = options.job.input;
  react.job.output = options.job.output;
  react.job.size = options.size.asked();
  react.job.seconds = options.job.seconds;
  react.job.frames_per_second = options.job.frames_per_second;
  react.job.name = options.job.name;
  run_react(react, options.quiet);
}

}  // namespace

void add_motion(CommandLine& line) {
  Verb& verb = line.add_verb("motion", "ACTION FILE -o OUTPUT", "Make new clips of those that a character has");
  const auto options = std::make_shared<MotionOptions>();
  BlendMotionJob& job = options->job;
  OptionSet& set = verb.options;
  set.add("ACTION", options->action,
          "blend: from one clip to another, or something of both; react: pushed, and falling")
      .one_of({"blend", "react"})
      .required();
  set.add("FILE", job.input, "Character with the clips: .glb, .gltf or .vrm").required();
  set.add("--clips NAME ...", job.clips, "Two clips, as in Walk,Run").separated_by_commas().group("blend");
  set.add("--weight KEY ...", options->weight,
          "Share of the second clip, 0 to 1, or seconds and shares: 0:0,2:1 goes over in two seconds (default 0.5)")
      .separated_by_commas()
      .group("blend");
  set.add("--seconds S", job.seconds, "2", "Length of the new clip (default: to the last key, or one cycle)")
      .between(0.01, 3600);
  set.add("--fps N", job.frames_per_second, "30", "Keys per second (default 30)").between(1, 1000);
  set.add("--mask JOINT ...", job.mask, "Only these joints, with all below them, take part in the second clip")
      .separated_by_commas()
      .group("blend");
  set.add("--additive", job.additive, "Add the second clip's changes to the first").group("blend");
  set.add("--name NAME", job.name, "Name of the new clip");
  set.add("-o, --output FILE", job.output, "Character with the new clip: .glb, .gltf or .vrm").required();
  add_react_options(set, options->react);
  options->size.add_to(set);
  set.add("--quiet", options->quiet, "Print errors only");
  verb.action = [options] { run_motion(*options); };
}

}  // namespace sinew::cli
