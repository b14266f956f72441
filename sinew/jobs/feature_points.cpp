#include "sinew/jobs/feature_points.h"

#include <algorithm>
#include <sstream>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew {
namespace {

constexpr const char* how_features = "write two points a line, each x y z (metres, at rest) or bone:NAME";
constexpr const char* how_moves =
    "write two places a line, x y z twice (metres, at rest): where a control point is and where it goes";

class PointsLine {
 public:
  PointsLine(const std::string& text, const std::string& where, const char* how)
      : words_(text), where_(where), how_(how) {}

  // A place or the joint of a bone.
  Vec3 point(const SimulationSurface& surface) {
    const std::streampos begin = words_.tellg();
    const std::string word = next();
    if (word.starts_with("bone:")) return joint(surface, word.substr(5));
    words_.seekg(begin);
    return place();
  }
  Vec3 place() {
    std::string word = next();
    Vec3 place;
    for (std::size_t k = 0; k < 3; ++k) {
      if (k > 0) word = next();
      std::size_t read = 0;
      try {
        place[k] = std::stod(word, &read);
      } catch (const std::exception&) {
        read = 0;
      }
      if (read == 0 || read != word.size()) throw wrong("'" + word + "' is no number");
    }
    if (!is_finite(place)) throw wrong("a place has numbers that are not finite");
    return place;
  }
  void finish() {
    std::string word;
    if (words_ >> word) throw wrong("there is more than two points");
  }

 private:
  std::string next() {
    std::string word;
    if (!(words_ >> word)) throw wrong("a point is missing");
    return word;
  }
  Vec3 joint(const SimulationSurface& surface, const std::string& name) const {
    const auto found =
        std::find_if(surface.bones.begin(), surface.bones.end(), [&](const Bone& bone) { return bone.name == name; });
    if (found == surface.bones.end()) throw wrong("there is no bone '" + name + "'");
    return found->segments.front().head;
  }
  Error wrong(const std::string& what) const { return input_error(where_ + what + "; " + how_ + "."); }

  std::istringstream words_;
  std::string where_;
  const char* how_;
};

// A pair for each line that is not empty; `read` takes it from the line.
template <class Read>
std::vector<PointPair> pairs_from(std::string_view text, const std::string& file, const char* how, const Read& read) {
  std::vector<PointPair> pairs;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.erase(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    PointsLine points(line, file + ", line " + std::to_string(number) + ": ", how);
    pairs.push_back(read(points));
    points.finish();
  }
  if (pairs.empty()) throw input_error(file + ": has no points; " + how + ".");
  return pairs;
}

}  // namespace

std::vector<PointPair> feature_points_from(std::string_view text, const std::string& file,
                                           const SimulationSurface& source, const SimulationSurface& target) {
  return pairs_from(text, file, how_features, [&](PointsLine& line) {
    const Vec3 there = line.point(source);
    return PointPair{there, line.point(target)};
  });
}

std::vector<PointPair> read_feature_points(const std::filesystem::path& file, const SimulationSurface& source,
                                           const SimulationSurface& target) {
  return feature_points_from(read_text_file(file), file.string(), source, target);
}

std::vector<PointPair> control_point_moves_from(std::string_view text, const std::string& file) {
  return pairs_from(text, file, how_moves, [](PointsLine& line) {
    const Vec3 from = line.place();
    return PointPair{from, line.place()};
  });
}

std::vector<PointPair> read_control_point_moves(const std::filesystem::path& file) {
  return control_point_moves_from(read_text_file(file), file.string());
}

}  // namespace sinew
