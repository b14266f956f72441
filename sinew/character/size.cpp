#include "sinew/character/size.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "sinew/base/error.h"
#include "sinew/character/figures.h"

namespace sinew {
namespace {

// What is believed of a file that means metres: hands and insects are small, dinosaurs high and whales long.
constexpr double smallest_in_metres = 0.03, highest_in_metres = 20, longest_in_metres = 60;
// What another unit has to make of it.
constexpr double smallest_converted = 0.2, largest_converted = 10;  // metres
// Sizes beyond these are believed and remarked upon.
constexpr double usual_smallest = 0.3, usual_highest = 5;  // metres
constexpr double default_height = 1.7;                     // metres

struct Unit {
  const char* name;
  double metres;
};

// Tried in this order. The last two are for files whose exporter divided once too often.
constexpr std::array<Unit, 4> guesses = {
    {{"a centimetre", 0.01}, {"a millimetre", 0.001}, {"100 metres", 100}, {"1000 metres", 1000}}};

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", value);
  return text.data();
}

// Skinned parts make the character; a file without any is measured whole.
bool counts(const Part& part, bool only_skinned) {
  return part.triangles && !part.surface.positions.empty() && (!only_skinned || part.skin >= 0);
}

// In file units.
struct Extent {
  double height = 0;   // along +Y; of a sheet that lies on the ground, its width
  double largest = 0;  // along any axis
};

Extent extent_of(const Character& character) {
  const std::vector<int> figure = figures_of_parts(character);
  const bool only_skinned =
      std::any_of(character.parts.begin(), character.parts.end(), [](const Part& part) { return counts(part, true); });
  const Pose pose = sample(character.skeleton, nullptr, 0);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec3 low{infinity, infinity, infinity}, high = -low;
  for (std::size_t p = 0; p < character.parts.size(); ++p) {
    const Part& part = character.parts[p];
    if (!counts(part, only_skinned) || figure[p] > 0) continue;  // of several characters the main one
    for (const Vec3& x : posed_positions(character, part, pose)) {
      low = min(low, x);
      high = max(high, x);
    }
  }
  const Vec3 extent = high - low;
  if (!is_finite(extent)) return {};
  const double largest = std::max({extent.x, extent.y, extent.z});
  return {extent.y > 1e-3 * largest ? extent.y : largest, largest};
}

bool is_believable_in_metres(const Extent& extent) {
  return extent.largest >= smallest_in_metres && extent.largest <= longest_in_metres &&
         extent.height <= highest_in_metres;
}

bool is_believable_in(const Unit& unit, const Extent& extent) {
  const double largest = extent.largest * unit.metres;
  return largest >= smallest_converted && largest <= largest_converted;
}

SizeDecision guess(const Extent& extent) {
  const double height = extent.height;
  if (!(height > 0)) return {1, 0, "The file shows no surface with an extent; its unit is taken as one metre."};
  const std::string in_units = number(height);
  if (is_believable_in_metres(extent)) {
    const bool usual = extent.largest >= usual_smallest && height <= usual_highest;
    return {1, height,
            "The character is " + in_units + " m high" +
                (usual ? "." : ", as its file says (--height or --unit says otherwise).")};
  }
  for (const Unit& unit : guesses)
    if (is_believable_in(unit, extent))
      return {unit.metres, height,
              "The character would be " + in_units + " m high if its file were in metres; one unit is taken to be " +
                  unit.name + ", so that it is " + number(height * unit.metres) +
                  " m high (--height or --unit says otherwise)."};
  return {default_height / height, height,
          "The character would be " + in_units + " m high if its file were in metres; it is taken to be " +
              number(default_height) + " m high (--height or --unit says otherwise)."};
}

void require_positive(double value, const char* option) {
  if (!(value > 0) || !std::isfinite(value))
    throw usage_error(std::string(option) + " must be a number greater than zero.");
}

}  // namespace

SizeDecision decide_size(const Character& character, std::optional<double> height, std::optional<double> unit) {
  if (height && unit) throw usage_error("--height and --unit say the same thing twice; give one of them.");
  const Extent extent = extent_of(character);
  const double in_units = extent.height;
  if (unit) {
    require_positive(*unit, "--unit");
    return {*unit, in_units,
            "The character is " + number(in_units * *unit) + " m high (unit given: " + number(*unit) + " m)."};
  }
  if (!height) return guess(extent);
  require_positive(*height, "--height");
  if (!(in_units > 0))
    throw usage_error(character.file + ": shows no surface whose height could be set; leave --height away.");
  return {*height / in_units, in_units, "The character is " + number(*height) + " m high (height given)."};
}

double parse_unit(const std::string& text) {
  constexpr std::array<Unit, 5> units = {{{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}}};
  for (const Unit& unit : units)
    if (text == unit.name) return unit.metres;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || end != text.c_str() + text.size() || !(value > 0) || !std::isfinite(value))
    throw usage_error("--unit \"" + text + "\" is not known; give m, cm, mm, in, ft or a number of metres.");
  return value;
}

}  // namespace sinew
