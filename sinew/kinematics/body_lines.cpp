#include "sinew/kinematics/body_lines.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sinew/base/index.h"
#include "sinew/kinematics/body_bones.h"
#include "sinew/kinematics/posed_tree.h"

namespace sinew {
namespace {

constexpr int fit_samples = 32;
constexpr std::size_t most_ends = 40;  // of each kind, that are tried at each end of a stroke
constexpr double cut_short = 0.15;     // how much an end counts at which a line does not end of itself
// Lengths that differ by the factor e count as a misfit of this share of the stroke's length.
constexpr double length_weight = 0.5;

Polyline picture_of(const BodyLine& line, const Pose& pose, const PicturePlane& plane) {
  std::vector<Vec3> places;
  for (const LinePiece& piece : pieces_of(line)) {
    if (places.empty()) places.push_back(plane.seen(pose.world[index(piece.from)].translation));
    places.push_back(plane.seen(pose.world[index(piece.to)].translation));
  }
  return Polyline(std::move(places));
}

// Root mean square distance of a line's picture from the stroke, and how far their lengths differ; in lengths of the
// stroke.
double misfit(const Polyline& picture, const Polyline& stroke) {
  if (!(picture.length() > 0)) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (int k = 0; k <= fit_samples; ++k) {
    const double share = static_cast<double>(k) / fit_samples;
    sum += squared_norm(picture.at(share * picture.length()) - stroke.at(share * stroke.length()));
  }
  return std::sqrt(sum / (fit_samples + 1)) / stroke.length() +
         length_weight * std::abs(std::log(picture.length() / stroke.length()));
}

// The joints that are seen nearest to a place, in the order of their numbers.
std::vector<int> nearest_joints(std::vector<int> joints, const Pose& pose, const PicturePlane& plane,
                                const Vec3& place) {
  if (joints.size() <= most_ends) return joints;
  const auto from_place = [&](int joint) { return distance(plane.seen(pose.world[index(joint)].translation), place); };
  std::stable_sort(joints.begin(), joints.end(), [&](int a, int b) { return from_place(a) < from_place(b); });
  joints.resize(most_ends);
  std::sort(joints.begin(), joints.end());
  return joints;
}

}  // namespace

std::vector<LinePiece> pieces_of(const BodyLine& line) {
  std::vector<LinePiece> pieces;
  const std::vector<int>& joints = line.joints;
  for (std::size_t k = 0; k + 1 < joints.size(); ++k) {
    if (k + 1 == line.top && k + 2 < joints.size()) {
      pieces.push_back({joints[k], joints[k + 2], joints[line.top]});
      ++k;
      continue;
    }
    pieces.push_back({joints[k], joints[k + 1], k < line.top ? joints[k + 1] : joints[k]});
  }
  return pieces;
}

BodyLine line_between(const Skeleton& skeleton, int a, int b) {
  const int top = common_ancestor(skeleton, a, b);
  if (top < 0) return {};
  BodyLine line;
  for (int j = a; j != top; j = skeleton.joints[index(j)].parent) line.joints.push_back(j);
  line.top = line.joints.size();
  line.joints.push_back(top);
  std::vector<int> down;
  for (int j = b; j != top; j = skeleton.joints[index(j)].parent) down.push_back(j);
  line.joints.insert(line.joints.end(), down.rbegin(), down.rend());
  return line;
}

std::vector<int> line_ends(const Skeleton& skeleton, std::span<const char> bone) {
  const std::size_t n = skeleton.joints.size();
  std::vector<int> children(n);
  for (std::size_t j = 0; j < n; ++j)
    if (const int parent = skeleton.joints[j].parent; bone[j] && parent >= 0) ++children[index(parent)];
  std::vector<char> ends(n);
  for (std::size_t j = 0; j < n; ++j) {
    if (!bone[j]) continue;
    const int parent = skeleton.joints[j].parent;
    const bool is_first = parent < 0 || !bone[index(parent)];
    if (children[j] != 1 || is_first) ends[j] = 1;
    if (children[j] == 0 && !is_first) ends[index(parent)] = 1;
  }
  std::vector<int> joints;
  for (std::size_t j = 0; j < n; ++j)
    if (ends[j]) joints.push_back(static_cast<int>(j));
  return joints;
}

BodyLine line_under(const Skeleton& skeleton, std::span<const char> bone, const Pose& pose, const PicturePlane& plane,
                    const Polyline& stroke, int through) {
  const std::vector<int> ends = line_ends(skeleton, bone);
  std::vector<double> cost(bone.size(), cut_short);
  for (const int joint : ends) cost[index(joint)] = 0;
  std::vector<int> others;
  for (std::size_t j = 0; j < bone.size(); ++j)
    if (bone[j] && cost[j] > 0) others.push_back(static_cast<int>(j));
  const auto near = [&](const Vec3& place) {
    std::vector<int> joints = nearest_joints(ends, pose, plane, place);
    const std::vector<int> more = nearest_joints(others, pose, plane, place);
    joints.insert(joints.end(), more.begin(), more.end());
    return joints;
  };
  const std::vector<int> first = near(stroke.at(0)), last = near(stroke.at(stroke.length()));
  BodyLine best;
  double least = std::numeric_limits<double>::infinity();
  for (const int a : first)
    for (const int b : last) {
      if (a == b || first_bone(skeleton, bone, a) != first_bone(skeleton, bone, b)) continue;
      BodyLine line = line_between(skeleton, a, b);
      const std::vector<int>& joints = line.joints;
      if (joints.size() < 2 || (joints.size() == 3 && line.top == 1)) continue;  // nothing that bends
      if (through >= 0 && std::find(joints.begin(), joints.end(), through) == joints.end()) continue;
      const double off = misfit(picture_of(line, pose, plane), stroke) + cost[index(a)] + cost[index(b)];
      if (off < least) {
        least = off;
        best = std::move(line);
      }
    }
  return best;
}

}  // namespace sinew
