#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/index.h"
#include "sinew/files/text_scanner.h"
#include "sinew/files/vtu_grid.h"

namespace sinew {
namespace {

// An XML element, as far as VTK's files need it. `text` is what precedes the first child.
struct Element {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
  std::string_view text;
  std::size_t line = 1, text_line = 1;
  std::vector<std::size_t> children;  // indices of elements

  std::string_view attribute(std::string_view key) const {
    for (const auto& [name_of, value] : attributes)
      if (name_of == key) return value;
    return {};
  }
};

class XmlReader {
 public:
  XmlReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  // All elements, parents before children; the first is the root.
  std::vector<Element> read() {
    if (starts("\xEF\xBB\xBF")) at_ += 3;  // UTF-8 byte order mark
    while (true) {
      skip_space();
      if (at_ == text_.size()) break;
      if (text_[at_] != '<' && elements_.empty()) break;
      if (text_[at_] != '<') fail("there is text where none belongs, \"" + std::string(text_.substr(at_, 20)) + "\"");
      if (starts("<?")) {
        skip_past("?>");
      } else if (starts("<!--")) {
        skip_past("-->");
      } else if (starts("</")) {
        close();
      } else {
        open();
        if (elements_.back().name == "AppendedData") fail("its data are appended");
      }
    }
    if (elements_.empty()) throw input_error(file_ + ": is not XML; choose a .vtu file of VTK.");
    if (!stack_.empty()) fail("<" + std::string(elements_[stack_.back()].name.substr(0, 40)) + "> is not closed");
    return std::move(elements_);
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw input_error(file_ + ", line " + std::to_string(line_) + ": " + what +
                      "; write the file again, in ParaView with the data mode Ascii.");
  }

 private:
  bool starts(std::string_view with) const { return text_.substr(at_, with.size()) == with; }
  void advance(std::size_t to) {
    line_ += static_cast<std::size_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(at_),
                                                 text_.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
    at_ = to;
  }
  void skip_past(std::string_view end) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string_view::npos) fail("the file ends early");
    advance(found + end.size());
  }
  static bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  void skip_space() {
    std::size_t to = at_;
    while (to < text_.size() && is_space(text_[to])) ++to;
    advance(to);
  }
  std::string_view word() {
    const std::size_t begin = at_;
    std::size_t to = at_;
    while (to < text_.size() && !is_space(text_[to]) && text_[to] != '>' && text_[to] != '/' && text_[to] != '=') ++to;
    advance(to);
    return text_.substr(begin, to - begin);
  }
  void close() {
    at_ += 2;
    const std::string_view name = word();
    if (stack_.empty() || elements_[stack_.back()].name != name)
      fail("</" + std::string(name.substr(0, 40)) + "> closes nothing");
    stack_.pop_back();
    skip_past(">");
  }
  void open() {
    Element element;
    element.line = line_;
    ++at_;
    element.name = word();
    if (element.name.empty()) fail("a tag has no name");
    while (true) {
      skip_space();
      if (at_ >= text_.size()) fail("the file ends early");
      if (text_[at_] == '>' || starts("/>")) break;
      const std::string_view key = word();
      skip_space();
      if (key.empty() || at_ >= text_.size() || text_[at_] != '=') fail("an attribute has no value");
      ++at_;
      skip_space();
      const char quote = at_ < text_.size() ? text_[at_] : ' ';
      const std::size_t end = quote == '"' || quote == '\'' ? text_.find(quote, at_ + 1) : std::string_view::npos;
      if (end == std::string_view::npos) fail("an attribute is not quoted");
      element.attributes.emplace_back(key, text_.substr(at_ + 1, end - at_ - 1));
      advance(end + 1);
    }
    if (stack_.size() >= 32) fail("elements are nested too deep");
    const bool empty = text_[at_] == '/';
    at_ += empty ? 2 : 1;
    element.text_line = line_;
    if (!empty) {
      element.text = text_.substr(at_, std::min(text_.find('<', at_), text_.size()) - at_);
      advance(at_ + element.text.size());
    }
    if (!stack_.empty()) elements_[stack_.back()].children.push_back(elements_.size());
    if (stack_.empty() && !elements_.empty()) fail("the file has a second root");
    if (!empty) stack_.push_back(elements_.size());
    elements_.push_back(std::move(element));
  }

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0, line_ = 1;
  std::vector<Element> elements_;
  std::vector<std::size_t> stack_;
};

std::string unescaped(std::string_view text) {
  static constexpr std::pair<std::string_view, char> entities[] = {
      {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string plain;
  while (!text.empty()) {
    const auto entity = std::find_if(std::begin(entities), std::end(entities),
                                     [&](const auto& e) { return text.substr(0, e.first.size()) == e.first; });
    plain += entity == std::end(entities) ? text.front() : entity->second;
    text.remove_prefix(entity == std::end(entities) ? 1 : entity->first.size());
  }
  return plain;
}

struct VtuReader {
  std::string file;
  std::vector<Element> elements;
  VtuGrid grid;

  [[noreturn]] void fail(const Element& element, const std::string& what) const {
    throw input_error(file + ", line " + std::to_string(element.line) + ": " + what +
                      "; write the file again, in ParaView with the data mode Ascii.");
  }
  const Element* child(const Element& parent, std::string_view name) const {
    for (std::size_t i : parent.children)
      if (elements[i].name == name) return &elements[i];
    return nullptr;
  }
  const Element& needed_child(const Element& parent, std::string_view name) const {
    const Element* found = child(parent, name);
    if (!found) fail(parent, "<" + std::string(parent.name) + "> has no <" + std::string(name) + ">");
    return *found;
  }
  const Element* array_named(const Element& parent, std::string_view name) const {
    for (std::size_t i : parent.children)
      if (elements[i].name == "DataArray" && elements[i].attribute("Name") == name) return &elements[i];
    return nullptr;
  }
  int count(const Element& element, std::string_view key) const {
    const std::string_view text = element.attribute(key);
    if (text.empty()) {
      std::string what = "<";
      fail(element, what.append(element.name).append("> does not say ").append(key));
    }
    TextScanner in(text, file, element.line);
    const long long value = in.integer("a count");
    if (value < 0 || value > 1'000'000'000) fail(element, std::string(key) + " is not a count");
    return static_cast<int>(value);
  }

  // Misspelt names would otherwise be skipped silently.
  void check_children(const Element& parent, std::initializer_list<std::string_view> known) const {
    for (std::size_t i : parent.children)
      if (std::find(known.begin(), known.end(), elements[i].name) == known.end())
        fail(elements[i], "<" + std::string(parent.name) + "> has a <" + std::string(elements[i].name.substr(0, 40)) +
                              ">, which is none of VTK's");
  }
  void check_ascii(const Element& array) const {
    if (array.attribute("format") != "ascii" && array.attribute("Format") != "ascii")
      fail(array, "the array \"" + unescaped(array.attribute("Name")) + "\" is not text");
  }
  std::vector<double> numbers(const Element& array) const {
    check_ascii(array);
    std::vector<double> values;
    for (TextScanner in(array.text, file, array.text_line); !in.at_end();) values.push_back(in.any_number("a number"));
    return values;
  }
  // Integers from `least` to below `end`.
  std::vector<int> integers(const Element& array, long long least, long long end) const {
    check_ascii(array);
    std::vector<int> values;
    for (TextScanner in(array.text, file, array.text_line); !in.at_end();) {
      const long long value = in.integer("a whole number");
      if (value < least || value >= end)
        in.fail("the array \"" + unescaped(array.attribute("Name")) + "\" has the number " + std::to_string(value) +
                ", which is out of range");
      values.push_back(static_cast<int>(value));
    }
    return values;
  }

  int components(const Element& array) const {
    return array.attribute("NumberOfComponents").empty() ? 1 : std::max(1, count(array, "NumberOfComponents"));
  }
  void read_data(const Element* parent, std::size_t tuples, std::vector<VtuArray>& arrays) const {
    if (!parent) return;
    check_children(*parent, {"DataArray", "Array"});
    for (std::size_t i : parent->children) {
      const Element& element = elements[i];
      if (element.name != "DataArray" || element.attribute("type") == "String") continue;
      VtuArray array{unescaped(element.attribute("Name")), components(element), false, numbers(element)};
      array.whole = std::all_of(array.values.begin(), array.values.end(), [](double v) { return v == std::floor(v); });
      if (tuples != SIZE_MAX && array.values.size() != tuples * index(array.components))
        fail(element, "the array \"" + array.name + "\" has " + std::to_string(array.values.size()) + " values for " +
                          std::to_string(tuples) + " elements");
      arrays.push_back(std::move(array));
    }
  }
  void read_texts(const Element* parent) {
    if (!parent) return;
    for (std::size_t i : parent->children) {
      const Element& element = elements[i];
      if (element.attribute("type") != "String") continue;
      VtuTexts texts{unescaped(element.attribute("Name")), {}};
      std::string value;
      for (int c : integers(element, -128, 256)) {
        if (c == 0)
          texts.values.push_back(std::exchange(value, {}));
        else
          value += static_cast<char>(c);
      }
      grid.field_texts.push_back(std::move(texts));
    }
  }

  void read_points(const Element& piece) {
    const Element& array = needed_child(needed_child(piece, "Points"), "DataArray");
    if (!array.attribute("NumberOfComponents").empty() && components(array) != 3)
      fail(array, "points do not have three coordinates");
    const std::vector<double> values = numbers(array);
    if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
      fail(array, "a point has a coordinate that is not a finite number");
    const int points = count(piece, "NumberOfPoints");
    if (values.size() != 3 * index(points))
      fail(array,
           "there are " + std::to_string(values.size()) + " coordinates for " + std::to_string(points) + " points");
    for (std::size_t i = 0; i < values.size(); i += 3) grid.points.push_back({values[i], values[i + 1], values[i + 2]});
  }

  const Element& needed_array(const Element& cells, std::string_view name) const {
    const Element* found = array_named(cells, name);
    if (!found) fail(cells, "the cells have no array \"" + std::string(name) + "\"");
    return *found;
  }
  // Row ends, with or without a leading zero: `rows` of them over `items` items.
  std::vector<int> starts(const Element& array, std::size_t rows, std::size_t items) const {
    std::vector<int> start = integers(array, 0, static_cast<long long>(items) + 1);
    if (start.size() == rows) start.insert(start.begin(), 0);
    if (start.size() != rows + 1 || start.front() != 0 || index(start.back()) != items ||
        !std::is_sorted(start.begin(), start.end()))
      fail(array, "the array \"" + unescaped(array.attribute("Name")) + "\" does not fit the others");
    return start;
  }

  void read_cells(const Element& piece) {
    const Element& cells = needed_child(piece, "Cells");
    const auto points = static_cast<long long>(grid.points.size());
    grid.corner = integers(needed_array(cells, "connectivity"), 0, points);
    const int count_of_cells = count(piece, "NumberOfCells");
    grid.types = integers(needed_array(cells, "types"), 0, 256);
    if (grid.types.size() != index(count_of_cells))
      fail(cells, "there are " + std::to_string(grid.types.size()) + " types for " + std::to_string(count_of_cells) +
                      " cells");
    grid.cell_start = starts(needed_array(cells, "offsets"), grid.cells(), grid.corner.size());
    if (std::find(grid.types.begin(), grid.types.end(), vtk_polyhedron) == grid.types.end()) return;
    if (const Element* faces = array_named(cells, "faces"))
      read_face_stream(*faces, needed_array(cells, "faceoffsets"));
    else
      read_face_lists(cells);
  }

  // Until VTK 9.3: for each polyhedron its number of faces, and for each face its number of corners and the corners.
  void read_face_stream(const Element& faces, const Element& offsets) {
    const long long limit = static_cast<long long>(grid.points.size()) + 1'000'000;
    const std::vector<int> stream = integers(faces, 0, limit);
    const std::vector<int> ends = integers(offsets, -1, static_cast<long long>(stream.size()) + 1);
    if (ends.size() != grid.cells()) fail(offsets, "the array \"faceoffsets\" does not have one number per cell");
    grid.cell_face_start = {0};
    std::size_t next = 0;
    const auto take = [&] {
      if (next >= stream.size()) fail(faces, "the array \"faces\" ends early");
      return stream[next++];
    };
    for (std::size_t c = 0; c < grid.cells(); ++c) {
      if (grid.types[c] == vtk_polyhedron) {
        for (int face = take(); face > 0; --face) {
          for (int k = take(); k > 0; --k) {
            grid.face_corner.push_back(take());
            if (index(grid.face_corner.back()) >= grid.points.size())
              fail(faces, "a face names point " + std::to_string(grid.face_corner.back()) + ", which does not exist");
          }
          grid.face_start.push_back(static_cast<int>(grid.face_corner.size()));
        }
        if (static_cast<std::size_t>(std::max(ends[c], 0)) != next)
          fail(offsets, "\"faceoffsets\" and \"faces\" do not fit together at cell " + std::to_string(c));
      }
      grid.cell_face_start.push_back(static_cast<int>(grid.face_start.size()) - 1);
    }
  }

  // Since VTK 9.4: faces as lists of corners, polyhedra as lists of faces.
  void read_face_lists(const Element& cells) {
    const Element &corners_of_faces = needed_array(cells, "face_connectivity"),
                  &faces_of_cells = needed_array(cells, "polyhedron_to_faces"),
                  &offsets_of_faces = needed_array(cells, "face_offsets");
    const std::vector<int> corners = integers(corners_of_faces, 0, static_cast<long long>(grid.points.size()));
    const std::vector<int> ends = integers(offsets_of_faces, 0, static_cast<long long>(corners.size()) + 1);
    const std::size_t face_count = ends.size() - (!ends.empty() && ends.front() == 0 ? 1 : 0);
    const std::vector<int> start = starts(offsets_of_faces, face_count, corners.size());
    const std::vector<int> list = integers(faces_of_cells, 0, static_cast<long long>(face_count));
    grid.cell_face_start = starts(needed_array(cells, "polyhedron_offsets"), grid.cells(), list.size());
    for (int f : list) {
      grid.face_corner.insert(grid.face_corner.end(), corners.begin() + start[index(f)],
                              corners.begin() + start[index(f) + 1]);
      grid.face_start.push_back(static_cast<int>(grid.face_corner.size()));
    }
  }

  void read() {
    const Element& root = elements.front();
    if (root.name != "VTKFile" || root.attribute("type") != "UnstructuredGrid")
      throw input_error(file + ": is not an unstructured grid of VTK; choose a .vtu file.");
    const Element& body = needed_child(root, "UnstructuredGrid");
    const Element& piece = needed_child(body, "Piece");
    const auto pieces = std::count_if(body.children.begin(), body.children.end(),
                                      [&](std::size_t i) { return elements[i].name == "Piece"; });
    check_children(root, {"UnstructuredGrid"});
    check_children(body, {"Piece", "FieldData"});
    check_children(piece, {"Points", "Cells", "PointData", "CellData", "FieldData"});
    if (pieces > 1) fail(body, "the grid is in " + std::to_string(pieces) + " pieces; merge them");
    read_points(piece);
    read_cells(piece);
    read_data(child(piece, "PointData"), grid.points.size(), grid.point_data);
    read_data(child(piece, "CellData"), grid.cells(), grid.cell_data);
    const Element* field = child(body, "FieldData");
    if (!field) field = child(piece, "FieldData");
    read_data(field, SIZE_MAX, grid.field_data);
    read_texts(field);
  }
};

}  // namespace

VtuGrid parse_vtu(std::string_view text, const std::string& file) {
  VtuReader reader{file, XmlReader(text, file).read(), {}};
  reader.read();
  return std::move(reader.grid);
}

}  // namespace sinew
