#include "sinew/character/character.h"

#include <cmath>
#include <utility>

#include "sinew/base/threads/parallel.h"

namespace sinew {
namespace {

constexpr std::size_t vertices_per_task = 4096;

// The value that all keys of a channel have; empty where they differ, or it is no plain channel.
std::vector<double> held_value(const Channel& channel) {
  const auto width = static_cast<std::size_t>(channel.components);
  if (channel.interpolation == Interpolation::cubic_spline || channel.values.size() < width) return {};
  for (std::size_t i = width; i < channel.values.size(); ++i)
    if (channel.values[i] != channel.values[i - width]) return {};
  return {channel.values.begin(), channel.values.begin() + static_cast<std::ptrdiff_t>(width)};
}

double value_or_zero(const std::vector<double>& values, std::size_t at) { return at < values.size() ? values[at] : 0; }

}  // namespace

std::vector<Vec3> morphed_positions(const Part& part, const std::vector<double>& weights) {
  std::vector<Vec3> positions = part.surface.positions;
  for (std::size_t t = 0; t < part.targets.size(); ++t) {
    const double more = value_or_zero(weights, t) - value_or_zero(part.applied_weights, t);
    if (more == 0) continue;
    for (std::size_t v = 0; v < positions.size(); ++v) positions[v] += more * part.targets[t][v];
  }
  return positions;
}

std::vector<double> default_morph_weights(const Character& character, int joint) {
  const std::vector<double>& rest = character.skeleton.joints[static_cast<std::size_t>(joint)].rest_weights;
  std::vector<double> held;
  for (const Clip& clip : character.clips)
    for (const Channel& channel : clip.channels) {
      if (channel.joint != joint || channel.path != ChannelPath::weights) continue;
      std::vector<double> value = held_value(channel);
      if (value.size() != rest.size() || (!held.empty() && held != value)) return rest;
      held = std::move(value);
    }
  return held.empty() ? rest : held;
}

void apply_default_shape(Character& character) {
  for (Part& part : character.parts) {
    if (part.targets.empty()) continue;
    std::vector<double> weights = default_morph_weights(character, part.joint);
    part.surface.positions = morphed_positions(part, weights);
    part.applied_weights = std::move(weights);
  }
}

bool is_invertible(const Affine& inverse_bind) {
  const Mat3& m = inverse_bind.linear;
  // Relative to the size of its columns, so that a matrix in other units is not called singular.
  const double size = norm(m.column(0)) * norm(m.column(1)) * norm(m.column(2));
  return is_finite(inverse_bind.translation) && std::isfinite(size) && std::fabs(determinant(m)) > 1e-9 * size;
}

// glTF 2.0 section 3.7.3.3: a skinned vertex is placed by its joints alone, the node that shows the
// mesh has no say. Morph targets come first.
std::vector<Vec3> posed_positions(const Character& character, const Part& part, const Pose& pose) {
  const auto node = static_cast<std::size_t>(part.joint);
  std::vector<Vec3> positions = morphed_positions(part, pose.morph_weights[node]);
  const Affine& rigid = pose.world[node];
  std::vector<Affine> bones;
  if (part.skin >= 0) {
    const Skin& skin = character.skins[static_cast<std::size_t>(part.skin)];
    bones.reserve(skin.joints.size());
    for (std::size_t j = 0; j < skin.joints.size(); ++j)
      bones.push_back(pose.world[static_cast<std::size_t>(skin.joints[j])] * skin.inverse_bind[j]);
  }
  parallel_for(positions.size(), vertices_per_task, [&](std::size_t v) {
    const Vec3 x = positions[v];
    if (part.skin < 0 || part.influences[v].count == 0) {
      positions[v] = rigid * x;
      return;
    }
    const Influences& influences = part.influences[v];
    Vec3 posed;
    for (std::size_t k = 0; k < static_cast<std::size_t>(influences.count); ++k)
      posed += influences.weight[k] * (bones[static_cast<std::size_t>(influences.joint[k])] * x);
    positions[v] = posed;
  });
  return positions;
}

}  // namespace sinew
