// Rigs as files: layers on top of a character's own rig, or a program that is the rig (docs/rigs.md).
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

// Nodes by their names; metres.
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
    std::optional<LatticeIndex> point;  // without: the grid's nearest to where the node is in the default pose
  };
  LatticeBox box;
  std::vector<Control> controls;
};

struct RigFile {
  std::string file;                                                // as named by the user, for messages
  std::vector<std::variant<RigFileWires, RigFileLattice>> layers;  // in the order in which they act
  std::vector<std::string> command;                                // instead of layers: the program
  std::filesystem::path folder;                                    // where it runs: that of the file
  double timeout = 10;                                             // seconds for an answer of the program
};

// Throws input_error with file, place and remedy.
RigFile rig_file_from_json(std::string_view text, const std::filesystem::path& file);
RigFile read_rig_file(const std::filesystem::path& file);

// Throws input_error where a node is not there or its name is not unique, and what RigLayer and add_layer() throw.
void add_layers(const RigFile& file, CharacterRig& rig);

// A rig, and the same as the one that the character's file describes; null: it is a program outside.
struct MadeRig {
  std::shared_ptr<Rig> rig;
  std::shared_ptr<CharacterRig> own;
};

// The rig of a character: its own, with the layers of `file` if there is one, or the program that `file` names.
// `vertices` as in CharacterRig.
MadeRig make_rig(const RigFile* file, const Character& character, const SimulationSurface& surface,
                 std::span<const int> vertices = {});

}  // namespace sinew
