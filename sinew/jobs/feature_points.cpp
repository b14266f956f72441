#include "sinew/jobs/feature_points.h"

#include <algorithm>
#include <sstream>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew {
namespace {

class FeatureLine {
 public:
  FeatureLine(const std::string& text, const std::string& where) : words_(text), where_(where) {}

  Vec3 point(const SimulationSurface& surface) {
    std::string word = next();
    if (word.starts_with("bone:")) return joint(surface, word.substr(5));
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
  Error wrong(const std::string& what) const {
    return input_error(where_ + what + "; write two points a line, each x y z (metres, at rest) or bone:NAME.");
  }

  std::istringstream words_;
  std::string where_;
};

}  // namespace

std::vector<PointPair> feature_points_from(std::string_view text, const std::string& file,
                                           const SimulationSurface& source, const SimulationSurface& target) {
  std::vector<PointPair> pairs;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line.erase(std::min(line.find('#'), line.size()));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    FeatureLine read(line, file + ", line " + std::to_string(number) + ": ");
    PointPair pair;
    pair.source = read.point(source);
    pair.target = read.point(target);
    read.finish();
    pairs.push_back(pair);
  }
  if (pairs.empty())
    throw input_error(file + ": has no points; write two a line, each x y z (metres, at rest) or bone:NAME.");
  return pairs;
}

std::vector<PointPair> read_feature_points(const std::filesystem::path& file, const SimulationSurface& source,
                                           const SimulationSurface& target) {
  return feature_points_from(read_text_file(file), file.string(), source, target);
}

}  // namespace sinew
