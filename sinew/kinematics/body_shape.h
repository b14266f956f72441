// The shape of a body: distances of its skin from its bones, all around trunk, head, legs and arms. Places near the
// skin have coordinates that mean the same on every body (part, share of its length, side, distance from the skin), so
// that a hand that rests on one belly rests on another one, however fat (docs/motion.md).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "sinew/kinematics/transfer_motion.h"

namespace sinew {

// A point of the skin in the reference pose.
struct SkinPoint {
  int joint = -1;  // that carries most of it
  Vec3 place;      // world, file units
};

// World positions and rotations of all joints of a posed skeleton.
struct PosedJoints {
  std::span<const Vec3> position;
  std::span<const Quat> rotation;
};

class BodyShape {
 public:
  // Parts of all bodies, each with one axis.
  enum Part : std::size_t {
    trunk,
    head,
    left_thigh,
    right_thigh,
    left_shin,
    right_shin,
    left_upper_arm,
    right_upper_arm,
    left_forearm,
    right_forearm,
    parts
  };

  // A place near a part.
  struct Place {
    double along = 0;  // share of the part's axis, from the hips or the joint; beyond its ends outside of 0 to 1
    std::size_t piece = 0, pieces = 0;  // of the axis, and how many it has: bodies with as many use the same one
    double beyond = 0;                  // distance along the axis from that piece, in bends between pieces, file units
    double around = 0;                  // radians about the axis, from the front to the left; of arms, upwards
    double gap = 0;                     // distance from the skin, file units; negative inside
  };

  // The body lacks parts of which `skin` has too few points. `body` and `frames`, which are its own, must outlive this.
  BodyShape(const RiggedBody& body, const AnatomicalFrames& frames, std::span<const SkinPoint> skin);

  bool has(Part part) const { return !axes_[part].joints.empty(); }
  Place place_of(Part part, const Vec3& point, const PosedJoints& pose) const;
  Vec3 point_at(Part part, const Place& place, const PosedJoints& pose) const;

 private:
  static constexpr std::size_t rings = 8, sides = 16;

  // A chain of joints with a piece of the axis each, in the anatomical frame of the joint.
  struct Axis {
    std::vector<int> joints;
    std::vector<Vec3> piece;    // file units
    std::vector<double> begin;  // share of the axis at which each piece begins, and 1
    // Directions in the standard pose, unit length: of the axis, and at right angles to it and to the front.
    Vec3 up, aside;
    // Distance of the skin from the axis, file units, by share of the axis and angle about it.
    std::array<std::array<double, sides>, rings> radius{};
  };
  struct OnPiece {
    std::size_t piece = 0;
    double share = 0;   // of the piece
    double beyond = 0;  // Place::beyond
    Vec3 away;          // from the axis at right angles to it, in the frame of the piece's joint
  };

  Quat frame(int joint, const PosedJoints& pose) const;
  void set_axis(Part part, std::vector<int> joints, const Vec3& end, const Vec3& up, const Vec3& aside);
  bool set_radii(Part part, std::span<const SkinPoint> skin, std::span<const int> part_of_joint);
  OnPiece on_piece(const Axis& axis, const Vec3& point, const PosedJoints& pose) const;
  double radius(const Axis& axis, double along, double around) const;

  const RiggedBody& body_;
  const AnatomicalFrames& frames_;
  std::array<Axis, parts> axes_;
};

}  // namespace sinew
