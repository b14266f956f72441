// Derivatives of a character's rig. A node's parameters move everything below it. With B_k = A L M_k, where A is the
// parents' world transform, L the node's own matrix and M_k the transform from bone k to the node,
//   ds_v = A dL y_v,   y_v = sum over the bones k below of w_k M_k x_v,
// so that one blended point per vertex, in the node's own space, serves all of its ten parameters. Dual quaternions are
// not linear in B_k; there the rates of the bones' maps go through rig/dual_quaternion_rates.h, parameter by parameter.
#include <algorithm>
#include <map>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/linalg/turns.h"
#include "sinew/rig/dual_quaternion_rates.h"
#include "sinew/rig/skeleton_rig.h"
#include "sinew/rig/skeleton_rig_state.h"

namespace sinew {
namespace {

constexpr std::size_t columns_per_task = 4;

}  // namespace

// Derivative by each of a node's parameters: x in the node's space moves in the world by linear x + translation.
// Metres.
struct CharacterRig::NodeRates {
  Mat3 linear[10];
  Vec3 translation[10];
};

CharacterRig::NodeRates CharacterRig::node_rates(const State& state, std::span<const double> p, int node) const {
  const auto j = index(node);
  const Joint& joint = skeleton_.joints[j];
  const Mat3 parents =
      (joint.parent < 0 ? Mat3::identity() : state.world[index(joint.parent)].linear) * metres_per_unit_;
  const auto own = p.subspan(index(first_[j]), 10);
  const Vec3 r{own[3], own[4], own[5]};
  const Transform local = local_transform(node, p);
  const Mat3 turn = parents * to_matrix(local.rotation), scale = Mat3::diagonal(local.scale);
  const Mat3 rotation_rates = rotation_right_jacobian(r);
  NodeRates rates;
  for (std::size_t c = 0; c < 3; ++c) {
    rates.linear[c] = Mat3::zero();
    rates.translation[c] = parents.column(c) / metres_per_local_unit_[j];
    rates.linear[3 + c] = turn * cross_matrix(rotation_rates.column(c)) * scale;
    Vec3 axis_scale;
    axis_scale[c] = local.scale[c];
    rates.linear[6 + c] = turn * Mat3::diagonal(axis_scale);
  }
  rates.linear[9] = turn * scale;
  return rates;
}

// `columns`: parameters of one node; a result of one column for each.
void CharacterRig::node_columns(const State& state, std::span<const double> p, int node, std::span<const int> columns,
                                std::span<RigJacobian> results) const {
  const NodeRates rates = node_rates(state, p, node);
  // Transform from each node below to this one's space.
  std::vector<Affine> to_node(skeleton_.joints.size());
  std::vector<char> below(skeleton_.joints.size(), 0);
  below[index(node)] = 1;
  for (const int other : used_) {
    const int parent = skeleton_.joints[index(other)].parent;
    if (other == node || parent < 0 || !below[index(parent)]) continue;
    below[index(other)] = 1;
    to_node[index(other)] = to_node[index(parent)] * state.local[index(other)];
  }
  std::vector<Affine> rest_to_node(bones_.size());
  std::vector<char> carries(bones_.size(), 0), touched(rest_.size(), 0);
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    if (!below[index(bones_[b].node)]) continue;
    carries[b] = 1;
    rest_to_node[b] = to_node[index(bones_[b].node)] * bones_[b].rest_to_joint;
    for (const int v : bones_[b].vertices) touched[index(v)] = 1;
  }
  if (kind_ != SkinningKind::linear) {
    std::vector<std::size_t> kinds;
    for (const int column : columns) kinds.push_back(index(column - first_[index(node)]));
    return add_rates_by_dual_quaternions(state, p, rates, rest_to_node, carries, touched, kinds, results);
  }
  for (std::size_t v = 0; v < rest_.size(); ++v) {
    if (!touched[v]) continue;
    const Vec3 x = morphed(v, p);
    const Influences& on = influences_[v];
    Vec3 point;
    double weight = 0;
    for (std::size_t k = 0; k < index(on.count); ++k) {
      const auto b = index(on.joint[k]);
      if (!carries[b]) continue;
      point += on.weight[k] * (rest_to_node[b] * x);
      weight += on.weight[k];
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto kind = index(columns[c] - first_[index(node)]);
      results[c].vertex.push_back(static_cast<int>(v));
      results[c].derivative.push_back(rates.linear[kind] * point + weight * rates.translation[kind]);
    }
  }
}

// `kinds`: which of the node's ten parameters each result is for.
void CharacterRig::add_rates_by_dual_quaternions(const State& state, std::span<const double> p, const NodeRates& rates,
                                                 std::span<const Affine> rest_to_node, std::span<const char> carries,
                                                 std::span<const char> touched, std::span<const std::size_t> kinds,
                                                 std::span<RigJacobian> results) const {
  std::vector<BoneMotionRate> of_bones(bones_.size());
  for (std::size_t c = 0; c < kinds.size(); ++c) {
    const Mat3& linear = rates.linear[kinds[c]];
    for (std::size_t b = 0; b < bones_.size(); ++b) {
      if (!carries[b] || bones_[b].vertices.empty()) continue;
      const Affine rate{linear * rest_to_node[b].linear,
                        linear * rest_to_node[b].translation + rates.translation[kinds[c]]};
      of_bones[b] = motion_rate(state.motions, b, state.bone[b], rate);
    }
    for (std::size_t v = 0; v < rest_.size(); ++v) {
      if (!touched[v]) continue;
      results[c].vertex.push_back(static_cast<int>(v));
      results[c].derivative.push_back(moved_rate(state.motions, influences_[v], morphed(v, p), of_bones, {}));
    }
  }
}

void CharacterRig::weight_column(const State& state, std::span<const double> p, int column, RigJacobian& result) const {
  const std::vector<BoneMotionRate> still(kind_ == SkinningKind::linear ? 0 : bones_.size());
  for (const int vertex : morph_vertices_[index(column - first_morph_)]) {
    const auto v = index(vertex);
    int i = morph_start_[v];
    while (morph_offsets_[index(i)].parameter != column) ++i;
    const Influences& on = influences_[v];
    result.vertex.push_back(vertex);
    if (kind_ != SkinningKind::linear) {
      result.derivative.push_back(moved_rate(state.motions, on, morphed(v, p), still, morph_offsets_[index(i)].offset));
      continue;
    }
    Vec3 sum;
    for (std::size_t k = 0; k < index(on.count); ++k)
      sum += on.weight[k] * (state.bone[index(on.joint[k])].linear * morph_offsets_[index(i)].offset);
    result.derivative.push_back(sum);
  }
}

// Rates of a layer's control points for one parameter, and the indices of the nonzero ones. Other entries stay zero.
void CharacterRig::control_rates(const RigLayer& layer, const State& state, std::span<const double> p, int column,
                                 LayerControls& rates, std::vector<int>& moving) const {
  for (const int i : moving) {
    rates.reference[index(i)] = rates.displaced[index(i)] = {};
    rates.log_scale[index(i)] = 0;
  }
  moving.clear();
  const NodeParameter& parameter = node_parameters_[index(column)];
  if (parameter.kind == NodeParameterKind::weight) return;
  const auto kind = index(column - first_[index(parameter.node)]);
  const NodeRates node = node_rates(state, p, parameter.node);
  for (std::size_t i = 0; i < layer.nodes().size(); ++i) {
    const int control = layer.nodes()[i];
    if (control == parameter.node) {
      if (kind >= 3 && kind < 9) continue;  // its rotation and non-uniform scale do not affect the layer
      if (kind == 9)
        rates.log_scale[i] = 1;
      else
        rates.displaced[i] = node.translation[kind];
      moving.push_back(static_cast<int>(i));
      continue;
    }
    Vec3 reference = skeleton_.joints[index(control)].rest.translation;
    Vec3 displaced = state.local[index(control)].translation;
    int up = skeleton_.joints[index(control)].parent;
    for (; up >= 0 && up != parameter.node; up = skeleton_.joints[index(up)].parent) {
      reference = state.local[index(up)] * reference;
      displaced = state.local[index(up)] * displaced;
    }
    if (up < 0) continue;
    rates.reference[i] = node.linear[kind] * reference + node.translation[kind];
    rates.displaced[i] = node.linear[kind] * displaced + node.translation[kind];
    moving.push_back(static_cast<int>(i));
  }
}

// `results`: per column the skin's derivatives on entry, and the whole rig's on return.
void CharacterRig::through_layers(const State& state, std::span<const double> p, std::span<const int> columns,
                                  std::span<RigJacobian> results) const {
  std::vector<std::unique_ptr<LayerDerivative>> derivatives;
  for (std::size_t l = 0; l < layers_.size(); ++l)
    derivatives.push_back(layers_[l]->derivative(state.controls[l], l == 0 ? state.skinned : state.layered[l - 1]));
  parallel_chunks(columns.size(), columns_per_task, [&](std::size_t begin, std::size_t end) {
    SurfaceRates rates(rest_.size());
    std::vector<LayerControls> control(layers_.size());
    std::vector<std::vector<int>> moving(layers_.size());
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const std::size_t count = layers_[l]->nodes().size();
      control[l] = {std::vector<Vec3>(count), std::vector<Vec3>(count), std::vector<double>(count, 0.0)};
    }
    for (std::size_t c = begin; c < end; ++c) {
      RigJacobian& column = results[c];
      rates.clear();
      for (std::size_t i = 0; i < column.vertex.size(); ++i) rates.at(column.vertex[i]) = column.derivative[i];
      for (std::size_t l = 0; l < layers_.size(); ++l) {
        control_rates(*layers_[l], state, p, columns[c], control[l], moving[l]);
        derivatives[l]->apply(control[l], moving[l], rates);
      }
      column.vertex = rates.ascending();
      column.derivative.clear();
      for (const int v : column.vertex) column.derivative.push_back(rates[v]);
    }
  });
}

bool CharacterRig::jacobian(std::span<const double> p, std::span<const int> columns, RigJacobian& result) {
  check_parameters(p, 1, rest_.size());
  for (const int column : columns)
    if (column < 0 || index(column) >= parameters_.size())
      throw usage_error(file_ + ": the rig is asked for derivatives by parameter " + std::to_string(column) + " of " +
                        std::to_string(parameters_.size()) + ".");
  State& at = state(0);
  update(at, p);
  // Parameters of one node together.
  std::map<int, std::vector<std::size_t>> places;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const NodeParameter& parameter = node_parameters_[index(columns[c])];
    const bool weight = parameter.kind == NodeParameterKind::weight;
    places[weight ? -1 - columns[c] : parameter.node].push_back(c);
  }
  std::vector<const std::vector<std::size_t>*> groups;
  for (const auto& [node, group] : places) groups.push_back(&group);
  std::vector<RigJacobian> single(columns.size());
  parallel_for(groups.size(), 1, [&](std::size_t g) {
    const std::vector<std::size_t>& group = *groups[g];
    const int first = columns[group[0]];
    if (first >= first_morph_) {
      for (const std::size_t c : group) weight_column(at, p, first, single[c]);
      return;
    }
    std::vector<int> own;
    for (const std::size_t c : group) own.push_back(columns[c]);
    std::vector<RigJacobian> found(own.size());
    node_columns(at, p, node_parameters_[index(first)].node, own, found);
    for (std::size_t i = 0; i < group.size(); ++i) single[group[i]] = std::move(found[i]);
  });
  if (!layers_.empty()) through_layers(at, p, columns, single);
  result = {};
  for (const RigJacobian& column : single) {
    result.vertex.insert(result.vertex.end(), column.vertex.begin(), column.vertex.end());
    result.derivative.insert(result.derivative.end(), column.derivative.begin(), column.derivative.end());
    result.start.push_back(static_cast<int>(result.vertex.size()));
  }
  return true;
}

}  // namespace sinew
