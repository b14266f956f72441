// Rig files: layers on top of a character's own rig, or an external program that computes the rig (docs/rigs.md).
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sinew/character/rig.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/rig/lattice_deformer.h"
#include "sinew/rig/skeleton_rig.h"

namespace sinew {

// Wire deformer of a rig file. Nodes are named; lengths are in metres.
struct RigFileWires {
  struct Wire {
    std::vector<std::string> controls;
    double radius = 0;
  };
  std::vector<Wire> wires;
  double blend = 1;
};

struct RigFileLattice {
  struct Control {
    std::string node;
    std::optional<LatticeIndex> point;  // empty: the grid point nearest to the node in the default pose
  };
  LatticeBox box;
  std::vector<Control> controls;
};

struct RigFile {
  std::string file;                                                // as named by the user, for messages
  std::vector<std::variant<RigFileWires, RigFileLattice>> layers;  // in order of evaluation
  std::vector<std::string> command;                                // of the external program; used instead of layers
  std::filesystem::path folder;  // working directory of the program: the file's folder
  double timeout = 10;           // seconds to wait for an answer of the program
};

// Throws input_error that names file, place and remedy.
RigFile rig_file_from_json(std::string_view text, const std::filesystem::path& file);
RigFile read_rig_file(const std::filesystem::path& file);

// Throws input_error if a node does not exist or its name is not unique, and what RigLayer and add_layer() throw.
void add_layers(const RigFile& file, CharacterRig& rig);

// A rig, and the same object as the rig of the character's file; `own` is null for an external program.
struct MadeRig {
  std::shared_ptr<Rig> rig;
  std::shared_ptr<CharacterRig> own;
};

// Makes the rig of a character: its own, with the layers of `file` if there is one, or the external program of `file`.
// `vertices` is as in CharacterRig.
MadeRig make_rig(const RigFile* file, const Character& character, const SimulationSurface& surface,
                 std::span<const int> vertices = {});

}  // namespace sinew
