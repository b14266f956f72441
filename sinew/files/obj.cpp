#include "sinew/files/obj.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>
#include <vector>

#include "sinew/base/error.h"
#include "sinew/base/file.h"

namespace sinew {
namespace {

class ObjReader {
 public:
  explicit ObjReader(std::string file) : file_(std::move(file)) {}

  void read_line(std::string_view line, std::size_t number) {
    line_ = number;
    split(line);
    if (words_.empty()) return;
    if (words_[0] == "v") read_vertex();
    if (words_[0] == "f") read_face();
  }

  TriangleMesh finish() {
    if (mesh_.positions.empty()) throw input_error(file_ + ": has no vertices; give an OBJ file with a mesh.");
    if (mesh_.triangles.empty()) throw input_error(file_ + ": has no faces; give an OBJ file with a mesh.");
    const auto count = static_cast<int>(mesh_.positions.size());
    for (std::size_t t = 0; t < mesh_.triangles.size(); ++t)
      for (const int vertex : mesh_.triangles[t])
        if (vertex >= count) fail_at(triangle_lines_[t], "names a vertex that the file does not have");
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
      words_.emplace_back(line.substr(begin, i - begin));
    }
  }

  double number(const std::string& word) const {
    char* end = nullptr;
    const double value = std::strtod(word.c_str(), &end);
    if (end != word.c_str() + word.size() || !std::isfinite(value))
      fail("has \"" + shortened(word) + "\" where a number belongs");
    return value;
  }

  // Words of hostile files can be megabytes long.
  static std::string shortened(const std::string& word) { return word.size() > 40 ? word.substr(0, 40) + "..." : word; }

  void read_vertex() {
    if (words_.size() < 4) fail("has a vertex with fewer than three coordinates");
    if (mesh_.positions.size() >= static_cast<std::size_t>(std::numeric_limits<int>::max()))
      fail("is one vertex too many");
    mesh_.positions.push_back({number(words_[1]), number(words_[2]), number(words_[3])});
  }

  // "7", "7/1", "7//3", "7/1/3" or the same with negative numbers, which count back from the last
  // vertex so far. Positive ones may name vertices that come later in the file.
  int corner(const std::string& word) const {
    char* end = nullptr;
    const long index = std::strtol(word.c_str(), &end, 10);
    if (end == word.c_str() || (*end != '\0' && *end != '/') || index == 0)
      fail("has \"" + shortened(word) + "\" where a vertex number belongs");
    const auto count = static_cast<long>(mesh_.positions.size());
    if (index < -count || index > std::numeric_limits<int>::max()) fail("names a vertex that the file does not have");
    return static_cast<int>(index < 0 ? count + index : index - 1);
  }

  void read_face() {
    if (words_.size() < 4) fail("has a face with fewer than three corners");
    const int first = corner(words_[1]);
    int previous = corner(words_[2]);
    for (std::size_t i = 3; i < words_.size(); ++i) {
      const int next = corner(words_[i]);
      mesh_.triangles.push_back({first, previous, next});
      triangle_lines_.push_back(line_);
      previous = next;
    }
  }

  std::string file_;
  std::size_t line_ = 0;
  std::vector<std::string> words_;
  TriangleMesh mesh_;
  std::vector<std::size_t> triangle_lines_;
};

}  // namespace

Character parse_obj(std::string_view text, const std::string& file) {
  ObjReader reader(file);
  std::string continued;
  std::size_t number = 0, begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) end = text.size();
    std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
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
