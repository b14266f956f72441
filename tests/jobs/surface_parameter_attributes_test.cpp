#include "sinew/jobs/fit/surface_parameter_attributes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sinew/cook/surface_paint.h"
#include "sinew/deform/surface/fit/build_surface_model.h"
#include "sinew/deform/surface/vertex_terms.h"
#include "sinew/gltf/read/read_character.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

struct Painted {
  GltfDocument document;
  Character character;
  SimulationSurface surface;
  SurfaceModel model;
};

Painted painted(const std::filesystem::path& path) {
  Painted p{read_gltf_document(path), {}, {}, {}};
  p.character = character_from(p.document);
  p.surface = simulation_surface(p.character);
  p.model = build_surface_model(p.character, p.surface, {});
  for (std::size_t v = 0; v < p.model.rest.size(); ++v) {
    const double t = 0.5 + 0.5 * std::sin(3 * p.model.rest[v].y + p.model.rest[v].x);
    p.model.parameters[v] = {t, 1 - t, t * t, 0.5 * t, 0.25 * t};
  }
  return p;
}

void expect_parameters(const SurfaceModel& a, const SurfaceModel& b) {
  ASSERT_EQ(a.parameters.size(), b.parameters.size());
  for (std::size_t v = 0; v < a.parameters.size(); ++v)
    for (std::size_t k = 0; k < surface_parameters; ++k)
      EXPECT_NEAR(to_array(a.parameters[v])[k], to_array(b.parameters[v])[k], 1e-7) << v << ", " << k;
}

TEST(SurfaceParameterAttributes, ComeBackAsTheyWereWritten) {
  const std::filesystem::path folder = test::scratch_files();
  for (const char* sample : {"tube.glb", "sumo.glb"}) {
    const Painted p = painted(test::sample_file(sample));
    const std::filesystem::path out = folder / "painted.glb";
    const std::size_t bytes = write_surface_parameters(p.document, p.character, p.surface, p.model, out);
    EXPECT_EQ(bytes, std::filesystem::file_size(out));
    const Character again = read_character(out);
    const SimulationSurface surface = simulation_surface(again);
    SurfaceModel model = build_surface_model(again, surface, {});
    EXPECT_EQ(apply_surface_paint(again, surface, model).vertices, model.rest.size());
    expect_parameters(model, p.model);
    // Written twice they are still five.
    const GltfDocument document = read_gltf_document(out);
    const std::filesystem::path twice = folder / "twice.glb";
    write_surface_parameters(document, again, surface, model, twice);
    const auto attributes = [](const std::filesystem::path& path) {
      return (*read_gltf_document(path).json)["meshes"][0]["primitives"][0]["attributes"].size();
    };
    EXPECT_EQ(attributes(twice), attributes(out));
    EXPECT_EQ(attributes(out), (*p.document.json)["meshes"][0]["primitives"][0]["attributes"].size() + 5);
  }
}

TEST(SurfaceParameterAttributes, TheFileSurvives) {
  const Painted p = painted(test::sample_file("sumo.glb"));
  const std::filesystem::path out = test::scratch_files() / "painted.glb";
  write_surface_parameters(p.document, p.character, p.surface, p.model, out);
  const GltfDocument after = read_gltf_document(out);
  nlohmann::json before_json = *p.document.json, after_json = *after.json;
  for (const char* key : {"nodes", "skins", "scenes", "materials", "textures", "extras"})
    EXPECT_EQ(before_json.value(key, nlohmann::json()), after_json.value(key, nlohmann::json())) << key;
  const Character again = character_from(after);
  ASSERT_EQ(again.parts.size(), p.character.parts.size());
  for (std::size_t k = 0; k < again.parts.size(); ++k) {
    EXPECT_EQ(again.parts[k].surface.positions, p.character.parts[k].surface.positions);
    EXPECT_EQ(again.parts[k].surface.triangles, p.character.parts[k].surface.triangles);
  }
  ASSERT_EQ(again.clips.size(), p.character.clips.size());
  for (std::size_t c = 0; c < again.clips.size(); ++c)
    for (std::size_t k = 0; k < again.clips[c].channels.size(); ++k)
      EXPECT_EQ(again.clips[c].channels[k].values, p.character.clips[c].channels[k].values);
}

TEST(SurfacePaint, OnlyWhatIsPaintedIsReplacedAndCopiesAreAveraged) {
  Painted p = painted(test::sample_file("tube.glb"));
  const SurfaceModel before = p.model;
  EXPECT_EQ(apply_surface_paint(p.character, p.surface, p.model).vertices, 0u);
  expect_parameters(p.model, before);
  Part& part = p.character.parts[static_cast<std::size_t>(p.surface.parts[0])];
  std::vector<double>& gamma = part.fields[field("gamma")];
  std::vector<double> sum(before.rest.size());
  std::vector<int> copies(before.rest.size());
  for (std::size_t v = 0; v < part.surface.positions.size(); ++v) {
    gamma.push_back(static_cast<double>(v % 7) / 7);
    sum[static_cast<std::size_t>(p.surface.vertex_of[0][v])] += gamma.back();
    ++copies[static_cast<std::size_t>(p.surface.vertex_of[0][v])];
  }
  EXPECT_EQ(apply_surface_paint(p.character, p.surface, p.model).vertices, before.rest.size());
  for (std::size_t v = 0; v < before.rest.size(); ++v) {
    VertexParameters expected = before.parameters[v];
    expected.gamma = sum[v] / copies[v];
    EXPECT_EQ(p.model.parameters[v], expected);
  }
}

TEST(SurfacePaint, NumbersOutOfRangeAndOtherModelsAreRefused) {
  Painted p = painted(test::sample_file("tube.glb"));
  std::vector<double>& lambda = p.character.parts[static_cast<std::size_t>(p.surface.parts[0])].fields[field("lambda")];
  lambda.assign(p.surface.vertex_of[0].size(), 0.5);
  apply_surface_paint(p.character, p.surface, p.model);
  lambda[4] = 0.75;
  const std::string sentence =
      test::refusal(ErrorKind::input, [&] { apply_surface_paint(p.character, p.surface, p.model); });
  EXPECT_NE(sentence.find("_SINEW_LAMBDA"), std::string::npos);
  EXPECT_NE(sentence.find("is 0.75 at vertex 4; paint values from 0 to 0.5."), std::string::npos);
  SurfaceModel other = p.model;
  other.rest.pop_back();
  test::refusal(ErrorKind::usage, [&] { apply_surface_paint(p.character, p.surface, other); });
  test::refusal(ErrorKind::usage, [&] { render_surface_parameters(p.surface, other); });
  test::refusal(ErrorKind::usage, [&] {
    write_surface_parameters(p.document, p.character, p.surface, other, test::scratch_files() / "out.glb");
  });
}

// Red minus blue over the pixels of one of five views that are neither grey nor background.
double redness(const Image& image, int view) {
  double sum = 0;
  const int width = image.width / 5;
  int coloured = 0;
  for (int y = 30; y < image.height - 60; ++y)
    for (int x = view * width; x < (view + 1) * width; ++x) {
      const std::uint8_t* pixel = image.pixel(x, y);
      if (std::abs(pixel[0] - pixel[2]) < 30) continue;
      ++coloured;
      sum += pixel[0] > pixel[2] ? 1 : -1;
    }
  EXPECT_GT(coloured, 200) << view;
  return sum / coloured;
}

TEST(SurfaceParameterPicture, IsBlueAtZeroAndRedAtTheLargest) {
  Painted p = painted(test::sample_file("tube.glb"));
  for (VertexParameters& v : p.model.parameters) v = {1, 0, 1, 0.5, 0};
  const Image image = render_surface_parameters(p.surface, p.model);
  EXPECT_EQ(image.width, 5 * 240);
  EXPECT_EQ(redness(image, 0), 1);
  EXPECT_EQ(redness(image, 1), -1);
  EXPECT_EQ(redness(image, 2), 1);
  EXPECT_EQ(redness(image, 3), 1);
  EXPECT_EQ(redness(image, 4), -1);
  // By the root, the middle between blue and red is at a quarter.
  for (VertexParameters& v : p.model.parameters) v = {0.3, 0.3, 0.2, 0.15, 0.2};
  EXPECT_EQ(redness(render_surface_parameters(p.surface, p.model), 0), -1);
  SurfaceParameterPictureOptions root;
  root.scale = ParameterScale::square_root;
  root.width = 200;
  const Image rooted = render_surface_parameters(p.surface, p.model, root);
  EXPECT_EQ(redness(rooted, 0), 1);
  EXPECT_EQ(redness(rooted, 2), -1);
}

}  // namespace
}  // namespace sinew
