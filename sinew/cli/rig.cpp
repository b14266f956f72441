// sinew rig FILE --joints JOINTS -o OUTPUT: a skeleton and skin weights for a mesh that has none.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "sinew/base/printable.h"
#include "sinew/base/stopwatch.h"
#include "sinew/base/threads/parallel.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/jobs/rig_mesh_file.h"
#include "sinew/rigging/joints_json.h"

namespace sinew::cli {
namespace {

struct RigVerbOptions {
  std::string file, mirror;
  std::filesystem::path joints, output;
  RigMeshOptions rig;
  SizeOptions size;
  int threads = 0;
  bool quiet = false, report = false;
};

void print_faults(const std::vector<WeightFault>& faults) {
  if (faults.empty()) std::printf("weights: no fault when joints turn by 60 degrees\n");
  for (std::size_t k = 0; k < faults.size(); ++k)
    std::printf("%2zu. %s\n", k + 1, printable(weight_fault_sentence(faults[k])).c_str());
}

void run_rig(const RigVerbOptions& options) {
  set_thread_count(options.threads);
  const JointsFile joints = read_joints(options.joints);
  RigMeshOptions rig = options.rig;
  rig.mirror = options.mirror.empty() ? joints.mirror : mirror_axis_from(options.mirror);
  rig.painted = joints.painted;
  catch_interrupts();
  Stopwatch watch;
  const StopInLoops stop(terminal_progress(options.quiet));
  const RigMeshReport report = rig_mesh_file(options.file, options.size.asked(), joints.joints, options.joints.string(),
                                             rig, options.output, stop.progress(), options.report);
  clear_progress();
  if (options.report) print_faults(report.faults);
  if (options.quiet) return;
  std::printf("%s\n", printable(report.size).c_str());
  for (const std::string& note : report.notes) std::printf("note: %s\n", printable(note).c_str());
  std::printf("%zu joints, %zu vertices bound in %.1f s; written to %s\n", report.joints.size(), report.vertices,
              watch.lap(), printable(options.output.string()).c_str());
}

}  // namespace

void add_rig(CommandLine& line) {
  Verb& verb =
      line.add_verb("rig", "FILE --joints JOINTS -o OUTPUT", "Give a mesh without a skeleton joints and skin weights");
  const auto options = std::make_shared<RigVerbOptions>();
  OptionSet& set = verb.options;
  set.add("FILE", options->file, "Mesh without a skeleton: .glb, .gltf, .vrm or .obj").required();
  set.add("--joints FILE", options->joints, "Joints: names, parents and places in metres (.json)").required();
  set.add("-o, --output FILE", options->output, "Rigged character to write: .glb, .gltf or .vrm").required();
  set.add("--mirror AXIS", options->mirror,
          "Add mirrored joints across the plane through the character's middle: x, z or none (default: as the joints' "
          "file says)");
  set.add("--tetrahedra N", options->rig.tetrahedra, "20000",
          "Elements of the body in which weights are found (default 20000)")
      .between(100, 10000000)
      .advanced();
  set.add("--report", options->report,
          "Turn every joint by 60 degrees and say where the skin collapses, stretches or follows the wrong bone");
  options->size.add_to(set);
  set.add("--threads N", options->threads, "4", "Threads to use (default: all)").between(0, 1024).advanced();
  set.add("--quiet", options->quiet, "Print errors only");
  verb.action = [options] { run_rig(*options); };
}

}  // namespace sinew::cli
