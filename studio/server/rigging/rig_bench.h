// A mesh without a skeleton that gets one by hand: its joints with their history, and the weights that follow from
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sinew/jobs/open_character.h"
#include "sinew/rigging/joint_edits.h"
#include "sinew/rigging/joints_json.h"
#include "sinew/rigging/rig_mesh.h"
#include "studio/server/command.h"
#include "studio/server/web/page_json.h"

namespace sinew::studio {

// The rig that is edited. Copies share corrected weights.
struct RigEdits {
  std::vector<PlacedJoint> joints;
  MirrorAxis mirror = MirrorAxis::x;                        // the axis that further edits are mirrored across
  std::shared_ptr<const PaintedWeights> painted = nullptr;  // weights corrected by hand; null: none
};

// The mesh with weights for these joints. Immutable.
struct RiggedDraft {
  std::vector<PlacedJoint> joints;
  Character character;
  int first_joint = 0;                                      // index into Skeleton::joints of the first of the joints
  std::vector<std::string> notes{};                         // sentences
  std::shared_ptr<const RiggedDraft> automatic = nullptr;   // with the weights that were found; null: this one
  std::shared_ptr<const PaintedWeights> painted = nullptr;  // that the character has
};

struct RigBench {
  std::uint32_t number = 0;    // of the mesh, among those that were opened
  std::filesystem::path path;  // of the mesh
  std::shared_ptr<const OpenedCharacter> opened;
  std::shared_ptr<const TriangleMesh> shown;  // all surfaces one after the other, in the default pose, metres
  RigEdits now;
  std::vector<RigEdits> before, after;        // for undo and redo, the nearest at the end
  std::string last_edit;                      // kind and stroke of the last edit; empty: not to be merged
  bool joints_file_is_ours = true;            // false: one is there that cannot be read, and stays
  std::shared_ptr<const RiggedDraft> rigged;  // for `now`, or for earlier joints; null: none yet
  std::uint64_t searches = 0;                 // number of searches for weights so far; the last one's result counts
  std::string problem;                        // why there are no weights; a sentence
  std::vector<std::string> notes;             // about the file

  bool weights_are_found() const { return rigged && rigged->joints == now.joints && rigged->painted == now.painted; }
};

// A bench for the mesh, with the joints that are kept beside it. Throws input_error if it shows no triangles.
RigBench rig_bench(std::shared_ptr<const OpenedCharacter> opened, const std::filesystem::path& path,
                   std::uint32_t number);

// spot.obj gives spot.joints.json beside it, as `sinew rig` reads them.
std::filesystem::path joints_path(const std::filesystem::path& mesh);

// All surfaces of the character, one after the other: metres, world.
std::vector<Vec3> shown_positions(const Character& character, const Pose& pose);

// Carries out an edit and returns the name of the joint that it made, if any. Edits of one stroke of a page are one
// step. Throws usage_error, a sentence, for what is impossible.
std::string edit(RigBench& bench, const command::EditJoint& edit, std::uint64_t page);
// Corrects weights, likewise.
void paint(RigBench& bench, const command::PaintWeights& paint, std::uint64_t page);
// Puts the corrected weights into the weights that were found, if those are for the joints.
void apply_paint(RigBench& bench);
// The file that is kept beside the mesh.
JointsFile joints_file(const RigEdits& edits);
// Each throws usage_error if there is nothing to go to.
void undo(RigBench& bench);
void redo(RigBench& bench);

// The weights for the bench's joints. Throws usage_error while they are not found.
const RiggedDraft& found_weights(const RigBench& bench);

// The rig in a pose: these local rotations, of joints by name. Throws usage_error for unknown names.
Pose tried_pose(const RiggedDraft& rigged, const std::map<std::string, Quat>& joints);

// Per vertex that is shown the weight of a joint; for an empty name the index of the joint with the largest.
std::vector<float> joint_weights(const RiggedDraft& rigged, const std::string& name);

// The bench for pages (docs/studio_protocol.md, State).
PageJson rigging_state(const RigBench& bench);

}  // namespace sinew::studio
