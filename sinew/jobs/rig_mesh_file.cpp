#include "sinew/jobs/rig_mesh_file.h"

#include <array>
#include <utility>

#include "sinew/base/output_place.h"
#include "sinew/gltf/write/write_container.h"
#include "sinew/gltf/write/write_rigged.h"

namespace sinew {

RigMeshReport rig_mesh_file(const std::filesystem::path& input, const SizeRequest& size,
                            const std::vector<PlacedJoint>& joints, const std::string& joints_name,
                            const RigMeshOptions& options, const std::filesystem::path& output,
                            const Progress& progress, bool with_faults) {
  check_outputs_apart(std::array{output}, std::array{input, std::filesystem::path(joints_name)});
  report_or_stop(progress, "reading " + input.filename().string(), 0);
  OpenedCharacter opened = open_with_document(input, size);
  check_gltf_output(*opened.document, output);
  RiggedMesh rigged = rig_mesh(opened.character, joints, options, joints_name, part_of(progress, 0.1, 0.9));
  std::vector<WeightFault> faults;
  if (with_faults) faults = weight_report(opened.character, 20, part_of(progress, 0.9, 0.95));
  report_or_stop(progress, "writing " + output.filename().string(), 0.95);
  RigMeshReport report{std::move(rigged.joints), rigged.vertices,         0,
                       opened.size.sentence,     std::move(rigged.notes), std::move(faults)};
  report.bytes = write_rigged(*opened.document, opened.character, rigged.first_joint, output);
  return report;
}

}  // namespace sinew
