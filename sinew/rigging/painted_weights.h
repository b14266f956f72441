// Skin weights corrected by hand: a brush that adds and smooths, locked joints, mirroring. Weights always sum to one
// and have at most four joints.
#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/rigging/mirror_joints.h"
#include "sinew/rigging/placed_joints.h"

namespace sinew {

// Corrected weights of vertices by names of joints. Vertices are counted over all surfaces of a mesh, one after the
// other.
using NamedWeights = std::vector<std::pair<std::string, double>>;
using PaintedWeights = std::map<int, NamedWeights>;

// Influences of all surfaces, one after the other, over the joints of a rig.
std::vector<Influences> surface_influences(const Character& character);

// The weights with that of a joint changed to `weight`, as far as locked joints leave room; the others make way in
// proportion. `locked`: per joint of the rig.
Influences with_weight(const Influences& weights, int joint, double weight, std::span<const char> locked);
// The weights on the way to others, by a share from 0 to 1; those of locked joints stay.
Influences towards(const Influences& weights, const Influences& others, double share, std::span<const char> locked);

// Stroke of a brush: vertices with amounts from -1 to 1.
using BrushStroke = std::vector<std::pair<int, double>>;

// Adds the amounts to the weights of a joint.
void add_weights(std::vector<Influences>& weights, const BrushStroke& stroke, int joint, std::span<const char> locked);
// Leads weights towards the mean of the neighbours, by the amounts. Vertices at one place count as one.
void smooth_weights_by_hand(std::vector<Influences>& weights, const BrushStroke& stroke, const TriangleMesh& mesh,
                            std::span<const char> locked);
// Gives vertices on the right of the plane the weights of their mirror images, with the partners of the joints.
// Vertices farther from an image than `reach`, metres, stay.
void mirror_weights(std::vector<Influences>& weights, const TriangleMesh& mesh, const MirrorPlane& plane, double reach,
                    const std::vector<PlacedJoint>& joints);

// The weights that differ from `before`, by names, over those that were corrected earlier.
PaintedWeights painted_over(PaintedWeights earlier, const std::vector<Influences>& before,
                            const std::vector<Influences>& after, const std::vector<PlacedJoint>& joints);
// Puts corrected weights into a character that rig_mesh() rigged with these joints. Joints that are no longer there are
// left out, vertices without any others keep their weights. Throws input_error for `file` (a name for messages) where
// the character has no such vertex.
void apply_painted_weights(Character& character, const PaintedWeights& painted, const std::vector<PlacedJoint>& joints,
                           const std::string& file);

}  // namespace sinew
