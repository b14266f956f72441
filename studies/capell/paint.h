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

// A painted part: vertices of the lattice within `radius` of one of the places get `stiffness` and `damping`. The same
// distance decides which part of the surface belongs to it.
struct PaintedPart {
  std::string name;
  std::vector<Vec3> places;  // rest space, relative to the character's height
  double radius = 0;         // relative to the height
  double stiffness = 1, damping = 1;
};

struct PaintOptions {
  std::vector<PaintedPart> parts;
  std::string shaken;        // bone that is shaken, with everything attached to it
  double degrees = 18;       // to each side, about the vertical axis
  double swings = 1.2;       // per second
  double seconds = 5.0 / 3;  // duration of the shaking; the head then stands still for as long
  int cells = 800, levels = 2;
  double limit = 2;  // limit of the displayed displacement, relative to the distance from the bone
};

// Painted parts of characters whose ears and horns are known; none for others.
PaintOptions paint_of(const std::string& character);

struct PaintRun {
  std::string material;
  std::vector<double> largest, rms;  // per part: displacement from the rig over all frames, relative to the height
  // Per part: seconds after the shaking until the displacement stays below a tenth of `largest`.
  std::vector<double> settled;
  std::vector<std::vector<Vec3>> frames;  // the displayed surface, world
};

struct PaintExperiment {
  std::string character;
  double height = 0;
  std::vector<double> times;  // of frames, seconds
  std::vector<PaintedPart> parts;
  TriangleMesh rest;
  std::vector<int> part_of_vertex;     // of the surface, or -1
  std::vector<int> shaken;             // vertices
  std::vector<int> painted;            // per part: number of lattice vertices
  std::vector<std::vector<Vec3>> rig;  // the rig's surface, per frame
  std::vector<PaintRun> runs;          // uniform, painted
};

// Throws input_error for a character without the bone.
PaintExperiment paint_experiment(const Character& character, const std::string& name, const PaintOptions& options,
                                 const Progress& progress = {});

}  // namespace sinew
