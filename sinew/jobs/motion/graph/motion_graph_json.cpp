#include "sinew/jobs/motion/graph/motion_graph_json.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "sinew/base/index.h"
#include "sinew/files/strict_json.h"
#include "sinew/jobs/motion/json_place.h"

namespace sinew {
namespace {

using GraphJson = nlohmann::ordered_json;

constexpr double farthest = 1e6;  // metres
constexpr double longest_clip = 1e5;
constexpr double degrees = 180 / std::numbers::pi;

std::string hexadecimal(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(value));
  return text;
}

std::uint64_t fingerprint_at(const JsonPlace& place) {
  const std::string text = place.text();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size() || text.size() != 16)
    place.fail("must be a fingerprint of 16 hexadecimal digits; make the graph anew");
  return value;
}

// Numbers that people read: a tenth of a millimetre and less.
double rounded(double value) { return std::round(value * 1e6) / 1e6; }

template <class Items, class Text>
std::string lines_of(const Items& items, const Text& text) {
  std::string result = "[";
  for (std::size_t k = 0; k < items.size(); ++k) result += (k ? ",\n    " : "\n    ") + text(k);
  return result + "\n  ]";
}

int frame_at_time(const JsonPlace& place, const MotionGraphFile& file, int clip) {
  const double seconds = place.number(-longest_clip, longest_clip);
  const double frame = (seconds - file.starts[index(clip)]) / file.steps[index(clip)];
  const GraphClip& own = file.graph.clips[index(clip)];
  const double most = own.loops ? own.frames - 1 : own.frames - 1 - file.graph.window;
  if (!(frame > -0.5 && frame < most + 0.5)) {
    char times[96];
    std::snprintf(times, sizeof(times), "%.4g to %.4g", file.starts[index(clip)],
                  file.starts[index(clip)] + std::max(0.0, most) * file.steps[index(clip)]);
    place.fail("must be a time at which a transition of '" + own.name + "' can begin, " + times + " s; correct it");
  }
  return static_cast<int>(std::lround(frame));
}

int clip_named(const JsonPlace& place, const MotionGraph& graph) {
  const std::string name = place.text();
  for (std::size_t c = 0; c < graph.clips.size(); ++c)
    if (graph.clips[c].name == name) return static_cast<int>(c);
  place.fail("is '" + name + "', which is no clip of the graph; name one of \"clips\"");
}

Vec3 on_ground(const JsonPlace& place, double most) {
  if (place.list_size() != 2) place.fail("must be a list of x and z");
  return {place[0].number(-most, most), 0, place[1].number(-most, most)};
}

// Names of the clips that are blended.
std::vector<std::string> names_at(const JsonPlace& place) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < place.list_size(); ++k) names.push_back(place[k].text());
  if (names.size() < 2) place.fail("must name two clips or more");
  return names;
}

GraphNode read_node(const JsonPlace& place) {
  place.need_object({"clips", "parameter", "samples"});
  GraphNode node;
  node.clips = names_at(place.member("clips"));
  const std::string parameter = place.member("parameter").text();
  if (parameter != "speed" && parameter != "turn") place.member("parameter").fail("must be speed or turn; correct it");
  node.by_turn = parameter == "turn";
  const JsonPlace samples = place.member("samples");
  for (std::size_t k = 0; k < samples.list_size(); ++k) {
    if (samples[k].list_size() != 3) samples[k].fail("must be a list of weight, speed and turn");
    node.table.push_back({samples[k][0].number(0, 1e6), samples[k][1].number(-farthest, farthest),
                          samples[k][2].number(-1e6, 1e6) / degrees});
  }
  return node;
}

void read_clip(const JsonPlace& place, MotionGraphFile& file) {
  place.need_object({"name", "keys", "loops", "start", "seconds", "frames", "travel", "blend"});
  GraphClip clip;
  clip.name = place.member("name").text();
  for (const GraphClip& other : file.graph.clips)
    if (other.name == clip.name) place.fail("has the name of another clip; each clip stands once in a graph");
  clip.loops = place.member("loops").truth();
  clip.frames = place.member("frames").whole(1, 10000000);
  clip.travel = on_ground(place.member("travel"), 1e4);
  if (place.has("blend")) {
    const JsonPlace blend = place.member("blend");
    blend.need_object({"clips", "weight"});
    clip.blend = names_at(blend.member("clips"));
    clip.weight = blend.member("weight").number(0, static_cast<double>(clip.blend.size()) - 1);
  }
  file.clips.push_back(fingerprint_at(place.member("keys")));
  file.starts.push_back(place.member("start").number(-longest_clip, longest_clip));
  const double seconds = place.member("seconds").number(0, longest_clip);
  file.steps.push_back(clip.loops ? seconds / clip.frames : 1 / file.graph.frames_per_second);
  if (!(file.steps.back() > 0)) place.member("seconds").fail("must be more than 0 for a clip that loops; correct it");
  file.graph.clips.push_back(clip);
}

GraphTransition read_transition(const JsonPlace& place, const MotionGraphFile& file) {
  place.need_object({"from", "at", "to", "enter", "turn", "move", "distance"});
  GraphTransition transition;
  transition.from = clip_named(place.member("from"), file.graph);
  transition.to = clip_named(place.member("to"), file.graph);
  transition.from_frame = frame_at_time(place.member("at"), file, transition.from);
  transition.to_frame = frame_at_time(place.member("enter"), file, transition.to);
  transition.motion.heading = place.member("turn").number(-360, 360) / degrees;
  transition.motion.place = on_ground(place.member("move"), farthest);
  transition.distance = place.member("distance").number(0, farthest);
  return transition;
}

}  // namespace

std::string motion_graph_json(const MotionGraphFile& file) {
  const MotionGraph& graph = file.graph;
  const auto clip_text = [&](std::size_t c) {
    const GraphClip& clip = graph.clips[c];
    const double seconds = clip.loops ? clip.frames * file.steps[c] : (clip.frames - 1) * file.steps[c];
    GraphJson json{{"name", clip.name},
                   {"keys", hexadecimal(file.clips[c])},
                   {"loops", clip.loops},
                   {"start", rounded(file.starts[c])},
                   {"seconds", rounded(seconds)},
                   {"frames", clip.frames},
                   {"travel", {rounded(clip.travel.x), rounded(clip.travel.z)}}};
    if (!clip.blend.empty()) json["blend"] = {{"clips", clip.blend}, {"weight", clip.weight}};
    return json.dump();
  };
  const auto transition_text = [&](std::size_t k) {
    const GraphTransition& each = graph.transitions[k];
    const auto time = [&](int clip, int frame) {
      // From the rounded numbers of the clip, so that a file that was read is written as it was.
      const GraphClip& own = graph.clips[index(clip)];
      const double step =
          own.loops ? rounded(own.frames * file.steps[index(clip)]) / own.frames : file.steps[index(clip)];
      return rounded(rounded(file.starts[index(clip)]) + frame * step);
    };
    return GraphJson{{"from", graph.clips[index(each.from)].name},
                     {"at", time(each.from, each.from_frame)},
                     {"to", graph.clips[index(each.to)].name},
                     {"enter", time(each.to, each.to_frame)},
                     {"turn", rounded(std::remainder(each.motion.heading * degrees, 360))},
                     {"move", {rounded(each.motion.place.x), rounded(each.motion.place.z)}},
                     {"distance", rounded(each.distance)}}
        .dump();
  };
  const auto node_text = [&](std::size_t n) {
    const GraphNode& node = graph.nodes[n];
    GraphJson samples = GraphJson::array();
    for (const BlendSample& each : node.table)
      samples.push_back({rounded(each.weight), rounded(each.speed), rounded(each.turn * degrees)});
    return GraphJson{{"clips", node.clips}, {"parameter", node.by_turn ? "turn" : "speed"}, {"samples", samples}}
        .dump();
  };
  const std::string nodes = graph.nodes.empty() ? "" : "  \"nodes\": " + lines_of(graph.nodes, node_text) + ",\n";
  const auto member = [](const char* key, const GraphJson& value) {
    return "  \"" + std::string(key) + "\": " + value.dump() + ",\n";
  };
  return "{\n" + member("version", motion_graph_version) + member("character", file.character) +
         member("metres_per_unit", file.metres_per_unit) + member("skeleton", hexadecimal(file.skeleton)) +
         member("frames_per_second", graph.frames_per_second) + member("window", graph.window) +
         member("threshold", rounded(graph.threshold)) + nodes + "  \"clips\": " + lines_of(graph.clips, clip_text) +
         ",\n  \"transitions\": " + lines_of(graph.transitions, transition_text) + "\n}\n";
}

MotionGraphFile motion_graph_from_json(std::string_view text, const std::string& name) {
  const GraphJson json = parse_strict_json(text, name, "make the graph anew with `sinew motion graph`");
  const JsonPlace place{&json, "", &name};
  place.need_object({"$schema", "comment", "version", "character", "metres_per_unit", "skeleton", "frames_per_second",
                     "window", "threshold", "nodes", "clips", "transitions"});
  if (const JsonPlace version = place.member("version"); version.number(0, 1e6) != motion_graph_version)
    version.fail("must be 1; make the graph anew with `sinew motion graph`");
  MotionGraphFile file;
  file.character = place.member("character").text();
  file.metres_per_unit = place.member("metres_per_unit").number(1e-9, 1e9);
  file.skeleton = fingerprint_at(place.member("skeleton"));
  file.graph.frames_per_second = place.member("frames_per_second").number(1, 1000);
  file.graph.window = place.member("window").whole(1, 10000);
  file.graph.threshold = place.member("threshold").number(0, farthest);
  if (place.has("nodes"))
    for (std::size_t n = 0; n < place.member("nodes").list_size(); ++n)
      file.graph.nodes.push_back(read_node(place.member("nodes")[n]));
  const JsonPlace clips = place.member("clips"), transitions = place.member("transitions");
  for (std::size_t c = 0; c < clips.list_size(); ++c) read_clip(clips[c], file);
  if (file.graph.clips.empty()) clips.fail("has no clip; make the graph anew with `sinew motion graph`");
  for (std::size_t k = 0; k < transitions.list_size(); ++k)
    file.graph.transitions.push_back(read_transition(transitions[k], file));
  return file;
}

}  // namespace sinew
