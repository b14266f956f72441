// Capell (2004), figure 5.4: soft ears and stiff horns, painted on the vertices of the lattice (section 4.10), while
// the head is shaken.
#pragma once

#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/mesh/triangle_mesh.h"
#include "studies/capell/posed_lattice.h"

namespace sinew {

// Vertices of the lattice within `radius` of one of the places get `stiffness` and `damping`; so far the surface counts
// as this part.
struct PaintedPart {
  std::string name;
  std::vector<Vec3> places;  // rest space, over the character's height
  double radius = 0;         // over the height
  double stiffness = 1, damping = 1;
};

struct PaintOptions {
  std::vector<PaintedPart> parts;
  std::string shaken;        // bone, with all that hang on it
  double degrees = 18;       // to each side, about the vertical
  double swings = 1.2;       // a second
  double seconds = 5.0 / 3;  // of shaking; as long again the head stands still
  int cells = 800, levels = 2;
  double limit = 2;  // what is shown at most, as a share of the distance from the bone
};

// What is painted on a character whose ears and horns are known; no parts for others.
PaintOptions paint_of(const std::string& character);

struct PaintRun {
  std::string material;
  std::vector<double> largest, rms;  // per part: displacement from the rig over all frames, over the height
  std::vector<double> settled;       // per part: seconds after the shaking until it moves by less than a tenth of that
  std::vector<std::vector<Vec3>> frames;  // the surface as shown, world
};

struct PaintExperiment {
  std::string character;
  double height = 0;
  std::vector<double> times;  // of frames, seconds
  std::vector<PaintedPart> parts;
  TriangleMesh rest;
  std::vector<int> part_of_vertex;     // of the surface, or -1
  std::vector<int> shaken;             // vertices
  std::vector<int> painted;            // per part, vertices of the lattice
  std::vector<std::vector<Vec3>> rig;  // the surface without flesh, per frame
  std::vector<PaintRun> runs;          // uniform, painted
};

// Throws input_error for a character without the bone.
PaintExperiment paint_experiment(const Character& character, const std::string& name, const PaintOptions& options,
                                 const Progress& progress = {});

}  // namespace sinew
