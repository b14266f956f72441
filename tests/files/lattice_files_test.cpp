#include "sinew/files/lattice_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "sinew/files/lattice_json.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"
#include "tests/mesh/lattices.h"

namespace sinew::test {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// One of each kind of cell, and of everything else.
ControlLattice everything() {
  ControlLattice lattice = mixed_lattice();
  const ControlLattice pentagon = polygonal_prism(5);
  std::vector<std::vector<int>> faces;
  for (std::size_t f = 0; f < pentagon.faces(); ++f) {
    faces.emplace_back();
    for (int v : pentagon.face(f)) faces.back().push_back(v + static_cast<int>(lattice.positions.size()));
  }
  for (const Vec3& p : pentagon.positions) lattice.positions.push_back(p + Vec3{1.0 / 3, -5, 1e-17});
  add_polyhedron(lattice, faces);
  lattice.bones = {{"hips", {0, 1, 2}}, {"left arm \"ü\" <&>", {12}}, {"hips", {4, 10}}};
  lattice.sharp_edges = {{3, 4}, {13, 14}};
  lattice.sharp_vertices = {5, 15};
  for (std::size_t v = 0; v < lattice.positions.size(); ++v) {
    lattice.stiffness.push_back(0.1 + static_cast<double>(v));
    lattice.damping.push_back(1.0 / (1.0 + static_cast<double>(v)));
    lattice.density.push_back(1);
  }
  return lattice;
}

void expect_equal(const ControlLattice& a, const ControlLattice& b) {
  EXPECT_EQ(a.positions, b.positions);
  EXPECT_EQ(a.cell_start, b.cell_start);
  EXPECT_EQ(a.face_start, b.face_start);
  EXPECT_EQ(a.corner, b.corner);
  ASSERT_EQ(a.bones.size(), b.bones.size());
  for (std::size_t i = 0; i < a.bones.size(); ++i) {
    EXPECT_EQ(a.bones[i].name, b.bones[i].name);
    EXPECT_EQ(a.bones[i].vertices, b.bones[i].vertices);
  }
  EXPECT_EQ(a.sharp_edges, b.sharp_edges);
  EXPECT_EQ(a.sharp_vertices, b.sharp_vertices);
  EXPECT_EQ(a.stiffness, b.stiffness);
  EXPECT_EQ(a.damping, b.damping);
  EXPECT_EQ(a.density, b.density);
}

TEST(LatticeFiles, BothFormsReadBackEveryBit) {
  for (const char* name : {"body.lattice.json", "body.vtu"})
    for (const ControlLattice& lattice :
         {everything(), tetrahedral_box(2, 1, 1), prism_bar(2, 5), hexahedral_box(1, 1, 1)}) {
      const std::filesystem::path path = scratch_path(name);
      write_lattice(path, lattice);
      expect_equal(lattice, read_lattice(path));
    }
}

std::string json_refusal(const std::function<void(nlohmann::ordered_json&)>& damage) {
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(lattice_json(everything()));
  damage(json);
  const std::string sentence = refusal(ErrorKind::input, [&] { lattice_from_json(json.dump(), "hero.lattice.json"); });
  EXPECT_TRUE(contains(sentence, "hero.lattice.json")) << sentence;
  return sentence;
}

TEST(LatticeFiles, BadJsonIsRefusedByName) {
  using Json = nlohmann::ordered_json;
  const auto expect = [](const char* part, const std::function<void(Json&)>& damage) {
    const std::string sentence = json_refusal(damage);
    EXPECT_TRUE(contains(sentence, part)) << sentence;
  };
  expect("\"version\" is 2", [](Json& j) { j["version"] = 2; });
  expect("has no \"cells\"", [](Json& j) { j.erase("cells"); });
  expect("the key \"cels\"", [](Json& j) { j["cels"] = 1; });
  expect("\"positions[3]\" must be three numbers", [](Json& j) { j["positions"][3].push_back(1); });
  expect("\"positions[3][1]\" must be a number", [](Json& j) { j["positions"][3][1] = "1"; });
  expect("\"cells[0].vertices\" has 7 corners, and needs 8", [](Json& j) { j["cells"][0]["vertices"].erase(0); });
  expect("\"cells[1].vertices[2]\" is vertex 23, but there are 23", [](Json& j) { j["cells"][1]["vertices"][2] = 23; });
  expect("\"cells[1].vertices[2]\" must be a whole number", [](Json& j) { j["cells"][1]["vertices"][2] = 1.5; });
  expect("\"cells[1].vertices[2]\" must be a whole number", [](Json& j) { j["cells"][1]["vertices"][2] = 1e300; });
  expect("\"cells[1].vertices[2]\" is vertex -1", [](Json& j) { j["cells"][1]["vertices"][2] = -1; });
  expect("\"cells[2].type\" is none of", [](Json& j) { j["cells"][2]["type"] = "pyramid"; });
  expect("\"cells[4]\" has the key \"vertices\"", [](Json& j) { j["cells"][4]["vertices"] = Json::array(); });
  expect("\"cells[4].faces[0]\" must be a list", [](Json& j) { j["cells"][4]["faces"][0] = 3; });
  expect("face 0 of cell 4 of the lattice has 1 corners", [](Json& j) { j["cells"][4]["faces"][0] = {13}; });
  expect("cell 4 of the lattice has 2 faces at vertex", [](Json& j) { j["cells"][4]["faces"].erase(0); });
  expect("\"bones[1].name\" must be a text", [](Json& j) { j["bones"][1]["name"] = 1; });
  expect("bone \"hips\" of the lattice has no vertices", [](Json& j) { j["bones"][0]["vertices"] = Json::array(); });
  expect("bone \"hips\" of the lattice goes from vertex 0 to vertex 2", [](Json& j) {
    j["bones"][0]["vertices"] = {0, 2};
  });
  expect("\"sharp_edges[1]\" must be two vertices", [](Json& j) { j["sharp_edges"][1] = {0}; });
  expect("22 painted values of damping", [](Json& j) { j["damping"].erase(0); });
  expect("the painted density of vertex 2", [](Json& j) { j["density"][2] = 0; });
  expect("the lattice has no cells", [](Json& j) { j["cells"] = Json::array(); });

  std::string text = lattice_json(everything());
  text[text.find("hexahedron") - 3] = '}';
  const std::string sentence = refusal(ErrorKind::input, [&] { lattice_from_json(text, "x.json"); });
  EXPECT_TRUE(contains(sentence, "x.json, line 29: is not JSON")) << sentence;
}

TEST(LatticeFiles, NumbersThatAreTooLargeAreRefused) {
  std::string text = lattice_json(everything());
  text.replace(text.find("[0.0,"), 5, "[1e999,");
  const std::string sentence = refusal(ErrorKind::input, [&] { lattice_from_json(text, "x.json"); });
  EXPECT_TRUE(contains(sentence, "x.json: has a number that is too large")) << sentence;
}

// What the schema names is what the program reads and writes.
TEST(LatticeFiles, SchemaNamesTheSameKeys) {
  const auto schema = nlohmann::ordered_json::parse(std::ifstream(SINEW_SOURCE_DIR "/docs/lattice.schema.json"));
  EXPECT_EQ(schema["properties"]["version"]["const"], lattice_json_version);
  std::vector<std::string> in_schema, written;
  for (const auto& [key, value] : schema["properties"].items())
    if (key != "$schema" && key != "comment") in_schema.push_back(key);
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(lattice_json(everything()));
  for (const auto& [key, value] : json.items()) written.push_back(key);
  EXPECT_EQ(in_schema, written);
  json["$schema"] = "lattice.schema.json";
  json["comment"] = {"anything", 1};
  expect_equal(lattice_from_json(json.dump(), "x.json"), everything());
  for (const auto& kind : schema["properties"]["cells"]["items"]["oneOf"]) {
    const std::string type = kind["properties"]["type"]["const"];
    const auto same_type = [&](const auto& cell) { return cell["type"] == type; };
    const auto cell = std::find_if(json["cells"].begin(), json["cells"].end(), same_type);
    ASSERT_NE(cell, json["cells"].end()) << type;
    for (const std::string key : kind["required"]) EXPECT_TRUE(cell->contains(key)) << type << " " << key;
    if (!kind["properties"].contains("vertices")) continue;
    EXPECT_EQ(kind["properties"]["vertices"]["minItems"], (*cell)["vertices"].size());
  }
}

// As ParaView writes it in ascii: ranges, information keys, single precision, arrays that mean nothing here.
TEST(LatticeFiles, ReadsVtuOfOtherPrograms) {
  const std::string text = R"(<?xml version="1.0"?>
<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian" header_type="UInt64" compressor="vtkZLibDataCompressor">
  <!-- a tetrahedron that is inside out, and on it a prism as a polyhedron whose faces are turned at random -->
  <UnstructuredGrid>
    <Piece NumberOfPoints="7"                    NumberOfCells="2"                   >
      <PointData Scalars="Temperature">
        <DataArray type="Float32" Name="Temperature" format="ascii" RangeMin="0" RangeMax="1">
          0 1 nan 0.5 1 0 0
        </DataArray>
      </PointData>
      <CellData/>
      <Points>
        <DataArray type="Float32" Name="Points" NumberOfComponents="3" format="ascii" RangeMin="0" RangeMax="2">
          0 0 0 1 0 0
          0 1 0 0 0 1
          0 0 -1 1 0 -1 0 1 -1
          <InformationKey name="L2_NORM_RANGE" location="vtkDataArray" length="2">
            <Value index="0">
              0
            </Value>
          </InformationKey>
        </DataArray>
      </Points>
      <Cells>
        <DataArray type="Int64" Name="connectivity" format="ascii">1 0 2 3 0 1 2 4 5 6</DataArray>
        <DataArray type="Int64" Name="offsets" format="ascii">4 10</DataArray>
        <DataArray type="UInt8" Name="types" format="ascii">10 42</DataArray>
        FACES
      </Cells>
    </Piece>
  </UnstructuredGrid>
</VTKFile>)";
  const std::string before = R"(<DataArray type="Int64" Name="faces" format="ascii">
          5 3 0 1 2 3 4 5 6 4 0 1 5 4 4 1 2 6 5 4 2 6 4 0</DataArray>
        <DataArray type="Int64" Name="faceoffsets" format="ascii">-1 24</DataArray>)";
  const std::string since = R"(<DataArray type="Int64" Name="face_connectivity" format="ascii">
          0 1 2 4 5 6 0 1 5 4 1 2 6 5 2 6 4 0</DataArray>
        <DataArray type="Int64" Name="face_offsets" format="ascii">3 6 10 14 18</DataArray>
        <DataArray type="Int64" Name="polyhedron_to_faces" format="ascii">0 1 2 3 4</DataArray>
        <DataArray type="Int64" Name="polyhedron_offsets" format="ascii">0 5</DataArray>)";
  for (const std::string& faces : {before, since}) {
    std::string file = text;
    file.replace(file.find("FACES"), 5, faces);
    const ControlLattice lattice = lattice_from_vtu(file, "x.vtu");
    ASSERT_EQ(lattice.cells(), 2u);
    EXPECT_EQ(lattice.positions[6], (Vec3{0, 1, -1}));
    // Both outward: the shared triangle is seen from both sides.
    const auto volume_of = [&](std::size_t cell) {
      double six = 0;
      for (int f = lattice.cell_start[cell]; f < lattice.cell_start[cell + 1]; ++f) {
        const std::span<const int> face = lattice.face(static_cast<std::size_t>(f));
        const auto p = [&](std::size_t k) { return lattice.positions[static_cast<std::size_t>(face[k])]; };
        for (std::size_t k = 2; k < face.size(); ++k) six += dot(p(0), cross(p(k - 1), p(k)));
      }
      return six / 6;
    };
    EXPECT_NEAR(volume_of(0), 1.0 / 6, 1e-15);
    EXPECT_NEAR(volume_of(1), 0.5, 1e-15);
  }
}

// Points may be renumbered by other programs, whole tuples of data with them.
TEST(LatticeFiles, BonesFollowRenumberedPoints) {
  std::string text = lattice_vtu(prism_bar(1, 3));
  const auto swap_lines = [&](const std::string& a, const std::string& b) {
    const std::size_t at_a = text.find(a), at_b = text.find(b);
    ASSERT_LT(at_a, at_b);
    text.replace(at_b, b.size(), a);
    text.replace(at_a, a.size(), b);
  };
  // Points 0 (the bone's first) and 1 change places, in the points and in vertex_id; the cells are made to fit.
  swap_lines("0 0 0\n", "0 1 0\n");
  const std::size_t ids = text.find("Name=\"vertex_id\"");
  const std::size_t zero = text.find("\n0\n1\n", ids);
  text.replace(zero, 5, "\n1\n0\n");
  const std::size_t begin = text.find('\n', text.find("connectivity")) + 1, end = text.find("</", begin);
  std::string cells = text.substr(begin, end - begin);
  for (char& c : cells) c = c == '0' ? '1' : c == '1' ? '0' : c;
  text.replace(begin, end - begin, cells);
  const ControlLattice lattice = lattice_from_vtu(text, "x.vtu");
  ASSERT_EQ(lattice.bones.size(), 1u);
  EXPECT_EQ(lattice.bones[0].name, "axis");
  EXPECT_EQ(lattice.bones[0].vertices, (std::vector<int>{1, 4}));
  EXPECT_EQ(lattice.positions[1], (Vec3{0, 0, 0}));
}

TEST(LatticeFiles, BadVtuIsRefusedByName) {
  const std::string good = lattice_vtu(everything());
  const auto expect = [&](const char* part, const std::string& from, const std::string& to) {
    SCOPED_TRACE(from + " -> " + to);
    std::string text = good;
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    const std::string sentence = refusal(ErrorKind::input, [&] { lattice_from_vtu(text, "hero.vtu"); });
    EXPECT_TRUE(contains(sentence, "hero.vtu")) << sentence;
    EXPECT_TRUE(contains(sentence, part)) << sentence;
  };
  expect("is not an unstructured grid", "VTKFile type=\"UnstructuredGrid\"", "VTKFile type=\"PolyData\"");
  expect("is not XML", good, "solid");
  expect("is not text", "NumberOfComponents=\"3\" format=\"ascii\"", "NumberOfComponents=\"3\" format=\"binary\"");
  expect("its data are appended", "<Piece", "<AppendedData encoding=\"raw\">_\x01\x02</AppendedData><Piece");
  expect("coordinates for 24 points", "NumberOfPoints=\"23\"", "NumberOfPoints=\"24\"");
  expect("NumberOfCells is not a count", "NumberOfCells=\"5\"", "NumberOfCells=\"-5\"");
  expect("5 types for 6 cells", "NumberOfCells=\"5\"", "NumberOfCells=\"6\"");
  expect("has the number 99, which is out of range", "0 1 4 3 6 7 10 9\n", "0 1 4 99 6 7 10 9\n");
  expect("\"offsets\" does not fit", "offsets\" format=\"ascii\">\n8\n", "offsets\" format=\"ascii\">\n9\n8\n");
  expect("cell 0 has VTK's type 14", "types\" format=\"ascii\">\n12\n", "types\" format=\"ascii\">\n14\n");
  expect("cell 0 has 8 corners for VTK's type 13", "types\" format=\"ascii\">\n12\n",
         "types\" format=\"ascii\">\n13\n");
  expect("the array \"faces\" ends early", "\n7\n5 ", "\n9\n5 ");
  expect("do not fit together at cell 4", "\n7\n5 ", "\n6\n5 ");
  expect("\"bone_end\" does not fit", "\n3\n4\n6\n", "\n3\n4\n99\n");
  expect("\"bone_vertices\" names a vertex that does not exist", "\n12\n4\n10\n", "\n12\n4\n77\n");
  for (const char* number : {"-1", "1e300", "0.5", "4294967296"})
    expect("the array \"vertex_id\" has a value at point 1", "\n0\n1\n2\n3\n",
           std::string("\n0\n") + number + "\n2\n3\n");
  expect("text where none belongs", "</VTKFile>", "</VTKFile>\nand more");
  expect("text where none belongs", "</Points>", "</Points> 7 ");
  expect("a second root", "</VTKFile>", "</VTKFile><VTKFile/>");
  expect("\"vertex_id\" has the same number twice", "\n0\n1\n2\n3\n", "\n0\n1\n1\n3\n");
  expect("<VTKFile> is not closed", "</VTKFile>", "");
  expect("closes nothing", "</Cells>", "</Cell>");
  expect("the painted stiffness of vertex 0", "\n0.10000000000000001\n", "\n-1\n");
  // What is not a number has no place in a shape, nor in what is painted on it.
  for (const char* number : {"nan", "inf", "-inf", "1e999"}) {
    expect("a point has a coordinate that is not a finite number", "0 0 0\n", std::string("0 ") + number + " 0\n");
    expect("the array \"stiffness\" has a value at point 0 that is not a finite number", "\n0.10000000000000001\n",
           std::string("\n") + number + "\n");
    expect("the array \"vertex_id\" has a value at point 1", "\n0\n1\n2\n3\n",
           std::string("\n0\n") + number + "\n2\n3\n");
  }
  // A slip in a name would lose what it names.
  expect("\"stifness\" is not known; \"stiffness\" may be meant", "\"stiffness\"", "\"stifness\"");
  expect("\"Damping\" is not known; \"damping\" may be meant", "\"damping\"", "\"Damping\"");
  expect("\"vertex-id\" is not known", "\"vertex_id\"", "\"vertex-id\"");
  expect("\"sharp_edge\" is not known", "\"sharp_edges\"", "\"sharp_edge\"");
  expect("\"bone_names\" is not known", "\"bone_name\"", "\"bone_names\"");
  expect("no array \"bone_end\" beside", "\"bone_end\"", "\"ends\"");
  expect("no array \"bone_name\" beside", "\"bone_name\"", "\"names\"");
  expect("\"density\" is there twice", "\"damping\"", "\"density\"");
  expect("<Piece> has a <PointDatas>", "<PointData>", "<PointDatas></PointDatas><PointData>");
  expect("points do not have three coordinates", "NumberOfComponents=\"3\"", "NumberOfComponents=\"2\"");
  for (std::size_t length = 0; length < good.size(); length += 37)
    refusal(ErrorKind::input, [&] { lattice_from_vtu(good.substr(0, length), "hero.vtu"); });
}

}  // namespace
}  // namespace sinew::test
