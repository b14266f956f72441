#include "sinew/gltf/write/write_curves.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sinew/gltf/accessor.h"
#include "sinew/gltf/animation_target.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/gltf/write/write_morphs.h"
#include "sinew/gltf/write/write_weights.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

class CurvesWriter {
 public:
  explicit CurvesWriter(GltfEdit& edit) : edit_(edit) {}

  // Appends an animation of these channels and, if `whole`, of those of animation `source` that have other targets.
  void write(const Clip& clip, const std::string& name, int source, bool whole) {
    Json animation{{"name", name}, {"channels", Json::array()}, {"samplers", Json::array()}};
    std::set<std::pair<std::size_t, std::string>> taken;
    for (const Channel& channel : clip.channels) {
      const auto node = static_cast<std::size_t>(channel.joint);
      taken.emplace(node, name_of(channel.path));
      const std::vector<float> values(channel.values.begin(), channel.values.end());
      animation["channels"].push_back(Json{{"sampler", animation["samplers"].size()},
                                           {"target", Json{{"node", node}, {"path", name_of(channel.path)}}}});
      animation["samplers"].push_back(Json{{"input", times(single_precision_times(channel.times))},
                                           {"output", output(channel, values)},
                                           {"interpolation", "LINEAR"}});
    }
    if (whole && source >= 0) add_source(animation, static_cast<std::size_t>(source), taken);
    array_of(edit_.json(), "animations").push_back(std::move(animation));
  }

 private:
  std::size_t times(const std::vector<float>& keys) {
    const auto [entry, is_new] = times_.try_emplace(keys, 0);
    if (is_new) entry->second = edit_.add_scalars(keys, true);
    return entry->second;
  }

  std::size_t output(const Channel& channel, const std::vector<float>& values) {
    constexpr int float_component = 5126;
    const auto bytes = std::as_bytes(std::span(values));
    switch (channel.path) {
      case ChannelPath::rotation:
        return edit_.add_elements(bytes, float_component, "VEC4", values.size() / 4);
      case ChannelPath::weights:
        return edit_.add_elements(bytes, float_component, "SCALAR", values.size());
      default:
        return edit_.add_elements(bytes, float_component, "VEC3", values.size() / 3);
    }
  }

  void add_source(Json& animation, std::size_t source, const std::set<std::pair<std::size_t, std::string>>& taken) {
    const Json from = edit_.json()["animations"][source];
    for (const Json& channel : from["channels"]) {
      const std::optional<NodeTarget> target = node_target(channel["target"]);
      if (!target || taken.contains({target->node, target->path})) continue;
      Json copy = channel;
      copy["sampler"] = animation["samplers"].size();
      animation["samplers"].push_back(from["samplers"][channel["sampler"].get<std::size_t>()]);
      animation["channels"].push_back(std::move(copy));
    }
  }

  GltfEdit& edit_;
  std::map<std::vector<float>, std::size_t> times_;
};

std::string free_name(const std::vector<Clip>& clips, const std::string& wanted) {
  const auto taken = [&](const std::string& name) {
    return std::any_of(clips.begin(), clips.end(), [&](const Clip& clip) { return clip.name == name; });
  };
  std::string name = wanted;
  for (int number = 2; taken(name); ++number) name = wanted + "." + std::to_string(number);
  return name;
}

// The keyed and the new channels together.
Clip merged(const Clip* source, const Clip& clip) {
  Clip result = clip;
  if (!source) return result;
  for (const Channel& channel : source->channels)
    if (std::none_of(clip.channels.begin(), clip.channels.end(),
                     [&](const Channel& other) { return other.joint == channel.joint && other.path == channel.path; }))
      result.channels.push_back(channel);
  return result;
}

}  // namespace

FleshWriteReport write_gltf_with_curves(const GltfDocument& document, const Character& character,
                                        std::span<const WrittenCurves> curves, const MorphFitOptions& options,
                                        const std::filesystem::path& out) {
  check_gltf_output(document, out);
  // Displacement by layers is relative to the surface that keyed and new channels move together; its weights go into
  // the new clips.
  Character posed = character, shown = character;
  std::vector<Recording> recordings;
  for (const WrittenCurves& written : curves) {
    const Clip* source = written.source < 0 ? nullptr : &character.clips[static_cast<std::size_t>(written.source)];
    Clip clip = written.clip;
    clip.name = free_name(shown.clips, clip.name);
    posed.clips.push_back(merged(source, clip));
    shown.clips.push_back(written.whole ? merged(source, clip) : clip);
    if (written.layers.parts.empty()) continue;
    recordings.push_back(written.layers);
    recordings.back().clip = static_cast<int>(posed.clips.size()) - 1;
  }
  GltfEdit edit(document);
  AccessorReader reader(document);
  CurvesWriter writer(edit);
  for (std::size_t i = 0; i < curves.size(); ++i)
    writer.write(curves[i].clip, shown.clips[character.clips.size() + i].name, curves[i].source, curves[i].whole);

  FleshWriteReport report;
  if (!recordings.empty()) {
    const MorphFit fit = fit_morph_targets(posed, recordings, options);
    append_morphs(edit, reader, posed, fit);
    WeightsWriter weights(edit, reader, shown);
    for (std::size_t i = 0; i < recordings.size(); ++i) weights.write_recording(fit, recordings, i);
    weights.widen_other_animations(fit, recordings);
    report = morph_report(fit, document, options);
  }
  report.bytes_added = edit.added().size();
  report.bytes = write_gltf_files(edit, out);
  return report;
}

}  // namespace sinew
