// Rigs a mesh by given joints and writes the result: the job of `sinew rig` and of the studio (docs/rigging.md).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/jobs/open_character.h"
#include "sinew/rigging/joints_json.h"
#include "sinew/rigging/rig_mesh.h"
#include "sinew/rigging/weight_report.h"

namespace sinew {

struct RigMeshReport {
  std::vector<PlacedJoint> joints;  // including mirrored ones
  std::size_t vertices = 0, bytes = 0;
  std::string size;                   // a sentence about the decided unit of the file
  std::vector<std::string> notes;     // sentences
  std::vector<WeightFault> faults{};  // of the weights, the worst first, if they were asked for
};

// Rigs the mesh of `input` (.glb, .gltf, .vrm, .obj) by the joints and writes it to `output`, completely or not at all.
// All other content of a glTF file is kept; of an OBJ only its shape. `joints_name` stands for the joints in messages.
// Throws what open_character(), rig_mesh() and write_rigged() throw.
RigMeshReport rig_mesh_file(const std::filesystem::path& input, const SizeRequest& size,
                            const std::vector<PlacedJoint>& joints, const std::string& joints_name,
                            const RigMeshOptions& options, const std::filesystem::path& output,
                            const Progress& progress = {}, bool with_faults = false);

}  // namespace sinew
