// What `sinew rig` and the studio do: a mesh and joints in, a rigged file out (docs/rigging.md).
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/jobs/open_character.h"
#include "sinew/rigging/joints_json.h"
#include "sinew/rigging/rig_mesh.h"

namespace sinew {

struct RigMeshReport {
  std::vector<PlacedJoint> joints;  // with the mirrored ones
  std::size_t vertices = 0, bytes = 0;
  std::string size;                // sentence: what was decided about the file's unit
  std::vector<std::string> notes;  // sentences
};

// Rigs the mesh of `input` (.glb, .gltf, .vrm, .obj) by the joints and writes it to `output`, whole or not at all;
// everything else of a glTF file is kept, of an OBJ its shape. `joints_name`: of the joints, for messages. Throws what
// open_character(), rig_mesh() and write_rigged() throw.
RigMeshReport rig_mesh_file(const std::filesystem::path& input, const AskedSize& size,
                            const std::vector<PlacedJoint>& joints, const std::string& joints_name,
                            const RigMeshOptions& options, const std::filesystem::path& output,
                            const Progress& progress = {});

}  // namespace sinew
