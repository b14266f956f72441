#include "sinew/gltf/write/write_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "sinew/gltf/animation_target.h"

namespace sinew {
namespace {

using Json = nlohmann::json;

// Interval before a step at which the previous value gets its own key, relative to the key's time, or seconds. Times
// nearer to a key than this count as the key's (character/channel.cpp).
constexpr double before_step = 4e-6;

const Channel* weights_channel(const Clip* clip, int joint) {
  if (!clip) return nullptr;
  for (const Channel& channel : clip->channels)
    if (channel.joint == joint && channel.path == ChannelPath::weights) return &channel;
  return nullptr;
}

// Recorded times merged with the old channel's keys, with an extra key just before each step.
std::vector<double> merged_times(std::span<const double> recorded, const Channel* old) {
  std::vector<double> times;
  if (old) {
    for (std::size_t k = 0; k < old->times.size(); ++k) {
      if (old->interpolation == Interpolation::step && k > 0)
        times.push_back(old->times[k] - before_step * std::max(1.0, std::abs(old->times[k])));
      times.push_back(old->times[k]);
    }
  }
  const std::vector<double> keys = times;
  for (double time : recorded) {
    // A frame that almost coincides with a key needs no key of its own.
    const double near = 1e-6 * std::max(1.0, std::abs(time));
    const auto next = std::lower_bound(keys.begin(), keys.end(), time - near);
    if (next == keys.end() || *next > time + near) times.push_back(time);
  }
  std::sort(times.begin(), times.end());
  return times;
}

// Weights of all targets at one time, linear between frames (frames x targets, row by row).
void append_interpolated(std::span<const double> times, std::span<const float> weights, double time,
                         std::vector<float>& out) {
  const std::size_t targets = weights.size() / times.size();
  const auto after = std::upper_bound(times.begin(), times.end(), time);
  const auto next = static_cast<std::size_t>(after - times.begin());
  const std::size_t first = next == 0 ? 0 : next - 1, second = std::min(next, times.size() - 1);
  const double part = second > first ? (time - times[first]) / (times[second] - times[first]) : 0;
  for (std::size_t k = 0; k < targets; ++k) {
    const auto a = static_cast<double>(weights[first * targets + k]),
               b = static_cast<double>(weights[second * targets + k]);
    out.push_back(static_cast<float>(a + part * (b - a)));
  }
}

Json* find_weights_channel(Json& animation, std::size_t node) {
  for (Json& channel : animation["channels"])
    if (node_target(channel["target"]) == NodeTarget{node, "weights"}) return &channel;
  return nullptr;
}

// A copy of the channel's sampler for its exclusive use.
Json& own_sampler(Json& animation, Json& channel) {
  const auto index = channel["sampler"].get<std::size_t>();
  std::size_t users = 0;
  for (const Json& other : animation["channels"])
    if (other["sampler"].get<std::size_t>() == index) ++users;
  Json& samplers = animation["samplers"];
  if (users == 1) return samplers[index];
  samplers.push_back(Json(samplers[index]));
  channel["sampler"] = samplers.size() - 1;
  return samplers.back();
}

Json& sampler_for_weights(Json& animation, std::size_t node) {
  if (Json* channel = find_weights_channel(animation, node)) return own_sampler(animation, *channel);
  Json& samplers = array_of(animation, "samplers");
  samplers.push_back(Json::object());
  array_of(animation, "channels")
      .push_back(Json{{"sampler", samplers.size() - 1}, {"target", Json{{"node", node}, {"path", "weights"}}}});
  return samplers.back();
}

}  // namespace

std::vector<float> single_precision_times(const std::vector<double>& times) {
  std::vector<float> floats(times.begin(), times.end());
  for (std::size_t i = floats.size(); i-- > 1;)
    if (floats[i - 1] >= floats[i]) floats[i - 1] = std::nextafter(floats[i], -std::numeric_limits<float>::infinity());
  return floats;
}

std::size_t WeightsWriter::times(const std::vector<double>& seconds) {
  const auto [entry, is_new] = times_.try_emplace(single_precision_times(seconds), 0);
  if (is_new) entry->second = edit_->add_scalars(entry->first, true);
  return entry->second;
}

std::size_t WeightsWriter::animation_of(const Recording& recording) {
  if (recording.clip >= 0) return static_cast<std::size_t>(recording.clip);
  if (rest_animation_) return *rest_animation_;
  Json& animations = array_of(edit_->json(), "animations");
  animations.push_back(Json{{"name", flesh_at_rest}, {"channels", Json::array()}, {"samplers", Json::array()}});
  rest_animation_ = animations.size() - 1;
  return *rest_animation_;
}

void WeightsWriter::write_recording(const MorphFit& fit, std::span<const Recording> recordings, std::size_t index) {
  const Recording& recording = recordings[index];
  const Clip* clip = recording.clip < 0 ? nullptr : &character_->clips[static_cast<std::size_t>(recording.clip)];
  for (const MeshMorphs& morphs : fit.meshes) {
    if (morphs.targets == 0 || recording.times.empty()) continue;
    const auto node = static_cast<std::size_t>(morphs.joint);
    const std::vector<double> keys = merged_times(recording.times, weights_channel(clip, morphs.joint));
    std::vector<float> values;
    for (double time : keys) {
      const Pose pose = sample(character_->skeleton, clip, time);
      for (double weight : pose.morph_weights[node]) values.push_back(static_cast<float>(weight));
      append_interpolated(recording.times, morphs.weights[index], time, values);
    }
    const std::size_t input = times(keys), output = edit_->add_scalars(values, false);
    Json& animation = edit_->json()["animations"][animation_of(recording)];
    Json& sampler = sampler_for_weights(animation, node);
    sampler["input"] = input;
    sampler["output"] = output;
    sampler["interpolation"] = "LINEAR";
  }
}

void WeightsWriter::widen_other_animations(const MorphFit& fit, std::span<const Recording> recordings) {
  std::set<int> recorded;
  for (const Recording& recording : recordings) recorded.insert(recording.clip);
  for (std::size_t i = 0; i < character_->clips.size(); ++i) {
    if (recorded.contains(static_cast<int>(i))) continue;
    Json& animation = edit_->json()["animations"][i];
    for (const MeshMorphs& morphs : fit.meshes) {
      const Channel* old = weights_channel(&character_->clips[i], morphs.joint);
      if (!old || morphs.targets == 0) continue;
      Json* channel = find_weights_channel(animation, static_cast<std::size_t>(morphs.joint));
      widen(own_sampler(animation, *channel), static_cast<std::size_t>(old->components),
            static_cast<std::size_t>(morphs.targets));
    }
  }
  widen_weights_of_meshes(fit);
}

void WeightsWriter::widen(Json& sampler, std::size_t components, std::size_t added) {
  const AccessorValues values = reader_->read(sampler["output"].get<std::size_t>());
  std::vector<float> widened;
  for (std::size_t row = 0; row * components < values.values.size(); ++row) {
    for (std::size_t c = 0; c < components; ++c)
      widened.push_back(static_cast<float>(values.values[row * components + c]));
    widened.insert(widened.end(), added, 0.0F);
  }
  sampler["output"] = edit_->add_scalars(widened, false);
}

void WeightsWriter::widen_weights_of_meshes(const MorphFit& fit) {
  Json& json = edit_->json();
  for (std::size_t i = 0; i < character_->clips.size(); ++i)
    for (Json& channel : json["animations"][i]["channels"]) {
      const std::string* pointer = animation_pointer(channel["target"]);
      for (const MeshMorphs& morphs : fit.meshes) {
        if (!pointer || morphs.targets == 0) continue;
        const Json& mesh = json["nodes"][static_cast<std::size_t>(morphs.joint)]["mesh"];
        if (*pointer != "/meshes/" + mesh.dump() + "/weights") continue;
        const std::size_t targets = json["meshes"][mesh.get<std::size_t>()]["weights"].size();
        const auto added = static_cast<std::size_t>(morphs.targets);
        widen(own_sampler(json["animations"][i], channel), targets - added, added);
        break;
      }
    }
}

}  // namespace sinew
