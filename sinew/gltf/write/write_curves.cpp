#include "sinew/gltf/write/write_curves.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sinew/gltf/accessor.h"
#include "sinew/gltf/write/write_channels.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_edit.h"
#include "sinew/gltf/write/write_morphs.h"
#include "sinew/gltf/write/write_weights.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

// Appends an animation of the clip's channels and, if `whole`, of those of animation `source` that have other targets.
void append_animation(const Clip& clip, const std::string& name, int source, bool whole, ChannelsWriter& writer,
                      Json& animations) {
  Json animation{{"name", name}, {"channels", Json::array()}, {"samplers", Json::array()}};
  if (whole && source >= 0)
    for (const char* part : {"channels", "samplers"})
      animation[part] = animations[static_cast<std::size_t>(source)][part];
  writer.write(clip.channels, animation);
  animations.push_back(std::move(animation));
}

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
  ChannelsWriter writer(edit);
  for (std::size_t i = 0; i < curves.size(); ++i)
    append_animation(curves[i].clip, shown.clips[character.clips.size() + i].name, curves[i].source, curves[i].whole,
                     writer, array_of(edit.json(), "animations"));

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
