// A stroke over time makes a clip, from file to file (docs/motion.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sinew/jobs/open_character.h"

namespace sinew {

// The way of the hips.
struct DrawnStroke {
  std::vector<double> times;  // seconds, ascending
  std::vector<Vec3> points;   // metres, world; they count from the first one, which is where the hips stand
};

// Reads {"points": [[x, y, z], ...], "times": [...]} (docs/drawn_stroke.schema.json). Throws input_error.
DrawnStroke read_drawn_stroke(const std::filesystem::path& file);

struct DrawMotionJob {
  std::filesystem::path input, output;  // .glb, .gltf or .vrm
  SizeRequest size;
  std::filesystem::path stroke;
  double seconds = 0;  // of the new clip; 0: as it was drawn
  std::string name;    // of the new clip; empty: "drawn"
};

struct DrawnMotion {
  Clip clip;
  MotionReport feet;
  int leaps = 0;
};

// The clip of an open character. Throws usage_error and input_error, sentences that name what is missing.
DrawnMotion drawn_motion(const OpenedCharacter& opened, const DrawnStroke& stroke);

DrawnMotion draw_motion(const DrawMotionJob& job);

}  // namespace sinew
