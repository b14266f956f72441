// Motion capture for tests.
#pragma once

#include <cmath>
#include <string>
#include <utility>

namespace sinew::test {

// A walk of a second in centimetres: legs swing and bend, arms hang.
inline std::string walking_bvh() {
  std::string text =
      "HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n";
  for (const auto& [side, x] : {std::pair{"Left", "10"}, {"Right", "-10"}}) {
    const std::string s = side;
    text +=
        "JOINT " + s + "UpLeg\n{\nOFFSET " + x + " -5 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT " + s +
        "Leg\n{\nOFFSET 0 -40 1\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT " + s +
        "Foot\n{\nOFFSET 0 -40 -2\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 -7 14\n}\n}\n}\n}\n";
  }
  text +=
      "JOINT Spine\n{\nOFFSET 0 20 0\nCHANNELS 3 Zrotation Xrotation Yrotation\nJOINT Head\n{\nOFFSET 0 40 0\n"
      "CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 15 0\n}\n}\n}\n}\nMOTION\nFrames: 31\nFrame "
      "Time: 0.0333333\n";
  for (int f = 0; f <= 30; ++f) {
    const double s = std::sin(6.2831853 * f / 30), knee = 20 + 15 * s;
    text += "0 92 " + std::to_string(3 * f) + " 0 0 0 ";
    for (const double sign : {1.0, -1.0}) {
      text += "0 " + std::to_string(-25 * sign * s) + " 0 0 " + std::to_string(knee) + " 0 0 0 0 ";
    }
    text += "0 0 0 0 0 0\n";
  }
  return text;
}

}  // namespace sinew::test
