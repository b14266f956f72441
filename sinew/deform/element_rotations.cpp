#include "sinew/deform/element_rotations.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"

namespace sinew {
namespace {

Mat3 blended_rotation(const Mat3& a, const Mat3& b, double share) {
  return to_matrix(slerp(to_quaternion(a), to_quaternion(b), share));
}

std::array<double, 9> numbers_of(const Mat3& m) {
  std::array<double, 9> numbers;
  std::copy(std::begin(m.m), std::end(m.m), numbers.begin());
  return numbers;
}

}  // namespace

void ElementRotations::at(double seconds, std::vector<Mat3>& of_elements) const {
  of_elements.resize(elements());
  const auto next = std::upper_bound(time.begin(), time.end(), seconds);
  const std::size_t after = static_cast<std::size_t>(next - time.begin()), before = after == 0 ? 0 : after - 1;
  const bool between = after > 0 && after < time.size() && seconds > time[before];
  std::vector<Mat3> of_groups(frame(before).begin(), frame(before).end());
  if (between) {
    const double share = (seconds - time[before]) / (time[after] - time[before]);
    for (std::size_t g = 0; g < of_groups.size(); ++g)
      if (frame(after)[g] != of_groups[g]) of_groups[g] = blended_rotation(of_groups[g], frame(after)[g], share);
  }
  for (std::size_t t = 0; t < of_elements.size(); ++t) of_elements[t] = of_groups[index(group[t])];
}

void ElementRotations::add(double seconds, std::span<const Mat3> of_elements) {
  if (time.empty())
    for (std::size_t t = 0; t < of_elements.size(); ++t) group.push_back(static_cast<int>(t));
  if (of_elements.size() != elements())
    throw usage_error("a frame has rotations of " + std::to_string(of_elements.size()) +
                      " elements, and those before of " + std::to_string(elements()) +
                      "; write the rotations of one body into one file.");
  if (!time.empty() && !(seconds > time.back()))
    throw usage_error(
        "a frame of rotations does not come after the one before it; write frames in the order of their "
        "times.");
  time.push_back(seconds);
  rotation.insert(rotation.end(), of_elements.begin(), of_elements.end());
}

ElementRotations ElementRotations::grouped() const {
  std::vector<int> now(groups(), 0);
  int count = 1;
  for (std::size_t k = 0; k < time.size(); ++k) {
    std::map<std::pair<int, std::array<double, 9>>, int> known;
    for (std::size_t g = 0; g < now.size(); ++g)
      now[g] = known.emplace(std::pair(now[g], numbers_of(frame(k)[g])), static_cast<int>(known.size())).first->second;
    count = static_cast<int>(known.size());
  }
  ElementRotations result{{}, time, std::vector<Mat3>(time.size() * index(count))};
  for (const int g : group) result.group.push_back(now[index(g)]);
  for (std::size_t k = 0; k < time.size(); ++k)
    for (std::size_t g = 0; g < now.size(); ++g) result.rotation[k * index(count) + index(now[g])] = frame(k)[g];
  return result;
}

}  // namespace sinew
