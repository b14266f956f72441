// The rig of a character's file: skeleton, morph targets and skin, as glTF defines them but for the kind of skinning,
// which is the surface's, with layers on top (docs/rigs.md). Morph targets are applied first, then the skin, then the
// layers in their order.
//
// Every node has parameters, except nodes whose matrix no clip moves; p = rest gives the default pose:
//   NODE.translation.x/y/z  offset from the node's own translation, in metres of the world in the default pose:
//                           t = t_rest + p / (metres per unit * scale of the parents in the default pose)
//   NODE.rotation.x/y/z     rotation vector, rotation = rotation_rest exp(p) (Grassia 1998)
//   NODE.scale.x/y/z        logarithms, and
//   NODE.scale              one for all three: scale = scale_rest exp(p_axis + p)
//   NODE.TARGET             weights of the morph targets of nodes that show a part of the simulated surface; those
//                           without a name are "target K"
// Ranges: translation +-0.05 of the character's height, rotation +-45 degrees, scale ln(1/2) to ln(2), weights one
// to either side of rest. Free by default: translation and rotation of joints that carry skin, morph weights, and
// of a layer's control points the translation alone.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/rig.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/rig/rig_layer.h"

namespace sinew {

enum class NodeParameterKind { translation, rotation, scale, uniform_scale, weight };

// The property of a node that a parameter changes.
struct NodeParameter {
  int node = -1;  // index into Skeleton::joints
  NodeParameterKind kind = NodeParameterKind::translation;
  int component = 0;  // axis, or number of the morph target
};

class CharacterRig : public Rig {
 public:
  // `vertices`: indices into surface.rest of the vertices that the rig evaluates, in that order; empty: all. Keeps
  // copies of what it needs. Throws usage_error where a vertex does not exist.
  CharacterRig(const Character& character, const SimulationSurface& surface, std::span<const int> vertices = {});
  // A copy has work space of its own, so that both can be used at the same time.
  CharacterRig(const CharacterRig& other);
  CharacterRig& operator=(const CharacterRig&) = delete;
  ~CharacterRig() override;

  const std::vector<RigParameter>& parameters() const override { return parameters_; }
  std::size_t vertices() const override { return rest_.size(); }
  // Recomputes only what changed since the last call; the result has the same bits whatever that was.
  void evaluate(std::span<const double> p, std::span<Vec3> s) override;
  void evaluate_many(std::span<const double> p, std::span<Vec3> s) override;
  // Analytic derivatives, including layers. Entries are those that may be different from zero by structure.
  bool jacobian(std::span<const double> p, std::span<const int> columns, RigJacobian& result) override;

  // Adds a layer on top. Throws input_error where a control point cannot be used: its node has a matrix, or is below
  // another control point of the layer, so that it would be displaced twice.
  void add_layer(std::unique_ptr<RigLayer> layer);

  // Per parameter, what it changes.
  const std::vector<NodeParameter>& node_parameters() const { return node_parameters_; }
  // Index of the first of a node's ten parameters (translation, rotation, scale, uniform scale), or -1. first_weight():
  // index of its first morph weight, or -1.
  int first_parameter(int node) const { return first_[static_cast<std::size_t>(node)]; }
  int first_weight(int node) const { return first_weight_[static_cast<std::size_t>(node)]; }
  // Number of a node's morph weights that are parameters.
  int weight_count(int node) const { return weight_count_[static_cast<std::size_t>(node)]; }
  // Length in metres of one file unit of a node's translation, in world space and the default pose.
  double metres_per_local_unit(int node) const { return metres_per_local_unit_[static_cast<std::size_t>(node)]; }
  double metres_per_unit() const { return metres_per_unit_; }
  const Skeleton& skeleton() const { return skeleton_; }
  const std::string& file() const { return file_; }

  // Inverse: the values of a node's channels for parameters `p`; local, file units.
  Transform local_transform(int node, std::span<const double> p) const;
  // World transforms of all joints at parameters `p`: joint space to world, file units. Safe on several threads.
  void pose_joints(std::span<const double> p, std::span<Affine> world) const;
  // Morph weights of the node's mesh: as many as its default weights or its targets, whichever are more.
  std::vector<double> morph_weights(int node, std::span<const double> p) const;

 private:
  struct State;  // state that one evaluation keeps for the next
  // Work space, which copies do not share.
  struct States : std::vector<std::unique_ptr<State>> {
    States();
    States(const States&);
    ~States();
  };
  struct NodeRates;  // derivatives of one node's world transform by its ten parameters

  struct RigBone {
    int node = -1;
    Affine rest_to_joint;       // rest space (metres) to joint space (file units)
    std::vector<int> vertices;  // vertices that it carries, ascending
  };
  // Effect of a morph target on one vertex. Rest space, metres.
  struct MorphOffset {
    int parameter = -1;
    Vec3 offset;
    double shown = 0;  // weight that is contained in the rest surface
  };

  void add_node_parameters(const Character& character, const SimulationSurface& surface);
  void add_weight_parameters(const Character& character, const SimulationSurface& surface);
  void add_skin(const Character& character, const SimulationSurface& surface, std::span<const int> vertices);
  void use_node(int node);
  Affine local_matrix(std::size_t node, std::span<const double> p) const;
  Vec3 morphed(std::size_t vertex, std::span<const double> p) const;
  void check_parameters(std::span<const double> p, std::size_t surfaces, std::size_t points) const;

  void pose(State& state, std::span<const double> p) const;
  void skin(State& state, std::span<const double> p) const;
  void layer(State& state, std::span<const double> p) const;
  void update(State& state, std::span<const double> p) const;
  void evaluate(State& state, std::span<const double> p, std::span<Vec3> s) const;
  LayerControls controls(const RigLayer& layer, const State& state, std::span<const double> p) const;
  State& state(std::size_t i);

  NodeRates node_rates(const State& state, std::span<const double> p, int node) const;
  void node_columns(const State& state, std::span<const double> p, int node, std::span<const int> columns,
                    std::span<RigJacobian> results) const;
  void add_rates_by_dual_quaternions(const State& state, std::span<const double> p, const NodeRates& rates,
                                     std::span<const Affine> rest_to_node, std::span<const char> carries,
                                     std::span<const char> touched, std::span<const std::size_t> kinds,
                                     std::span<RigJacobian> results) const;
  void weight_column(const State& state, std::span<const double> p, int column, RigJacobian& result) const;
  void control_rates(const RigLayer& layer, const State& state, std::span<const double> p, int column,
                     LayerControls& rates, std::vector<int>& moving) const;
  void through_layers(const State& state, std::span<const double> p, std::span<const int> columns,
                      std::span<RigJacobian> results) const;

  std::string file_;
  SkinningKind kind_ = SkinningKind::linear;
  double metres_per_unit_ = 1;
  Skeleton skeleton_;  // joints with a matrix that clips move have none here
  std::vector<RigParameter> parameters_;
  std::vector<NodeParameter> node_parameters_;
  std::vector<int> first_, first_weight_, weight_count_;
  std::vector<double> metres_per_local_unit_;

  std::vector<int> used_;  // nodes that the surface depends on, parents first
  std::vector<char> is_used_;
  std::vector<RigBone> bones_;
  std::vector<Vec3> rest_;              // rest space, metres
  std::vector<Influences> influences_;  // per vertex, over bones_; every vertex has some
  std::vector<int> morph_start_;        // vertices + 1: first entry of each vertex in morph_offsets_
  std::vector<MorphOffset> morph_offsets_;
  int first_morph_ = 0;                           // morph weights are the last parameters
  std::vector<std::vector<int>> morph_vertices_;  // per weight: the vertices that it moves, ascending
  std::vector<std::shared_ptr<const RigLayer>> layers_;
  States states_;
};

}  // namespace sinew
