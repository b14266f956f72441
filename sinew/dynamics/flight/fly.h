// Flight of a character that beats its wings: it holds a speed, a height and a heading.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/dynamics/flight/flyer.h"

namespace sinew {

// Where a body is to fly at one time; between two of them on a line.
struct FlightGoal {
  double time = 0;     // seconds
  double height = 0;   // metres
  double heading = 0;  // radians about y from +z; full turns add up
};

struct FlightOptions {
  double speed = 6;  // m/s
  double seconds = 10;
  double step = 1.0 / 600;  // seconds
  double frames_per_second = 60;
  std::vector<FlightGoal> goals{};  // by time; empty: level and straight on from height 0
  bool ends_lost = false;           // nothing is simulated after the body is lost
};

struct FlightRecord {
  std::vector<double> times;
  std::vector<TreePose> poses;
  // Time at which it went over, or was farther than two spans from its height. The poses may end after it.
  std::optional<double> lost;
  // Means after the first second: speed along the heading, m/s; distances from the height, metres, and from the
  // heading, radians, as roots of mean squares; power of the wings' joints, watts.
  double speed = 0, off_height = 0, off_heading = 0, power = 0;
  double most_lean = 0;  // largest angle of the body's back from upright, radians
  // Energy, joules: gained by the body, of the joints, and that the air took. The first is the second less the third.
  double gained = 0, worked = 0, taken = 0;
};

// Same bits every time: one thread computes.
FlightRecord fly(const Flyer& flyer, const Stroke& stroke, const FlightOptions& options);

struct FoundStroke {
  Stroke stroke;
  FlightRecord flight;
  double cost = 0;  // below 10 where the body is not lost
  int tries = 0;
};

// The best stroke of CMA-ES over flights, beginning with `first`; without goals each flight climbs and turns. Same
// numbers for any number of threads.
FoundStroke find_stroke(const Flyer& flyer, const Stroke& first, const FlightOptions& options, int tries,
                        std::uint64_t seed, const Progress& progress = {});

// A stroke that suits the body's size and speed: a Strouhal number of 0.3.
Stroke usual_stroke(const Flyer& flyer, double speed);

}  // namespace sinew
