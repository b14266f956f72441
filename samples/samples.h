// The sample characters: in metres, +Y up, facing +Z, feet on y = 0.
#pragma once

#include <string>

#include "glb_writer.h"
#include "remesh.h"

namespace sinew::samples {

// What a character is made of before it is meshed.
struct Design {
  Solid solid;
  Sizing sizing;
  std::vector<Paint> paints;
  double cell = 0;  // of the isosurface's grid, metres
  std::vector<Bone> bones;
  std::vector<Share> shares;
  double weight_cell = 0;  // of the grid that diffuses weights, metres
};

// Fills surface, normals and weights of `sample`, whose skeleton is there, and checks the surface.
// Returns its figures in one line of text.
std::string build_surface(const Design& design, Sample& sample);

Sample make_tube();
// Modelled once in a process.
Sample make_elephant();
Sample make_sumo();

// The same characters with controls for their flesh: joints (sumo), and wires (elephant), which a file beside the
// character describes.
Sample make_sumo_rig();
Sample make_elephant_rig();
std::string elephant_rig_layers();

// Toys without a skeleton, as OBJ.
std::string make_duck();
std::string make_star();

// Their clips.
void add_elephant_clips(Sample& elephant);
void add_sumo_clips(Sample& sumo);

}  // namespace sinew::samples
