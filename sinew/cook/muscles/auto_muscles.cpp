#include "sinew/cook/muscles/auto_muscles.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "sinew/anatomy/bone_names.h"
#include "sinew/base/index.h"
#include "sinew/mesh/bounding_volume_hierarchy.h"
#include "sinew/mesh/surface/ray_cast.h"
#include "sinew/shape/guide.h"

namespace sinew {
namespace {

// The middle of a belly lies at this share of the way from bone to skin, and its radius is that share of the way; at
// most that share of the muscle's length.
constexpr double depth_of_belly = 0.5, radius_of_belly = 0.6, thickest = 0.35;
// Ends lie deeper than the belly.
constexpr double depth_of_ends = 0.4;
// A joint that is bent by more than this at rest, in radians, shows which way it bends.
constexpr double clearly_bent = 0.2;

// The way in which a muscle lies beside its bones, in the body's own directions.
enum class Side { front, back, outside };

// Turn of the joint, degrees, from which and at which a muscle is fully active.
struct Turn {
  double from, to;
};

// A muscle along a bone to the next one.
struct LimbMuscle {
  const char* name;
  const char *bone, *next;  // parts
  Side side;
  double origin, belly, insertion;  // shares of the bone's length; of the next bone's for the insertion
  Turn turn;
};
constexpr LimbMuscle limb_muscles[] = {
    {"biceps", "upperarm", "forearm", Side::front, 0.1, 0.55, 0.12, {10, 100}},
    {"triceps", "upperarm", "forearm", Side::back, 0.1, 0.5, 0.06, {10, 60}},
    {"quadriceps", "thigh", "shin", Side::front, 0.12, 0.55, 0.08, {10, 60}},
    {"hamstrings", "thigh", "shin", Side::back, 0.12, 0.55, 0.12, {10, 100}},
    {"calf", "shin", "foot", Side::back, 0.06, 0.35, 0.1, {5, 40}},
};

Vec3 without(const Vec3& of, const Vec3& along) { return of - dot(of, along) * along; }

class Placing {
 public:
  explicit Placing(const SimulationSurface& surface) : surface_(surface), tree_(surface.rest) {
    for (const Bone& bone : surface.bones) {
      names_.push_back(bone_name(bone.name));
      parents_.push_back(bone.parent);
    }
    find_directions();
  }

  MuscleFile place() {
    for (const int side : {1, -1}) {
      for (const LimbMuscle& muscle : limb_muscles) place_on_limb(muscle, side);
      place_deltoid(side);
      place_pectoral(side);
      place_gluteal(side);
      place_in_neck(side);
    }
    return std::move(file_);
  }

 private:
  const Vec3& head(int bone) const { return main_segment(surface_.bones[index(bone)]).head; }

  // The bone of this part and side with the lowest number; -1: none. Helpers are no parts of a skeleton.
  int find(std::string_view part, int side) const {
    int found = -1;
    for (std::size_t b = 0; b < names_.size(); ++b)
      if (names_[b].part == part && names_[b].side == side && !surface_.bones[b].helper &&
          (found < 0 || names_[b].number < names_[index(found)].number))
        found = static_cast<int>(b);
    return found;
  }

  bool descends(int bone, int from) const {
    while (bone >= 0 && bone != from) bone = parents_[index(bone)];
    return bone == from && bone >= 0;
  }

  // The bone that follows another one in a limb: that of the part, or the child with the longest bone.
  int next_bone(int bone, std::string_view part, int side) const {
    const int named = find(part, side);
    if (named >= 0 && named != bone) return named;
    int found = -1;
    double longest = 0;
    for (std::size_t b = 0; b < parents_.size(); ++b) {
      const BoneSegment& segment = main_segment(surface_.bones[b]);
      const double length = distance(segment.head, segment.tail);
      if (parents_[b] == bone && !surface_.bones[b].helper && length > longest) {
        longest = length;
        found = static_cast<int>(b);
      }
    }
    return found;
  }

  // The character's left and front, from the sides that names of bones tell.
  void find_directions() {
    Vec3 left;
    for (std::size_t b = 0; b < names_.size(); ++b) {
      if (names_[b].side != 1) continue;
      const int other = find(names_[b].part, -1);
      if (other >= 0) left += head(static_cast<int>(b)) - head(other);
    }
    left.y = 0;
    left_ = squared_norm(left) > 0 ? normalized(left) : Vec3{1, 0, 0};
    front_ = cross(left_, up_);
  }

  Vec3 direction_of(Side side, int of_body) const {
    switch (side) {
      case Side::front:
        return front_;
      case Side::back:
        return -front_;
      case Side::outside:
        return up_ + of_body * left_;
    }
    return front_;
  }

  // The point at a share of the way from a place at the bones to the skin, in a direction; the way itself. False if
  // there is no skin.
  bool towards_skin(const Vec3& from, const Vec3& direction, double share, Vec3& point, double& way) const {
    const RayHit hit = cast_ray(tree_, from, direction, 0, longest_side(surface_.rest));
    if (hit.triangle < 0 || !hit.leaves) return false;
    way = hit.distance;
    point = from + (share * way) * direction;
    return true;
  }

  // A place beside the bones, at the side of the bone where a muscle lies.
  struct Beside {
    Vec3 at;         // near the bone
    Vec3 direction;  // to the skin, of unit length
  };

  void add(const std::string& name, int side, int origin_bone, int insertion_bone, const Beside& origin,
           const Beside& belly, const Beside& insertion, const Turn& turn) {
    Muscle muscle;
    double way = 0, at_end = 0;
    Vec3 middle;
    if (!towards_skin(belly.at, belly.direction, depth_of_belly, middle, way) ||
        !towards_skin(origin.at, origin.direction, depth_of_ends, muscle.origin.place, at_end) ||
        !towards_skin(insertion.at, insertion.direction, depth_of_ends, muscle.insertion.place, at_end))
      return;
    const double length = distance(muscle.origin.place, middle) + distance(middle, muscle.insertion.place);
    muscle.name = name + (side > 0 ? ".L" : ".R");
    muscle.origin.joint = surface_.bones[index(origin_bone)].name;
    muscle.insertion.joint = surface_.bones[index(insertion_bone)].name;
    muscle.path = {middle};
    muscle.radius = std::min(radius_of_belly * way, thickest * length);
    muscle.activation.from = turn.from, muscle.activation.to = turn.to;
    if (muscle.radius > 0) file_.muscles.push_back(std::move(muscle));
  }

  void place_on_limb(const LimbMuscle& muscle, int side) {
    const int bone = find(muscle.bone, side);
    if (bone < 0) return;
    const int next = next_bone(bone, muscle.next, side);
    if (next < 0) return;
    const BoneSegment& beyond = main_segment(surface_.bones[index(next)]);
    const Vec3 from = head(bone), along = beyond.head - from, further = beyond.tail - beyond.head;
    if (!(norm(along) > 0) || !(norm(further) > 0)) return;
    const Vec3 axis = normalized(along), next_axis = normalized(further);
    // The front of an elbow and the back of a knee is where the bones bend to.
    Vec3 direction = direction_of(muscle.side, side);
    const Vec3 bend = without(next_axis, axis);
    const bool arm = muscle.bone == std::string_view("upperarm"), leg = muscle.bone == std::string_view("thigh");
    if ((arm || leg) && norm(bend) > clearly_bent) direction = arm == (muscle.side == Side::front) ? bend : -bend;
    const auto beside = [&](const Vec3& at, const Vec3& bone_axis) {
      return Beside{at, normalized(without(direction, bone_axis))};
    };
    if (!(norm(without(direction, axis)) > 0.1) || !(norm(without(direction, next_axis)) > 0.1)) return;
    add(muscle.name, side, bone, next, beside(from + muscle.origin * along, axis),
        beside(from + muscle.belly * along, axis), beside(beyond.head + muscle.insertion * further, next_axis),
        muscle.turn);
  }

  void place_deltoid(int side) {
    const int arm = find("upperarm", side);
    if (arm < 0 || parents_[index(arm)] < 0) return;
    const int shoulder = parents_[index(arm)], next = next_bone(arm, "forearm", side);
    if (next < 0) return;
    const Vec3 along = head(next) - head(arm);
    if (!(norm(along) > 0)) return;
    const Vec3 outside = without(direction_of(Side::outside, side), normalized(along));
    if (!(norm(outside) > 0.1)) return;
    const Vec3 direction = normalized(outside);
    const Vec3 inward = 0.15 * norm(along) * normalized(head(shoulder) - head(arm) + 1e-9 * up_);
    add("deltoid", side, shoulder, arm, {head(arm) + inward, direction}, {head(arm) + 0.15 * along, direction},
        {head(arm) + 0.5 * along, direction}, {10, 80});
  }

  void place_pectoral(int side) {
    const int arm = find("upperarm", side), next = arm < 0 ? -1 : next_bone(arm, "forearm", side);
    int chest = find("chest", 0);
    if (chest < 0) chest = find("spine", 0);
    if (next < 0 || chest < 0) return;
    const Vec3 along = head(next) - head(arm);
    // On the level of the shoulder, a fifth of the way from the middle to it.
    const Vec3 to_shoulder = dot(head(arm) - head(chest), left_) * left_;
    Vec3 middle = head(arm) - to_shoulder;
    middle -= 0.25 * norm(to_shoulder) * up_;
    const Vec3 axis = normalized(along);
    if (!(norm(along) > 0) || !(norm(without(front_, axis)) > 0.1)) return;
    add("pectoral", side, chest, arm, {middle + 0.2 * to_shoulder, front_}, {middle + 0.6 * to_shoulder, front_},
        {head(arm) + 0.3 * along, normalized(without(front_, axis))}, {10, 80});
  }

  void place_gluteal(int side) {
    const int thigh = find("thigh", side), next = thigh < 0 ? -1 : next_bone(thigh, "shin", side);
    if (next < 0 || parents_[index(thigh)] < 0) return;
    const int hips = find("hips", 0) >= 0 ? find("hips", 0) : parents_[index(thigh)];
    const Vec3 along = head(next) - head(thigh);
    if (!(norm(along) > 0) || !(norm(without(-front_, normalized(along))) > 0.1)) return;
    const Vec3 direction = normalized(without(-front_, normalized(along)));
    const Vec3 inward = 0.5 * dot(head(hips) - head(thigh), left_) * left_;
    add("gluteal", side, hips, thigh, {head(thigh) + inward - 0.2 * along, direction},
        {head(thigh) + 0.4 * inward, direction}, {head(thigh) + 0.25 * along, direction}, {10, 60});
  }

  void place_in_neck(int side) {
    const int neck = find("neck", 0), skull = find("head", 0);
    if (neck < 0 || skull < 0 || parents_[index(neck)] < 0 || !descends(skull, neck)) return;
    const Vec3 along = head(skull) - head(neck);
    const Vec3 beside = without(front_ + side * left_, normalized(along));
    if (!(norm(along) > 0) || !(norm(beside) > 0.1)) return;
    const Vec3 direction = normalized(beside);
    add("neck", side, parents_[index(neck)], skull, {head(neck), direction}, {head(neck) + 0.5 * along, direction},
        {head(skull), direction}, {10, 45});
  }

  const SimulationSurface& surface_;
  BoundingVolumeHierarchy tree_;
  std::vector<BoneName> names_;  // per bone
  std::vector<int> parents_;     // per bone
  Vec3 left_, front_;
  Vec3 up_{0, 1, 0};
  MuscleFile file_;
};

}  // namespace

MuscleFile find_muscles(const SimulationSurface& surface) { return Placing(surface).place(); }

}  // namespace sinew
