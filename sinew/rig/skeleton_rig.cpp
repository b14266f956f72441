#include "sinew/rig/skeleton_rig.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/turns.h"
#include "sinew/rig/skeleton_rig_state.h"
#include "sinew/rig/weight_controls.h"

namespace sinew {
namespace {

constexpr std::size_t skeleton_rig_vertices_per_task = 512;
constexpr std::size_t most_states = 16;  // evaluations in parallel
constexpr int parameters_per_node = 10;
constexpr double translation_range = 0.05;  // of the height
constexpr double rotation_range = 0.78539816339744831;
constexpr double scale_range = 0.69314718055994531;  // ln 2

// Height, metres; for a surface without height its largest extent.
double height_of(std::span<const Vec3> positions) {
  if (positions.empty()) return 1;
  Vec3 lower = positions[0], upper = positions[0];
  for (const Vec3& x : positions) {
    lower = min(lower, x);
    upper = max(upper, x);
  }
  const Vec3 size = upper - lower;
  const double height = size.y > 0 ? size.y : std::max(size.x, size.z);
  return height > 0 ? height : 1;
}

// Maps bind space of a part to rest space. SimulationSurface stores it only within its bones; those that stand for
// several joints differ slightly, and the one that reproduces the surface best is taken.
Affine bind_to_rest(const Character& character, const SimulationSurface& surface, std::size_t slot) {
  const Part& part = character.parts[index(surface.parts[slot])];
  const Skin& skin = character.skins[index(part.skin)];
  const std::vector<int>& vertex_of = surface.vertex_of[slot];
  Affine best;
  double least = -1;
  for (std::size_t j = 0; j < skin.joints.size(); ++j) {
    if (!is_invertible(skin.inverse_bind[j])) continue;
    for (const Bone& bone : surface.bones) {
      if (bone.joint != skin.joints[j]) continue;
      const Affine candidate = inverse(bone.rest_to_joint) * skin.inverse_bind[j];
      double error = 0;
      for (std::size_t v = 0; v < vertex_of.size(); ++v)
        error = std::max(
            error, squared_norm(candidate * part.surface.positions[v] - surface.rest.positions[index(vertex_of[v])]));
      if (least < 0 || error < least) {
        best = candidate;
        least = error;
      }
    }
  }
  return best;
}

// Origin of a vertex of the simulated surface: the first of the file's vertices that were merged into it.
struct Source {
  std::size_t slot = 0;    // into SimulationSurface::parts
  std::size_t vertex = 0;  // of that part
};

std::vector<Source> sources(const SimulationSurface& surface) {
  std::vector<Source> result(surface.rest.positions.size());
  for (std::size_t slot = surface.vertex_of.size(); slot-- > 0;)
    for (std::size_t v = surface.vertex_of[slot].size(); v-- > 0;)
      result[index(surface.vertex_of[slot][v])] = {slot, v};
  return result;
}

}  // namespace

CharacterRig::CharacterRig(const Character& character, const SimulationSurface& surface, std::span<const int> vertices)
    : file_(character.file),
      kind_(surface.skinning.kind),
      metres_per_unit_(character.metres_per_unit),
      skeleton_(character.skeleton) {
  // A clip that moves a node with a matrix replaces the matrix (character/clip.h), which the rig must support.
  for (const Clip& clip : character.clips)
    for (const Channel& channel : clip.channels)
      if (channel.path != ChannelPath::weights) skeleton_.joints[index(channel.joint)].rest_matrix.reset();
  is_used_.assign(skeleton_.joints.size(), 0);
  add_node_parameters(character, surface);
  add_weight_parameters(character, surface);
  add_skin(character, surface, vertices);
}

CharacterRig::States::States() = default;
CharacterRig::States::States(const States&) : States() {}
CharacterRig::States::~States() = default;

CharacterRig::CharacterRig(const CharacterRig& other) = default;
CharacterRig::~CharacterRig() = default;

void CharacterRig::add_node_parameters(const Character& character, const SimulationSurface& surface) {
  const std::size_t nodes = skeleton_.joints.size();
  const std::vector<std::string> names = unique_names(skeleton_);
  const Pose rest = sample(character.skeleton, nullptr, 0);
  const double reach = translation_range * height_of(surface.rest.positions);
  std::vector<char> carries_skin(nodes, 0);
  for (const Influences& influences : surface.influences)
    for (int k = 0; k < influences.count; ++k)
      carries_skin[index(surface.bones[index(influences.joint[index(k)])].joint)] = 1;
  first_.assign(nodes, -1);
  metres_per_local_unit_.assign(nodes, metres_per_unit_);
  for (std::size_t j = 0; j < nodes; ++j) {
    const Joint& joint = skeleton_.joints[j];
    if (joint.rest_matrix) continue;
    if (joint.parent >= 0) {
      const double scale = std::cbrt(std::fabs(determinant(rest.world[index(joint.parent)].linear)));
      if (std::isfinite(scale) && scale > 0) metres_per_local_unit_[j] *= scale;
    }
    first_[j] = static_cast<int>(parameters_.size());
    const auto add = [&](const char* word, RigUnit unit, double range, NodeParameterKind kind, int component) {
      static constexpr const char* axes[] = {".x", ".y", ".z"};
      RigParameter parameter;
      parameter.control = names[j];
      parameter.name = names[j] + word + (component < 0 ? "" : axes[component]);
      parameter.unit = unit;
      parameter.lower = -range;
      parameter.upper = range;
      parameter.free_by_default =
          carries_skin[j] && (kind == NodeParameterKind::translation || kind == NodeParameterKind::rotation);
      if (kind == NodeParameterKind::rotation) parameter.rotation = first_[j] + 3;
      parameters_.push_back(parameter);
      node_parameters_.push_back({static_cast<int>(j), kind, std::max(component, 0)});
    };
    for (int c = 0; c < 3; ++c) add(".translation", RigUnit::metres, reach, NodeParameterKind::translation, c);
    for (int c = 0; c < 3; ++c) add(".rotation", RigUnit::radians, rotation_range, NodeParameterKind::rotation, c);
    for (int c = 0; c < 3; ++c) add(".scale", RigUnit::logarithm, scale_range, NodeParameterKind::scale, c);
    add(".scale", RigUnit::logarithm, scale_range, NodeParameterKind::uniform_scale, -1);
  }
}

void CharacterRig::add_weight_parameters(const Character& character, const SimulationSurface& surface) {
  first_morph_ = static_cast<int>(parameters_.size());
  first_weight_.assign(skeleton_.joints.size(), -1);
  weight_count_.assign(skeleton_.joints.size(), 0);
  std::set<std::string> taken;
  for (const RigParameter& parameter : parameters_) taken.insert(parameter.name);
  for (const WeightControl& control : weight_controls(character, surface, std::move(taken))) {
    const std::size_t node = index(control.node);
    if (first_weight_[node] < 0) first_weight_[node] = static_cast<int>(parameters_.size());
    ++weight_count_[node];
    parameters_.push_back(control.parameter);
    node_parameters_.push_back({control.node, NodeParameterKind::weight, control.target});
  }
}

void CharacterRig::add_skin(const Character& character, const SimulationSurface& surface,
                            std::span<const int> vertices) {
  std::vector<int> all;
  if (vertices.empty()) {
    for (std::size_t v = 0; v < surface.rest.positions.size(); ++v) all.push_back(static_cast<int>(v));
    vertices = all;
  }
  std::vector<Affine> to_rest(surface.parts.size());
  for (std::size_t slot = 0; slot < to_rest.size(); ++slot) to_rest[slot] = bind_to_rest(character, surface, slot);
  for (const Bone& bone : surface.bones) bones_.push_back({bone.joint, bone.rest_to_joint, {}});
  // Vertices without weights follow the node that shows them, as in every viewer.
  std::vector<int> rigid(surface.parts.size(), -1);
  const std::vector<Source> source = sources(surface);
  morph_start_.push_back(0);
  morph_vertices_.resize(parameters_.size() - index(first_morph_));
  for (const int vertex : vertices) {
    if (vertex < 0 || index(vertex) >= surface.rest.positions.size())
      throw usage_error(file_ + ": the rig is asked for vertex " + std::to_string(vertex) + " of a surface of " +
                        std::to_string(surface.rest.positions.size()) + ".");
    const auto v = static_cast<int>(rest_.size());
    const Source from = source[index(vertex)];
    const Part& part = character.parts[index(surface.parts[from.slot])];
    rest_.push_back(surface.rest.positions[index(vertex)]);
    Influences influences = surface.influences[index(vertex)];
    if (influences.count == 0) {
      int& bone = rigid[from.slot];
      if (bone < 0) {
        bone = static_cast<int>(bones_.size());
        bones_.push_back({part.joint, inverse(to_rest[from.slot]), {}});
      }
      influences.count = 1;
      influences.joint[0] = bone;
      influences.weight[0] = 1;
    }
    for (int k = 0; k < influences.count; ++k) bones_[index(influences.joint[index(k)])].vertices.push_back(v);
    influences_.push_back(influences);
    for (std::size_t t = 0; t < part.targets.size(); ++t) {
      const Vec3 offset = to_rest[from.slot].linear * part.targets[t][from.vertex];
      if (offset == Vec3{}) continue;
      const int parameter = first_weight_[index(part.joint)] + static_cast<int>(t);
      morph_offsets_.push_back({parameter, offset, t < part.applied_weights.size() ? part.applied_weights[t] : 0});
      morph_vertices_[index(parameter - first_morph_)].push_back(v);
    }
    morph_start_.push_back(static_cast<int>(morph_offsets_.size()));
  }
  for (const RigBone& bone : bones_)
    if (!bone.vertices.empty()) use_node(bone.node);
}

// Marks a node and all above it.
void CharacterRig::use_node(int node) {
  for (; node >= 0 && !is_used_[index(node)]; node = skeleton_.joints[index(node)].parent) is_used_[index(node)] = 1;
  used_.clear();
  for (const int j : skeleton_.parents_first)
    if (is_used_[index(j)]) used_.push_back(j);
}

Transform CharacterRig::local_transform(int node, std::span<const double> p) const {
  const auto j = index(node);
  Transform local = skeleton_.joints[j].rest;
  if (first_[j] < 0) return local;
  const auto own = p.subspan(index(first_[j]), parameters_per_node);
  local.translation += Vec3{own[0], own[1], own[2]} / metres_per_local_unit_[j];
  local.rotation = local.rotation * rotation_exponential({own[3], own[4], own[5]});
  local.scale = {local.scale.x * std::exp(own[6] + own[9]), local.scale.y * std::exp(own[7] + own[9]),
                 local.scale.z * std::exp(own[8] + own[9])};
  return local;
}

std::vector<double> CharacterRig::morph_weights(int node, std::span<const double> p) const {
  const auto j = index(node);
  std::vector<double> weights = skeleton_.joints[j].rest_weights;
  if (weights.size() < index(weight_count_[j])) weights.resize(index(weight_count_[j]), 0.0);
  for (int t = 0; t < weight_count_[j]; ++t) weights[index(t)] = p[index(first_weight_[j] + t)];
  return weights;
}

void CharacterRig::pose_joints(std::span<const double> p, std::span<Affine> world) const {
  for (const int node : skeleton_.parents_first) {
    const std::size_t j = index(node);
    const int parent = skeleton_.joints[j].parent;
    const Affine local = local_matrix(j, p);
    world[j] = parent < 0 ? local : world[index(parent)] * local;
  }
}

Affine CharacterRig::local_matrix(std::size_t node, std::span<const double> p) const {
  const Joint& joint = skeleton_.joints[node];
  return joint.rest_matrix ? *joint.rest_matrix : to_affine(local_transform(static_cast<int>(node), p));
}

Vec3 CharacterRig::morphed(std::size_t vertex, std::span<const double> p) const {
  Vec3 x = rest_[vertex];
  for (int i = morph_start_[vertex]; i < morph_start_[vertex + 1]; ++i) {
    const MorphOffset& morph = morph_offsets_[index(i)];
    const double more = p[index(morph.parameter)] - morph.shown;
    if (more != 0) x += more * morph.offset;
  }
  return x;
}

void CharacterRig::check_parameters(std::span<const double> p, std::size_t surfaces, std::size_t points) const {
  if (p.size() != surfaces * parameters_.size() || points != surfaces * rest_.size())
    throw usage_error(file_ + ": the rig has " + std::to_string(parameters_.size()) + " parameters and " +
                      std::to_string(rest_.size()) + " vertices, not what was passed.");
  for (std::size_t i = 0; i < p.size(); ++i)
    if (!std::isfinite(p[i]))
      throw input_error(file_ + ": the rig's parameter '" + parameters_[i % parameters_.size()].name +
                        "' is set to something that is not a finite number.");
}

// Updates transforms of nodes whose parameters changed.
void CharacterRig::pose(State& state, std::span<const double> p) const {
  if (!state.valid) {
    state.local.resize(skeleton_.joints.size());
    state.world.resize(skeleton_.joints.size());
    state.bone.resize(bones_.size());
    state.skinned.resize(rest_.size());
    if (kind_ != SkinningKind::linear) state.motions.resize(bones_.size());
  }
  state.node_changed.assign(skeleton_.joints.size(), 0);
  for (const int node : used_) {
    const auto j = index(node);
    const int parent = skeleton_.joints[j].parent;
    bool own = !state.valid;
    if (!own && first_[j] >= 0) {
      const auto begin = p.begin() + first_[j];
      own = !std::equal(begin, begin + parameters_per_node, state.p.begin() + first_[j]);
    }
    if (own) state.local[j] = local_matrix(j, p);
    if (!own && (parent < 0 || !state.node_changed[index(parent)])) continue;
    state.node_changed[j] = 1;
    state.world[j] = parent < 0 ? state.local[j] : state.world[index(parent)] * state.local[j];
  }
  const Affine metres{Mat3::identity() * metres_per_unit_, {}};
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    if (bones_[b].vertices.empty() || !state.node_changed[index(bones_[b].node)]) continue;
    state.bone[b] = metres * (state.world[index(bones_[b].node)] * bones_[b].rest_to_joint);
    if (kind_ != SkinningKind::linear) state.motions.set(b, state.bone[b]);
  }
}

void CharacterRig::skin(State& state, std::span<const double> p) const {
  state.vertex_changed.assign(rest_.size(), state.valid ? 0 : 1);
  if (state.valid) {
    for (const RigBone& bone : bones_)
      if (state.node_changed[index(bone.node)])
        for (const int v : bone.vertices) state.vertex_changed[index(v)] = 1;
    for (std::size_t t = 0; t < morph_vertices_.size(); ++t)
      if (p[index(first_morph_) + t] != state.p[index(first_morph_) + t])
        for (const int v : morph_vertices_[t]) state.vertex_changed[index(v)] = 1;
  }
  parallel_for(rest_.size(), skeleton_rig_vertices_per_task, [&](std::size_t v) {
    if (!state.vertex_changed[v]) return;
    const Vec3 x = morphed(v, p);
    const Influences& on = influences_[v];
    if (kind_ != SkinningKind::linear) {
      state.skinned[v] = moved_by(state.motions, on, x);
      return;
    }
    Vec3 sum;
    for (std::size_t k = 0; k < index(on.count); ++k) sum += on.weight[k] * (state.bone[index(on.joint[k])] * x);
    state.skinned[v] = sum;
  });
}

LayerControls CharacterRig::controls(const RigLayer& layer, const State& state, std::span<const double> p) const {
  LayerControls controls;
  for (const int node : layer.nodes()) {
    const auto j = index(node);
    const Joint& joint = skeleton_.joints[j];
    const Affine carrier = joint.parent < 0 ? Affine{} : state.world[index(joint.parent)];
    controls.reference.push_back(metres_per_unit_ * (carrier * joint.rest.translation));
    controls.displaced.push_back(metres_per_unit_ * (carrier * state.local[j].translation));
    controls.log_scale.push_back(p[index(first_[j] + parameters_per_node - 1)]);
  }
  return controls;
}

// Applies the layers to vertices whose input or controls changed.
void CharacterRig::layer(State& state, std::span<const double> p) const {
  if (!state.valid) {
    state.controls.assign(layers_.size(), {});
    state.layered.assign(layers_.size(), std::vector<Vec3>(rest_.size()));
  }
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    LayerControls now = controls(*layers_[l], state, p);
    const LayerControls& last = state.controls[l];
    std::vector<int> moving;
    for (std::size_t i = 0; state.valid && i < now.reference.size(); ++i)
      if (now.reference[i] != last.reference[i] || now.displaced[i] != last.displaced[i] ||
          now.log_scale[i] != last.log_scale[i])
        moving.push_back(static_cast<int>(i));
    const LayerReach& reach = layers_[l]->reach();
    const std::vector<int> positions = reach.concerned(moving, state.vertex_changed);
    for (const int i : positions) state.vertex_changed[index(reach.vertices()[index(i)])] = 1;
    const std::vector<Vec3>& before = l == 0 ? state.skinned : state.layered[l - 1];
    for (std::size_t v = 0; v < rest_.size(); ++v)
      if (state.vertex_changed[v]) state.layered[l][v] = before[v];
    layers_[l]->apply(now, positions, state.layered[l]);
    state.controls[l] = std::move(now);
  }
}

void CharacterRig::update(State& state, std::span<const double> p) const {
  pose(state, p);
  skin(state, p);
  layer(state, p);
  state.p.assign(p.begin(), p.end());
  state.valid = true;
}

void CharacterRig::evaluate(State& state, std::span<const double> p, std::span<Vec3> s) const {
  update(state, p);
  const std::vector<Vec3>& surface = state.surface();
  std::copy(surface.begin(), surface.end(), s.begin());
  for (std::size_t v = 0; v < s.size(); ++v)
    if (!is_finite(s[v]))
      throw input_error(file_ + ": the rig puts vertex " + std::to_string(v) +
                        " where numbers end; its parameters are too far outside of their ranges.");
}

CharacterRig::State& CharacterRig::state(std::size_t i) {
  while (states_.size() <= i) states_.push_back(std::make_unique<State>());
  return *states_[i];
}

void CharacterRig::evaluate(std::span<const double> p, std::span<Vec3> s) {
  check_parameters(p, 1, s.size());
  evaluate(state(0), p, s);
}

void CharacterRig::evaluate_many(std::span<const double> p, std::span<Vec3> s) {
  const std::size_t width = parameters_.size(), points = rest_.size();
  const std::size_t count = points > 0 ? s.size() / points : 0;
  check_parameters(p, count, s.size());
  if (count == 0) return;
  const std::size_t share = (count + most_states - 1) / most_states;
  state((count - 1) / share);
  parallel_chunks(count, share, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      evaluate(*states_[begin / share], p.subspan(i * width, width), s.subspan(i * points, points));
  });
}

void CharacterRig::add_layer(std::unique_ptr<RigLayer> layer) {
  const auto is_control = [&](int node) {
    return std::find(layer->nodes().begin(), layer->nodes().end(), node) != layer->nodes().end();
  };
  for (const int node : layer->nodes()) {
    const std::string& name = skeleton_.joints[index(node)].name;
    if (first_[index(node)] < 0)
      throw input_error(file_ + ": node '" + name +
                        "' cannot be a control point, since it has a matrix; export it with translation, rotation and "
                        "scale.");
    for (int up = skeleton_.joints[index(node)].parent; up >= 0; up = skeleton_.joints[index(up)].parent)
      if (is_control(up))
        throw input_error(
            file_ + ": control point '" + name + "' hangs below control point '" + skeleton_.joints[index(up)].name +
            "' of the same layer and would be displaced twice; hang both on the joint that carries them.");
  }
  for (const int node : layer->nodes()) {
    use_node(node);
    const auto first = index(first_[index(node)]);
    for (std::size_t k = 0; k < parameters_per_node; ++k) parameters_[first + k].free_by_default = k < 3;
  }
  states_.clear();
  std::vector<double> rest;
  for (const RigParameter& parameter : parameters_) rest.push_back(parameter.rest);
  update(state(0), rest);
  layer->bind(controls(*layer, state(0), rest).reference, state(0).surface());
  layers_.push_back(std::move(layer));
  states_.clear();
}

}  // namespace sinew
