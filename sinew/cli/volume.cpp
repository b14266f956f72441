// sinew volume FILE -o BODY: the elastic body that would be made from a file's surface, as a mesh.
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/output_place.h"
#include "sinew/base/threads/stop_in_loops.h"
#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cli/command_line.h"
#include "sinew/cli/size_options.h"
#include "sinew/cli/terminal.h"
#include "sinew/cli/verbs.h"
#include "sinew/files/volume_files.h"
#include "sinew/jobs/open_character.h"
#include "sinew/mesh/quality.h"
#include "sinew/mesh/surface/weld.h"
#include "sinew/mesh/volume/volume_meshing.h"

namespace sinew::cli {
namespace {

struct VolumeOptions {
  std::string file, output;
  int tetrahedra = VolumeMeshingOptions{}.target_tetrahedra;
  std::optional<double> cell_size;
  SizeOptions size;
  bool quiet = false;
};

// Skinned parts in their bind pose, as `animate` fills them; for a file without a skin, all parts as its nodes place
// them. Metres.
TriangleMesh surface_to_fill(const Character& character) {
  for (const Part& part : character.parts)
    if (part.skin >= 0 && !part.surface.triangles.empty()) return simulation_surface(character).rest;
  const Pose rest = sample(character.skeleton, nullptr, 0);
  std::vector<TriangleMesh> parts;
  for (const Part& part : character.parts) {
    if (!part.triangles) continue;
    TriangleMesh placed{posed_positions(character, part, rest), part.surface.triangles};
    for (Vec3& p : placed.positions) p *= character.metres_per_unit;
    parts.push_back(std::move(placed));
  }
  std::vector<const TriangleMesh*> pointers;
  for (const TriangleMesh& part : parts) pointers.push_back(&part);
  const JoinedMesh joined = join(pointers);
  return apply_weld(joined.mesh, weld(joined.mesh.positions));
}

void print(const VolumeOptions& options, const VolumeMesh& body) {
  const MeshQuality quality = measure_quality(body.mesh);
  std::size_t duplicated = 0;
  double solid = 0;
  for (std::size_t e = 0; e < body.mesh.tetrahedra.size(); ++e) {
    const auto p = corners_of(body.mesh, e);
    duplicated += body.duplicated[e] != 0;
    solid += body.inside_fraction[e] * volume(p[0], p[1], p[2], p[3]);
  }
  std::printf("%zu tetrahedra (%zu in duplicated cells), %zu vertices, %d %s, cells of %.4g m\n", quality.tetrahedra,
              duplicated, quality.vertices, quality.components, quality.components == 1 ? "body" : "bodies",
              body.cell_size);
  std::printf("dihedral angles %.1f to %.1f degrees; volume %.4g m^3, of which %.4g m^3 inside the surface\n",
              quality.dihedral.smallest, quality.dihedral.largest, quality.total_volume, solid);
  std::printf("written to %s\n", printable(options.output).c_str());
}

void run_volume(const VolumeOptions& options) {
  if (!names_body_mesh(options.output))
    throw usage_error(options.output +
                      ": the output's name must end in .vtu (ParaView), .msh (Gmsh) or .mesh (Medit).");
  check_outputs_apart(std::array{std::filesystem::path(options.output)},
                      std::array{std::filesystem::path(options.file)});
  const OpenedCharacter opened = open_character(options.file, options.size.asked());
  VolumeMeshingOptions meshing;
  meshing.target_tetrahedra = options.tetrahedra;
  meshing.cell_size = options.cell_size;
  VolumeMesh body;
  catch_interrupts();
  try {
    const StopInLoops stop(terminal_progress(options.quiet));
    body = mesh_volume(surface_to_fill(opened.character), meshing, stop.progress());
  } catch (const Error& error) {
    // Some sentences already begin with the file, and errors in options are not about the file.
    if (error.kind() == ErrorKind::usage || std::string(error.what()).starts_with(options.file)) throw;
    throw Error(error.kind(), options.file + ": " + error.what());
  }
  write_volume_file(options.output, body.mesh, element_arrays(body));
  clear_progress();
  if (options.quiet) return;
  std::printf("%s\n", opened.size.sentence.c_str());
  print(options, body);
}

}  // namespace

void add_volume(CommandLine& line) {
  Verb& verb =
      line.add_verb("volume", "FILE -o OUTPUT", "Fill a character's surface with tetrahedra and write the body mesh");
  const auto options = std::make_shared<VolumeOptions>();
  OptionSet& set = verb.options;
  set.add("FILE", options->file, "A .glb, .gltf, .vrm or .obj file").required();
  set.add("-o, --output FILE", options->output, "Body mesh: .vtu (ParaView), .msh (Gmsh) or .mesh (Medit)").required();
  const Option& count =
      set.add("--tetrahedra N", options->tetrahedra, "8000", "Number of tetrahedra to aim at (default 8000)");
  set.add("--cell-size METRES", options->cell_size, "0.05", "Or the edge of the lattice's cubes").not_with(count);
  options->size.add_to(set);
  set.add("--quiet", options->quiet, "Print errors only");
  verb.action = [options] { run_volume(*options); };
}

}  // namespace sinew::cli
