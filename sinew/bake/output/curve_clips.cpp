#include "sinew/bake/output/curve_clips.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "sinew/base/index.h"
#include "sinew/rig/offset_rig.h"
#include "sinew/rig/skeleton_rig_clip.h"

namespace sinew {
namespace {

ChannelPath path_of(NodeParameterKind kind) {
  switch (kind) {
    case NodeParameterKind::translation:
      return ChannelPath::translation;
    case NodeParameterKind::rotation:
      return ChannelPath::rotation;
    case NodeParameterKind::scale:
    case NodeParameterKind::uniform_scale:
      return ChannelPath::scale;
    case NodeParameterKind::weight:
      return ChannelPath::weights;
  }
  return ChannelPath::weights;
}

std::vector<double> values_at_rest(const Rig& rig) {
  std::vector<double> p;
  for (const RigParameter& parameter : rig.parameters()) p.push_back(parameter.rest);
  return p;
}

void append_value(const CharacterRig& rig, const Channel& channel, std::span<const double> p,
                  std::vector<double>& values) {
  if (channel.path == ChannelPath::weights) {
    const std::vector<double> weights = rig.morph_weights(channel.joint, p);
    values.insert(values.end(), weights.begin(), weights.end());
    return;
  }
  const Transform local = rig.local_transform(channel.joint, p);
  switch (channel.path) {
    case ChannelPath::translation:
      values.insert(values.end(), {local.translation.x, local.translation.y, local.translation.z});
      break;
    case ChannelPath::scale:
      values.insert(values.end(), {local.scale.x, local.scale.y, local.scale.z});
      break;
    default:
      values.insert(values.end(), {local.rotation.x, local.rotation.y, local.rotation.z, local.rotation.w});
      break;
  }
}

// Takes the shorter rotation from key to key.
void align_rotations(Channel& channel) {
  if (channel.path != ChannelPath::rotation) return;
  for (std::size_t k = 1; k < channel.times.size(); ++k) {
    double cosine = 0;
    for (std::size_t c = 0; c < 4; ++c) cosine += channel.values[4 * k + c] * channel.values[4 * (k - 1) + c];
    if (cosine < 0)
      for (std::size_t c = 0; c < 4; ++c) channel.values[4 * k + c] *= -1;
  }
}

// Largest distance of a channel's values from the straight line between keys a and b, in units of each component's
// tolerance. Nearby quaternions lie near their line.
double distance_from_line(const Channel& channel, std::size_t a, std::size_t b, std::size_t k,
                          std::span<const double> tolerance) {
  const auto width = static_cast<std::size_t>(channel.components);
  const double share = (channel.times[k] - channel.times[a]) / (channel.times[b] - channel.times[a]);
  double largest = 0;
  for (std::size_t c = 0; c < width; ++c) {
    const double from = channel.values[a * width + c], to = channel.values[b * width + c];
    largest = std::max(largest, std::abs(from + share * (to - from) - channel.values[k * width + c]) / tolerance[c]);
  }
  return largest;
}

// Keys between which all others lie on straight lines (Ramer 1972, Douglas and Peucker 1973).
void keep_between(const Channel& channel, std::size_t a, std::size_t b, std::span<const double> tolerance,
                  std::vector<char>& keep) {
  double largest = 0;
  std::size_t farthest = a;
  for (std::size_t k = a + 1; k < b; ++k) {
    const double d = distance_from_line(channel, a, b, k, tolerance);
    if (d > largest) largest = d, farthest = k;
  }
  if (largest <= 1) return;
  keep[farthest] = 1;
  keep_between(channel, a, farthest, tolerance, keep);
  keep_between(channel, farthest, b, tolerance, keep);
}

Channel thinned(const Channel& channel, std::span<const double> tolerance) {
  const std::size_t count = channel.times.size();
  if (count < 3) return channel;
  std::vector<char> keep(count, 0);
  keep.front() = keep.back() = 1;
  keep_between(channel, 0, count - 1, tolerance, keep);
  Channel result = channel;
  result.times.clear();
  result.values.clear();
  const auto width = static_cast<std::ptrdiff_t>(channel.components);
  for (std::size_t k = 0; k < count; ++k) {
    if (!keep[k]) continue;
    result.times.push_back(channel.times[k]);
    const auto first = channel.values.begin() + static_cast<std::ptrdiff_t>(k) * width;
    result.values.insert(result.values.end(), first, first + width);
  }
  return result;
}

// The free parameters with the other components of their channels.
std::vector<int> parameters_in(const CharacterRig& rig, const RigAnimation* animation, const RigCurves& curves,
                               const Clip& clip) {
  std::vector<int> result = curves.parameters;
  for (std::size_t i = 0; animation && i < rig.node_parameters().size(); ++i) {
    const NodeParameter& parameter = rig.node_parameters()[i];
    const bool inside = std::any_of(clip.channels.begin(), clip.channels.end(), [&](const Channel& channel) {
      return channel.joint == parameter.node && channel.path == path_of(parameter.kind);
    });
    if (inside && animation->keyed()[i] && std::find(result.begin(), result.end(), static_cast<int>(i)) == result.end())
      result.push_back(static_cast<int>(i));
  }
  return result;
}

// Per component of each channel: the change that moves the surface by at most one metre, in the rest pose.
std::vector<std::vector<double>> changes_per_metre(CharacterRig& rig, std::span<const int> parameters,
                                                   const Clip& clip) {
  RigJacobian jacobian;
  const std::vector<double> rest = values_at_rest(rig);
  rig.jacobian(rest, parameters, jacobian);
  std::vector<std::vector<double>> result;
  for (const Channel& channel : clip.channels) {
    std::vector<double> change(index(channel.components), 1e9);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const NodeParameter& parameter = rig.node_parameters()[index(parameters[i])];
      if (parameter.node != channel.joint || path_of(parameter.kind) != channel.path) continue;
      double reach = 1e-9;  // metres per unit of the parameter
      for (auto k = index(jacobian.start[i]); k < index(jacobian.start[i + 1]); ++k)
        reach = std::max(reach, norm(jacobian.derivative[k]));
      const auto component = index(parameter.component);
      switch (parameter.kind) {
        case NodeParameterKind::translation:
          change[component] = 1 / (reach * rig.metres_per_local_unit(channel.joint));
          break;
        case NodeParameterKind::rotation:  // quaternion components are half angles
          for (double& c : change) c = std::min(c, 0.5 / reach);
          break;
        case NodeParameterKind::scale:
          change[component] = std::min(change[component], 1 / reach);
          break;
        case NodeParameterKind::uniform_scale:
          for (double& c : change) c = std::min(c, 1 / reach);
          break;
        case NodeParameterKind::weight:
          change[component] = 1 / reach;
          break;
      }
    }
    result.push_back(std::move(change));
  }
  return result;
}

int count_keys(const Clip& clip) {
  int keys = 0;
  for (const Channel& channel : clip.channels) keys += static_cast<int>(channel.times.size());
  return keys;
}

// Largest surface error over all frames.
double largest_distance(CharacterRig& rig, const RigAnimation* animation, const RigCurves& curves, const Clip& clip) {
  const ClipAnimation from_clip(rig, clip);
  std::vector<Vec3> exact(rig.vertices()), given(rig.vertices());
  double largest = 0;
  for (std::size_t frame = 0; frame < curves.times.size(); ++frame) {
    std::vector<double> p = values_at_rest(rig);
    if (animation) animation->sample(curves.times[frame], p);
    std::vector<double> q = p;
    add_curves(rig, curves, frame, p);
    rig.evaluate(p, exact);
    from_clip.sample(curves.times[frame], q);
    rig.evaluate(q, given);
    for (std::size_t v = 0; v < exact.size(); ++v) largest = std::max(largest, distance(exact[v], given[v]));
  }
  return largest;
}

}  // namespace

void add_curves(const Rig& rig, const RigCurves& curves, std::size_t frame, std::span<double> p) {
  const std::size_t count = curves.parameters.size();
  add_offsets(rig.parameters(), curves.parameters, std::span(curves.values).subspan(frame * count, count), p);
}

CurveClip clip_of_curves(const CharacterRig& rig, const RigAnimation* animation, const RigCurves& curves,
                         const std::string& name) {
  CurveClip result;
  result.clip.name = name;
  std::map<std::pair<int, ChannelPath>, Channel> channels;
  for (const int i : curves.parameters) {
    const NodeParameter& parameter = rig.node_parameters()[index(i)];
    Channel& channel = channels[{parameter.node, path_of(parameter.kind)}];
    channel.joint = parameter.node;
    channel.path = path_of(parameter.kind);
  }
  for (std::size_t frame = 0; frame < curves.times.size(); ++frame) {
    std::vector<double> p = values_at_rest(rig);
    if (animation) animation->sample(curves.times[frame], p);
    add_curves(rig, curves, frame, p);
    for (auto& [key, channel] : channels) append_value(rig, channel, p, channel.values);
  }
  for (auto& [key, channel] : channels) {
    channel.times = curves.times;
    channel.components = static_cast<int>(channel.values.size() / std::max<std::size_t>(1, curves.times.size()));
    align_rotations(channel);
    result.clip.channels.push_back(std::move(channel));
  }
  if (!curves.times.empty()) {
    result.clip.start = curves.times.front();
    result.clip.end = curves.times.back();
  }
  result.keys = result.all_keys = count_keys(result.clip);
  return result;
}

CurveClip thinned_clip(CharacterRig& rig, const RigAnimation* animation, const RigCurves& curves,
                       const std::string& name, double bound) {
  const CurveClip all = clip_of_curves(rig, animation, curves, name);
  const std::vector<std::vector<double>> per_metre =
      changes_per_metre(rig, parameters_in(rig, animation, curves, all.clip), all.clip);
  // Several channels move the same vertices, so the share of the bound that each may use is found by trial.
  for (double share = bound; share > 1e-3 * bound; share *= 0.6) {
    CurveClip result = all;
    for (std::size_t c = 0; c < result.clip.channels.size(); ++c) {
      std::vector<double> tolerance = per_metre[c];
      for (double& t : tolerance) t *= share;
      result.clip.channels[c] = thinned(all.clip.channels[c], tolerance);
    }
    result.largest_error = largest_distance(rig, animation, curves, result.clip);
    result.keys = count_keys(result.clip);
    if (result.largest_error <= bound) return result;
  }
  return all;
}

}  // namespace sinew
