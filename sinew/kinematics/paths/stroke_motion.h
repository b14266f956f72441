// Motion drawn in one stroke, with the timing of the drawing: the body travels along it, and the line of its trunk
// follows the stroke's shape (after Guay, Ronfard, Gleicher and Cani 2015, "Space-time sketching of character
// animation"). A dip and an arc is a jump, a stroke along the ground a walk or a dash, by how fast it is drawn.
#pragma once

#include <array>
#include <vector>

#include "sinew/kinematics/gestures.h"

namespace sinew {

// Where the hips are to be. Lengths are shares of the leg's, along the body's left, up and forward, as in GesturePose.
struct TimedStroke {
  std::vector<double> times;  // seconds, ascending
  std::vector<Vec3> points;   // displacements from where the hips stand
};

// The body in terms of gestures. Of a stroke that rises and falls, feet stay on the ground while the hips are low
// enough for the legs to reach it, and are in the air otherwise; along the ground they walk, or run with a flight in
// each step, by how fast the stroke is. The body looks where it goes: along the stroke as a whole if that rises and
// falls, and from place to place along the ground.
class StrokeMotion {
 public:
  // Throws usage_error for strokes of fewer than two points, for times that do not ascend, and for what is shorter than
  // 0.05 s or longer than 60 s or 1,000 legs.
  StrokeMotion(const TimedStroke& stroke, const GestureBody& body);

  double seconds() const { return seconds_; }
  GesturePose pose(double time) const;

  // Times in which no foot is on the ground.
  struct Leap {
    double begin = 0, end = 0;
  };
  const std::vector<Leap>& leaps() const { return leaps_; }

  // The place of the hips at a time: the stroke, smoothed.
  Vec3 place(double time) const;

 private:
  // Where a body stands and looks.
  struct Stand {
    Vec3 place;  // on the ground
    double heading = 0;
  };
  struct Step {
    double begin = 0, end = 0;  // seconds during which the foot is in the air
    Stand to;
  };
  void smooth(const TimedStroke& stroke);
  void find_headings();
  void find_paces();
  void find_leaps();
  void find_steps(double begin, double end, int& next);
  Stand stand_at(double time) const;
  Vec3 velocity(double time) const;
  double at(const std::vector<double>& frames, double time) const;
  void make_paces_whole(double begin, double end);
  double time_of_pace(double pace, double begin, double end) const;

  GestureBody body_;
  double seconds_ = 0;
  bool rises_ = false;           // the stroke is drawn in the air, not along the ground
  std::vector<Vec3> places_;     // per frame
  std::vector<double> heading_;  // per frame, radians
  std::vector<double> way_;      // per frame: length along the ground until there
  std::vector<double> runs_;     // per frame: 0 walks, 1 runs
  std::vector<double> pace_;     // per frame: the number of steps until there, at the length of its speed
  std::vector<Leap> leaps_;
  std::array<std::vector<Step>, 4> steps_;  // per foot, ascending
};

}  // namespace sinew
