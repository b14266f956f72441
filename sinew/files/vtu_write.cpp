#include <cstdio>

#include "sinew/files/vtu_grid.h"

namespace sinew {
namespace {

void append(std::string& text, const char* format, double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, format, value);
  text += buffer;
}

std::string escaped(const std::string& name) {
  std::string text;
  for (char c : name) {
    if (c == '&')
      text += "&amp;";
    else if (c == '<')
      text += "&lt;";
    else if (c == '"')
      text += "&quot;";
    else
      text += c;
  }
  return text;
}

void begin_array(std::string& text, const char* type, const std::string& name, int components, const char* more = "") {
  text += std::string("<DataArray type=\"") + type + "\"";
  if (!name.empty()) text += " Name=\"" + escaped(name) + "\"";
  if (components != 1) text += " NumberOfComponents=\"" + std::to_string(components) + "\"";
  text += std::string(more) + " format=\"ascii\">\n";
}
constexpr const char* end_array = "</DataArray>\n";

void append_integers(std::string& text, const char* type, const char* name, std::span<const int> values) {
  begin_array(text, type, name, 1);
  for (int v : values) text += std::to_string(v) + "\n";
  text += end_array;
}

// `tuples`: field data gives its own length.
void append_array(std::string& text, const VtuArray& array, bool tuples) {
  const std::string count =
      tuples ? " NumberOfTuples=\"" + std::to_string(array.values.size() / static_cast<std::size_t>(array.components)) +
                   "\""
             : "";
  begin_array(text, array.whole ? "Int64" : "Float64", array.name, array.components, count.c_str());
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    append(text, array.whole ? "%.0f" : "%.17g", array.values[i]);
    text += (i + 1) % static_cast<std::size_t>(array.components) == 0 ? '\n' : ' ';
  }
  text += end_array;
}

// Character codes, each text ended by a zero.
void append_texts(std::string& text, const VtuTexts& texts) {
  text += "<Array type=\"String\" Name=\"" + escaped(texts.name) + "\" NumberOfTuples=\"" +
          std::to_string(texts.values.size()) + "\" format=\"ascii\">\n";
  for (const std::string& value : texts.values) {
    for (char c : value) text += std::to_string(static_cast<int>(c)) + " ";
    text += "0\n";
  }
  text += "</Array>\n";
}

void append_faces(std::string& text, const VtuGrid& grid) {
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  begin_array(text, "Int64", "faces", 1);
  std::vector<int> offsets;
  int end = 0;
  for (std::size_t c = 0; c < grid.cells(); ++c) {
    const int first = grid.cell_face_start[c], last = grid.cell_face_start[c + 1];
    if (first == last) {
      offsets.push_back(-1);
      continue;
    }
    text += std::to_string(last - first) + "\n";
    end += 1;
    for (int f = first; f < last; ++f) {
      const int begin = grid.face_start[at(f)], stop = grid.face_start[at(f) + 1];
      text += std::to_string(stop - begin);
      for (int k = begin; k < stop; ++k) text.append(" ").append(std::to_string(grid.face_corner[at(k)]));
      text += "\n";
      end += 1 + stop - begin;
    }
    offsets.push_back(end);
  }
  text += end_array;
  append_integers(text, "Int64", "faceoffsets", offsets);
}

}  // namespace

std::string vtu_text(const VtuGrid& grid) {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "<UnstructuredGrid>\n";
  if (!grid.field_data.empty() || !grid.field_texts.empty()) {
    text += "<FieldData>\n";
    for (const VtuTexts& texts : grid.field_texts) append_texts(text, texts);
    for (const VtuArray& array : grid.field_data) append_array(text, array, true);
    text += "</FieldData>\n";
  }
  text += "<Piece NumberOfPoints=\"" + std::to_string(grid.points.size()) + "\" NumberOfCells=\"" +
          std::to_string(grid.cells()) + "\">\n";
  text += "<Points>\n";
  begin_array(text, "Float64", "", 3);
  for (const Vec3& p : grid.points) {
    append(text, "%.17g ", p.x);
    append(text, "%.17g ", p.y);
    append(text, "%.17g\n", p.z);
  }
  text += end_array;
  text += "</Points>\n<Cells>\n";
  begin_array(text, "Int64", "connectivity", 1);
  for (std::size_t c = 0; c < grid.cells(); ++c)
    for (int k = grid.cell_start[c]; k < grid.cell_start[c + 1]; ++k) {
      text += std::to_string(grid.corner[static_cast<std::size_t>(k)]);
      text += k + 1 < grid.cell_start[c + 1] ? ' ' : '\n';
    }
  text += end_array;
  append_integers(text, "Int64", "offsets", std::span(grid.cell_start).subspan(1));
  append_integers(text, "UInt8", "types", grid.types);
  if (!grid.cell_face_start.empty()) append_faces(text, grid);
  text += "</Cells>\n";
  const auto append_data = [&](const char* name, const std::vector<VtuArray>& arrays) {
    if (arrays.empty()) return;
    text += std::string("<") + name + ">\n";
    for (const VtuArray& array : arrays) append_array(text, array, false);
    text += std::string("</") + name + ">\n";
  };
  append_data("PointData", grid.point_data);
  append_data("CellData", grid.cell_data);
  text += "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
  return text;
}

}  // namespace sinew
