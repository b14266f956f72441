#include "sinew/files/obj.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/mesh/surface/polygon_triangulation.h"

namespace sinew {
namespace {

// Parses the whole word as a decimal number: no hexadecimal digits, no infinity, nothing after it.
std::optional<double> decimal_number(std::string_view word) {
  if (word.starts_with('+')) word.remove_prefix(1);
  if (word.starts_with('+')) return std::nullopt;
  double value = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size()) return std::nullopt;
  // Underflow is zero, or nearly; overflow is an error.
  if (status == std::errc::result_out_of_range)
    value = std::strtod(std::string(word).c_str(), nullptr);
  else if (status != std::errc{})
    return std::nullopt;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

class ObjReader {
 public:
  explicit ObjReader(std::string file) : file_(std::move(file)) {}

  void read_line(std::string_view line, std::size_t number) {
    line_ = number;
    if (line.find('\0') != std::string_view::npos) fail("has a NUL byte, and is no text");
    split(line);
    if (words_.empty()) return;
    if (words_[0] == "v") read_vertex();
    if (words_[0] == "f") read_face();
  }

  TriangleMesh finish() {
    if (mesh_.positions.empty()) throw input_error(file_ + ": has no vertices; give an OBJ file with a mesh.");
    if (mesh_.triangles.empty()) throw input_error(file_ + ": has no faces; give an OBJ file with a mesh.");
    const auto count = static_cast<int>(mesh_.positions.size());
    for (const auto& [line, vertex] : named_early_)
      if (vertex >= count) fail_at(line, "names a vertex that the file does not have");
    for (const auto& [first, corners] : unfinished_) place_polygon(corners, first);
    return std::move(mesh_);
  }

 private:
  [[noreturn]] void fail_at(std::size_t line, const std::string& text) const {
    throw input_error(file_ + ": line " + std::to_string(line) + " " + text + "; export the file again.");
  }
  [[noreturn]] void fail(const std::string& text) const { fail_at(line_, text); }

  void split(std::string_view line) {
    words_.clear();
    std::size_t i = 0;
    const auto is_space = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; };
    while (i < line.size()) {
      while (i < line.size() && is_space(line[i])) ++i;
      const std::size_t begin = i;
      while (i < line.size() && !is_space(line[i])) ++i;
      if (i == begin) break;
      if (line[begin] == '#') break;
      words_.push_back(line.substr(begin, i - begin));
    }
  }

  double number(std::string_view word) const {
    const std::optional<double> value = decimal_number(word);
    if (!value) fail("has \"" + shortened(word) + "\" where a number belongs");
    return *value;
  }

  // Words of hostile files can be megabytes long.
  static std::string shortened(std::string_view word) {
    return word.size() > 40 ? std::string(word.substr(0, 40)) + "..." : std::string(word);
  }

  void read_vertex() {
    if (words_.size() < 4) fail("has a vertex with fewer than three coordinates");
    if (mesh_.positions.size() >= static_cast<std::size_t>(std::numeric_limits<int>::max()))
      fail("is one vertex too many");
    mesh_.positions.push_back({number(words_[1]), number(words_[2]), number(words_[3])});
  }

  // "7", "7/1", "7//3", "7/1/3", or the same with negative numbers, which count back from the last vertex so far.
  // Positive numbers may refer to vertices that come later in the file.
  int corner(std::string_view word) {
    const std::string_view digits = word.starts_with('+') ? word.substr(1) : word;
    long index = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
    const bool ends = end == digits.data() + digits.size() || *end == '/';
    if (status == std::errc::result_out_of_range && ends) fail("names a vertex that the file does not have");
    if (status != std::errc{} || !ends || index == 0)
      fail("has \"" + shortened(word) + "\" where a vertex number belongs");
    const auto count = static_cast<long>(mesh_.positions.size());
    if (index < -count || index > std::numeric_limits<int>::max()) fail("names a vertex that the file does not have");
    const auto vertex = static_cast<int>(index < 0 ? count + index : index - 1);
    if (vertex >= count) named_early_.emplace_back(line_, vertex);
    return vertex;
  }

  void read_face() {
    if (words_.size() < 4) fail("has a face with fewer than three corners");
    const std::size_t early = named_early_.size();
    corners_.clear();
    for (std::size_t i = 1; i < words_.size(); ++i) corners_.push_back(corner(words_[i]));
    if (corners_.size() == 3) {
      mesh_.triangles.push_back({corners_[0], corners_[1], corners_[2]});
      return;
    }
    const std::size_t first = mesh_.triangles.size();
    mesh_.triangles.resize(first + corners_.size() - 2);
    if (named_early_.size() == early)
      place_polygon(corners_, first);
    else
      unfinished_.emplace_back(first, corners_);
  }

  // Triangulates the polygon again, whose triangles begin with number `first`.
  void place_polygon(const std::vector<int>& corners, std::size_t first) {
    places_.clear();
    for (const int vertex : corners) places_.push_back(mesh_.positions[static_cast<std::size_t>(vertex)]);
    cut_.clear();
    triangulate_polygon(places_, cut_);
    for (std::size_t t = 0; t < cut_.size(); ++t)
      for (std::size_t k = 0; k < 3; ++k) mesh_.triangles[first + t][k] = corners[static_cast<std::size_t>(cut_[t][k])];
  }

  std::string file_;
  std::size_t line_ = 0;
  std::vector<std::string_view> words_;
  std::vector<int> corners_;
  TriangleMesh mesh_;
  std::vector<std::pair<std::size_t, int>> named_early_;  // line and vertex, for corners before their vertex
  std::vector<std::pair<std::size_t, std::vector<int>>>
      unfinished_;  // first triangle and corners, for polygons with such corners
  std::vector<Vec3> places_;
  std::vector<Triangle> cut_;
};

// Returns the line at `begin` without its end (line feed, carriage return or both), and moves `begin` to the next line.
std::string_view take_line(std::string_view text, std::size_t& begin) {
  const std::size_t end = std::min(text.find_first_of("\n\r", begin), text.size());
  const std::string_view line = text.substr(begin, end - begin);
  begin = end + (text.substr(end).starts_with("\r\n") ? 2 : 1);
  return line;
}

}  // namespace

Character parse_obj(std::string_view text, const std::string& file) {
  ObjReader reader(file);
  std::string continued;
  std::size_t number = 0, begin = 0;
  while (begin < text.size()) {
    const std::string_view line = take_line(text, begin);
    ++number;
    if (!line.empty() && line.back() == '\\') {
      continued.append(line.substr(0, line.size() - 1)).push_back(' ');
      continue;
    }
    if (continued.empty()) {
      reader.read_line(line, number);
    } else {
      continued.append(line);
      reader.read_line(continued, number);
      continued.clear();
    }
  }
  if (!continued.empty()) reader.read_line(continued, number);

  Character character;
  character.file = file;
  Part part;
  part.surface = reader.finish();
  part.name = std::filesystem::path(file).stem().string();
  part.joint = part.mesh = part.primitive = 0;
  Joint root;
  root.name = part.name;
  character.skeleton.joints.push_back(std::move(root));
  character.skeleton.parents_first.push_back(0);
  character.parts.push_back(std::move(part));
  return character;
}

Character read_obj(const std::filesystem::path& path) { return parse_obj(read_text_file(path), path.string()); }

}  // namespace sinew
