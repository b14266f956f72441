#include "sinew/gltf/read/read_clips.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sinew/gltf/animation_target.h"
#include "sinew/gltf/read/read_properties.h"

namespace sinew {
namespace {

std::optional<ChannelPath> channel_path(const std::string& name) {
  if (name == "translation") return ChannelPath::translation;
  if (name == "rotation") return ChannelPath::rotation;
  if (name == "scale") return ChannelPath::scale;
  if (name == "weights") return ChannelPath::weights;
  return std::nullopt;
}

Interpolation interpolation_of(const JsonView& sampler) {
  const std::string name = sampler.string_or("interpolation", "LINEAR");
  if (name == "LINEAR") return Interpolation::linear;
  if (name == "STEP") return Interpolation::step;
  if (name == "CUBICSPLINE") return Interpolation::cubic_spline;
  throw sampler.error("has the unknown interpolation \"" + name + "\"; use LINEAR, STEP or CUBICSPLINE.");
}

// Two keys at one time are a jump. The second is moved to the next representable time, which keeps the jump and makes
// times strictly increasing.
std::vector<double> read_times(const JsonView& sampler, AccessorReader& accessors, bool& has_jump) {
  const std::size_t accessor = sampler.at("input").to_index(accessors.accessor_count(), "accessor");
  const AccessorValues input = accessors.read(accessor);
  if (input.format.components() != 1 || input.format.type != ComponentType::f32)
    throw sampler.at("input").error("are times that are not single floats; export the file again.");
  if (input.values.empty()) throw sampler.at("input").error("has no keys; remove the animation's channel.");
  std::vector<double> times = input.values;
  for (std::size_t k = 0; k < times.size(); ++k) {
    if (!std::isfinite(times[k]) || (k > 0 && times[k] < input.values[k - 1]))
      throw sampler.at("input").error("does not rise at key " + std::to_string(k) + "; sort the keys by time.");
    if (k == 0 || times[k] > times[k - 1]) continue;
    times[k] = std::nextafter(times[k - 1], std::numeric_limits<double>::infinity());
    has_jump = true;
  }
  return times;
}

bool is_valid_output(const AccessorFormat& format, ChannelPath path) {
  const bool is_number = format.type == ComponentType::f32 || (format.normalized && format.type != ComponentType::u32);
  switch (path) {
    case ChannelPath::translation:
    case ChannelPath::scale:
      return is_number && format.columns == 1 && format.rows == 3;
    case ChannelPath::rotation:
      return is_number && format.columns == 1 && format.rows == 4;
    case ChannelPath::weights:
      return is_number && format.components() == 1;
  }
  return false;
}

// The length of a rotation key has no meaning. Keys of linear and step channels are normalised here, so that sampling
// need not do it. Cubic splines interpolate the raw values (glTF 2.0, appendix C.5).
void normalize_rotations(Channel& channel, const JsonView& place) {
  const bool cubic = channel.interpolation == Interpolation::cubic_spline;
  const std::size_t stride = cubic ? 12 : 4, offset = cubic ? 4 : 0;
  for (std::size_t k = 0; k < channel.times.size(); ++k) {
    double* q = channel.values.data() + k * stride + offset;
    const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 1e-6))
      throw place.error("has a rotation of length zero at key " + std::to_string(k) + "; remove the key.");
    if (cubic) continue;
    for (int c = 0; c < 4; ++c) q[c] /= length;
  }
}

void read_values(Channel& channel, const JsonView& sampler, AccessorReader& accessors) {
  const JsonView place = sampler.at("output");
  AccessorValues output = accessors.read(place.to_index(accessors.accessor_count(), "accessor"));
  if (channel.joint >= 0 && !is_valid_output(output.format, channel.path))
    throw place.error("has a type that the animated property may not have; export the file again.");
  const std::size_t per_key =
      static_cast<std::size_t>(channel.components) * (channel.interpolation == Interpolation::cubic_spline ? 3 : 1);
  if (output.values.size() != channel.times.size() * per_key)
    throw place.error("has " + std::to_string(output.values.size()) + " numbers, but " +
                      std::to_string(channel.times.size()) + " keys need " +
                      std::to_string(channel.times.size() * per_key) + "; export the file again.");
  for (std::size_t i = 0; i < output.values.size(); ++i)
    if (!std::isfinite(output.values[i]))
      throw place.error("has a value that is not a number at key " + std::to_string(i / per_key) + "; remove the key.");
  channel.values = std::move(output.values);
  if (channel.path == ChannelPath::rotation) normalize_rotations(channel, place);
}

struct Remarks {
  std::vector<int> foreign, no_targets, jumps, matrices, early, again;
  std::vector<Defect> pointers;  // without the clip
};

std::optional<Channel> read_channel(const JsonView& view, int number, const std::vector<JsonView>& samplers,
                                    AccessorReader& accessors, const Skeleton& skeleton, Remarks& remarks) {
  const JsonView target = view.require_object().at("target");
  const JsonView& sampler = samplers[view.at("sampler").to_index(samplers.size(), "sampler")].require_object();
  target.index("node", skeleton.joints.size(), "node");
  target.at("path").to_string();
  const std::optional<NodeTarget> named = node_target(target.value());
  const auto path = named ? channel_path(named->path) : std::nullopt;
  if (!path) return std::nullopt;
  if (named->node >= skeleton.joints.size())
    throw target.error("names the node " + std::to_string(named->node) + ", but there are " +
                       std::to_string(skeleton.joints.size()) + "; export the file again.");
  Channel channel;
  const Joint& joint = skeleton.joints[named->node];
  channel.joint = static_cast<int>(named->node);
  channel.path = *path;
  channel.interpolation = interpolation_of(sampler);
  if (*path == ChannelPath::rotation) channel.components = 4;
  if (*path == ChannelPath::weights) channel.components = static_cast<int>(joint.rest_weights.size());
  if (channel.components == 0) {
    remarks.no_targets.push_back(number);
    return std::nullopt;
  }
  if (joint.rest_matrix && *path != ChannelPath::weights) remarks.matrices.push_back(number);
  bool has_jump = false;
  channel.times = read_times(sampler, accessors, has_jump);
  if (channel.times.front() < 0) remarks.early.push_back(number);
  if (has_jump) remarks.jumps.push_back(number);
  read_values(channel, sampler, accessors);
  return channel;
}

// Keys of numbers that are no node's translation, rotation, scale or weights.
void read_properties(const JsonView& view, int number, const std::vector<JsonView>& samplers, AccessorReader& accessors,
                     PropertyReader& properties, std::set<int>& driven, Clip& clip, Remarks& remarks) {
  const std::string* pointer = animation_pointer(view.at("target").value());
  PropertyChannel channel;
  const PropertyReader::Named named = pointer ? properties.find(*pointer) : PropertyReader::Named{};
  if (named.missing)
    remarks.pointers.push_back(
        {"pointer that names nothing",
         "",
         "channel",
         {number},
         "The file has no " + *pointer + "; the channel passes through untouched, and cannot be a control."});
  else if (named.numbers.empty())
    remarks.foreign.push_back(number);
  if (named.numbers.empty()) return;
  channel.properties = named.numbers;
  channel.keys.path = ChannelPath::weights;
  channel.keys.components = static_cast<int>(named.numbers.size());
  bool has_jump = false;
  try {
    const JsonView& sampler = samplers[view.at("sampler").to_index(samplers.size(), "sampler")].require_object();
    channel.keys.interpolation = interpolation_of(sampler);
    channel.keys.times = read_times(sampler, accessors, has_jump);
    read_values(channel.keys, sampler, accessors);
  } catch (const Error& error) {
    remarks.pointers.push_back({"keys that do not fit their pointer",
                                "",
                                "channel",
                                {number},
                                std::string(error.what()) + " The channel passes through untouched."});
    return;
  }
  if (has_jump) remarks.jumps.push_back(number);
  for (const int property : named.numbers)
    if (!driven.insert(property).second) {
      remarks.again.push_back(number);
      break;
    }
  clip.properties.push_back(std::move(channel));
}

// Custom properties drive what users make of them, so that their keys count for the length of the clip.
bool is_custom(const PropertyChannel& channel, const Skeleton& skeleton) {
  return skeleton.properties[static_cast<std::size_t>(channel.properties.front())].pointer.find("/extras/") !=
         std::string::npos;
}

void find_range(Clip& clip, const Skeleton& skeleton) {
  bool first = true;
  const auto add = [&](const Channel& channel) {
    clip.start = first ? channel.times.front() : std::min(clip.start, channel.times.front());
    clip.end = first ? channel.times.back() : std::max(clip.end, channel.times.back());
    first = false;
  };
  for (const Channel& channel : clip.channels) add(channel);
  for (const PropertyChannel& channel : clip.properties)
    if (is_custom(channel, skeleton)) add(channel.keys);
}

void report(const Clip& clip, Remarks&& remarks, std::vector<Defect>& repairs) {
  const auto add = [&](const char* name, std::vector<int>& channels, const char* action) {
    if (!channels.empty()) repairs.push_back({name, clip.name, "channel", std::move(channels), action});
  };
  add("channel that moves no node", remarks.foreign, "The channel passes through untouched.");
  add("number that several channels move", remarks.again, "The last channel counts.");
  for (Defect& defect : remarks.pointers) {
    defect.where = clip.name;
    repairs.push_back(std::move(defect));
  }
  add("weights channel without morph targets", remarks.no_targets, "The channel passes through untouched.");
  add("two keys at one time", remarks.jumps, "The keys are taken as a jump.");
  add("negative key time", remarks.early,
      "The clip is played from its first key on; glTF lets no key stand before time zero, where other programs may "
      "begin.");
  add("animated node with a matrix", remarks.matrices, "The matrix is split into translation, rotation and scale.");
}

}  // namespace

std::vector<std::string> clip_names(const std::vector<JsonView>& animations, std::vector<Defect>* repairs) {
  std::vector<std::string> names;
  std::vector<int> nameless, again;
  const auto taken = [&](const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const JsonView& animation : animations) {
    const int number = static_cast<int>(names.size());
    const std::string own = animation.require_object().string_or("name", "");
    if (own.empty() && animation.has("name")) nameless.push_back(number);
    if (!own.empty() && taken(own)) again.push_back(number);
    const std::string wanted = own.empty() ? "animation " + std::to_string(number) : own;
    std::string name = wanted;
    for (int count = 2; taken(name); ++count) name = wanted + " (" + std::to_string(count) + ")";
    names.push_back(std::move(name));
  }
  if (repairs && !nameless.empty())
    repairs->push_back({"clip with an empty name", "", "animation", std::move(nameless),
                        "It is called by its number here (\"animation 1\"), and the file keeps its name."});
  if (repairs && !again.empty())
    repairs->push_back({"two clips of one name", "", "animation", std::move(again),
                        "It is told apart by a number (\"walk (2)\") here, and the file keeps its name."});
  return names;
}

std::vector<Clip> read_clips(const JsonView& root, AccessorReader& accessors, Skeleton& skeleton,
                             std::vector<Defect>& repairs) {
  std::vector<Clip> clips;
  const std::vector<JsonView> animations = root.elements("animations");
  const std::vector<std::string> names = clip_names(animations, &repairs);
  PropertyReader properties(root, skeleton);
  for (const JsonView& animation : animations) {
    Clip clip;
    clip.name = names[clips.size()];
    animation.at("channels");
    animation.at("samplers");
    const std::vector<JsonView> samplers = animation.elements("samplers");
    for (const JsonView& sampler : samplers) {
      sampler.require_object().at("input").to_index(accessors.accessor_count(), "accessor");
      sampler.at("output").to_index(accessors.accessor_count(), "accessor");
    }
    Remarks remarks;
    std::set<std::pair<int, ChannelPath>> driven;
    std::set<int> driven_properties;
    int number = 0;
    for (const JsonView& view : animation.elements("channels")) {
      auto channel = read_channel(view, number, samplers, accessors, skeleton, remarks);
      if (!channel && !node_target(view.at("target").value()))
        read_properties(view, number, samplers, accessors, properties, driven_properties, clip, remarks);
      ++number;
      if (!channel) continue;
      if (!driven.emplace(channel->joint, channel->path).second)
        throw view.error("moves what another channel of the animation moves already; keep one of them.");
      clip.channels.push_back(std::move(*channel));
    }
    find_range(clip, skeleton);
    report(clip, std::move(remarks), repairs);
    clips.push_back(std::move(clip));
  }
  return clips;
}

}  // namespace sinew
