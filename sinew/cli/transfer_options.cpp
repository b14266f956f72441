#include "sinew/cli/transfer_options.h"

#include <cstdio>

#include "sinew/base/error.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/cli/terminal.h"

namespace sinew::cli {

void TransferOptions::add_to(OptionSet& options) {
  options.add("RIGS", job.rigs, "transfer: the file of FILE's rigs");
  options.add("--to TARGET", job.target, "transfer: the character that gets them: .glb, .gltf or .vrm");
  options.add("--features FILE", job.features,
              "transfer: points that correspond, a pair a line: x y z (metres, at rest) or bone:NAME, twice");
  options.add(
      "--control-points FILE", job.control_points,
      "transfer: control points of the fitted lattice that are moved, one a line: where it is and where it goes, "
      "x y z twice (metres, at rest)");
  options.add("--fitted OBJ", job.lattice,
              "transfer: writes the fitted lattice, whose vertices are its control points");
  options.add("--cells N", job.cells, "500", "transfer: cells of the lattice that is fitted to TARGET (500)");
  options.add("--to-height METRES", job.target_size.height, "1.8", "transfer: height of TARGET");
  options.add("--preview PNG", job.preview, "transfer: a picture of the fit and of the rigs on TARGET");
}

void run_transfer(const TransferShapesJob& job, bool quiet) {
  if (job.rigs.empty()) throw usage_error("RIGS: name the file of rigs that are carried over.");
  if (job.target.empty()) throw usage_error("--to: name the character that gets the rigs.");
  if (job.output.empty()) throw usage_error("-o: name the file of rigs that is written.");
  catch_interrupts();
  const StopInLoops stop(terminal_progress(quiet));
  const TransferredShapes carried = transfer_shapes(job, stop.progress());
  clear_progress();
  for (const std::string& text : carried.warnings) std::fprintf(stderr, "warning: %s\n", printable(text).c_str());
  if (quiet) return;
  for (const std::string& text : carried.lines) std::printf("%s\n", printable(text).c_str());
  std::printf("written to %s; play it by sinew animate %s --shapes %s -o OUTPUT\n",
              printable(job.output.string()).c_str(), printable(job.target.string()).c_str(),
              printable(job.output.string()).c_str());
}

}  // namespace sinew::cli
