// Materials hidden in files that the program itself wrote come back, with noise and from a few markers.
#include "sinew/jobs/fit/fit_material.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sinew/bake/output/point_cache.h"
#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/index.h"
#include "sinew/character/choose_clip.h"
#include "sinew/deform/flesh/vertex_frames.h"
#include "sinew/files/settings_json.h"
#include "sinew/jobs/animate_file.h"
#include "sinew/jobs/open_character.h"
#include "tests/base/refusal.h"
#include "tests/jobs/files.h"

namespace sinew {
namespace {

using namespace test;
using std::filesystem::path;

FleshSettings small_body(int tetrahedra) {
  FleshSettings settings;
  settings.elasticity = Elasticity::linear;
  settings.tetrahedra = tetrahedra;
  return settings;
}

// A clip of a sample with flesh of a material that is not the default one.
struct Hidden {
  std::string sample, clip;
  int tetrahedra = 600;
  double young = 0, damping = 0, core = 0;
  std::optional<double> begin, end;

  path write(const path& file) const {
    FleshMethod method;
    method.values = small_body(tetrahedra);
    method.values.young = young;
    method.values.damping = damping;
    method.values.core = core;
    AnimateJob job;
    job.method = method;
    job.input = sample_file(sample);
    job.output = file;
    job.clip = clip;
    job.begin = begin;
    job.end = end;
    animate_file(job);
    return file;
  }
  FitJob job(const path& observed, const path& folder) const {
    FitJob job;
    job.input = sample_file(sample);
    job.output = folder / "found.json";
    job.settings = small_body(tetrahedra);
    job.examples = {{observed, clip, begin, end}};
    return job;
  }
  void expect(const MaterialFit& found, double tolerance) const {
    const double truth[] = {young, damping, core};
    for (std::size_t k = 0; k < 3; ++k) {
      const EstimatedValue& value = found.estimate.values[k];
      EXPECT_EQ(value.undetermined, "") << value.key;
      EXPECT_NEAR(value.value, truth[k], tolerance * truth[k]) << value.key << ", error " << value.error;
    }
  }
};
const Hidden tube{"tube.glb", "shake", 600, 9000, 0.2, 0.35, 0.0, 1.8};

class FitMaterial : public testing::Test {
 protected:
  path folder = scratch_files();
};

// The cache with noise of this deviation, metres, on every coordinate.
path noisy(const path& cache, double deviation) {
  const Track track = read_point_cache(cache, 30);
  const path result = cache.parent_path() / ("noisy_" + cache.filename().string());
  PointCacheWriter writer(result, track.points, track.times, 30);
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, deviation);
  for (const double t : track.times) {
    std::vector<Vec3> positions = track.positions_at(t);
    for (Vec3& x : positions) x += Vec3{noise(random), noise(random), noise(random)};
    writer.add_frame(positions);
  }
  writer.finish();
  return result;
}

// RMS distance of a coordinate of the tube's flesh from the rig, metres.
double displacement(const path& cache) {
  const OpenedCharacter opened = open_rigged_character(sample_file("tube.glb"));
  const Character& character = opened.character;
  const Track flesh = read_point_cache(cache, 30);
  const Track rig = character_track(character, &character.clips[index(choose_clip(character, tube.clip))]);
  return compare(rig, flesh, flesh.times).rms / std::sqrt(3.0);
}

TEST_F(FitMaterial, FindsTheTubesAndSettingsTakeIt) {
  const path cache = tube.write(folder / "tube.mdd");
  FitJob job = tube.job(cache, folder);
  job.report = folder / "report.json";
  const MaterialFit found = fit_material(job);
  tube.expect(found, 0.1);
  EXPECT_LT(found.estimate.residual, 0.02 * found.estimate.observed);
  // The file has the values that were found.
  const FleshSettings settings = settings_from_json<FleshSettings>(bytes_of(job.output), "found.json");
  EXPECT_EQ(settings.young, found.settings.young);
  EXPECT_EQ(settings.damping, found.settings.damping);
  EXPECT_EQ(settings.core, found.settings.core);
  EXPECT_EQ(settings.tetrahedra, 600);
  const nlohmann::json report = nlohmann::json::parse(bytes_of(job.report));
  EXPECT_EQ(report["material"]["young"]["value"], *settings.young);
  EXPECT_GT(report["material"]["core"]["standard_error_percent"], 0);
  EXPECT_EQ(report["runs"], found.estimate.runs);
}

// Half a per cent of how far the flesh moves hides nothing; half a per cent of the character's size, which is two
// thirds of how far it moves, hardly more.
TEST_F(FitMaterial, NoiseOnTheTube) {
  const path cache = tube.write(folder / "tube.mdd");
  tube.expect(fit_material(tube.job(noisy(cache, 0.005 * displacement(cache)), folder)), 0.25);
  tube.expect(fit_material(tube.job(noisy(cache, 0.005), folder)), 0.25);
}

TEST_F(FitMaterial, FindsTheWrestlers) {
  const Hidden sumo{"sumo.glb", "run_jump", 900, 12000, 0.15, 0.43, 0.0, 0.9};
  const path cache = sumo.write(folder / "sumo.pc2");
  sumo.expect(fit_material(sumo.job(cache, folder)), 0.1);
}

// Four markers, each a centimetre off the skin, which turns with it.
path markers_of(const path& cache, double deviation) {
  const OpenedCharacter opened = open_rigged_character(sample_file("tube.glb"));
  const Character& character = opened.character;
  const SimulationSurface surface = simulation_surface(character);
  const Clip& clip = *std::find_if(character.clips.begin(), character.clips.end(),
                                   [](const Clip& one) { return one.name == "shake"; });
  const Track track = read_point_cache(cache, 30);
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, deviation);
  std::string text = "name,time,x,y,z\n";
  for (const double t : track.times) {
    const std::vector<Affine> bones =
        bone_transforms(character, surface, sample(character.skeleton, &clip, clip.start + t));
    VertexFrames frames;
    predict_frames(surface.rest.positions, surface.influences, bones, frames);
    const std::vector<Vec3> positions = track.positions_at(t);
    for (const std::size_t point : {300u, 600u, 900u, 1200u}) {
      const auto vertex = static_cast<std::size_t>(surface.vertex_of[0][point]);
      const Vec3 rest = surface.rest.positions[vertex];
      const Vec3 out = 0.01 * normalized(Vec3{rest.x, 0, rest.z});
      const Vec3 place =
          positions[point] + frames.rotation[vertex] * out + Vec3{noise(random), noise(random), noise(random)};
      text += "m" + std::to_string(point) + "," + std::to_string(clip.start + t) + "," + std::to_string(place.x) + "," +
              std::to_string(place.y) + "," + std::to_string(place.z) + "\n";
    }
  }
  const path result = cache.parent_path() / "markers.csv";
  write_text_file(result, text);
  return result;
}

TEST_F(FitMaterial, FourMarkersAreEnough) {
  const path cache = tube.write(folder / "tube.mdd");
  const MaterialFit found = fit_material(tube.job(markers_of(cache, 0), folder));
  EXPECT_EQ(found.points, 4u);
  tube.expect(found, 0.1);
  tube.expect(fit_material(tube.job(markers_of(cache, 0.005 * displacement(cache)), folder)), 0.25);
}

TEST_F(FitMaterial, SaysWhatCannotBeTold) {
  const auto refused = [](const FitJob& job, ErrorKind kind, const std::string& words) {
    const std::string sentence = refusal(kind, [&] { fit_material(job); });
    EXPECT_NE(sentence.find(words), std::string::npos) << sentence;
    EXPECT_FALSE(std::filesystem::exists(job.output));
  };
  // The rig alone.
  refused(tube.job(sample_file("tube.glb"), folder), ErrorKind::input, "nothing can be told of its material");
  FitJob job = tube.job({}, folder);
  job.examples.clear();
  refused(job, ErrorKind::usage, "--example");
  const path far = folder / "far.csv", late = folder / "late.csv";
  write_text_file(far, "name,time,x,y,z\na,0,50,0,0\na,0.1,50,0,0\na,0.2,50,0,0\n");
  refused(tube.job(far, folder), ErrorKind::input, "line 2: marker 'a' is farther from the skin");
  write_text_file(late, "name,time,x,y,z\na,90,0,0,0\na,91,0,0,0\na,92,0,0,0\n");
  refused(tube.job(late, folder), ErrorKind::input, "no marker has three positions");
  job = tube.job(late, folder);
  job.output = folder / "found.sinew";
  refused(job, ErrorKind::usage, "must end in .json");
  job = tube.job(late, folder);
  job.settings.elasticity = Elasticity::nonlinear;
  refused(job, ErrorKind::usage, "estimates flesh of linear elasticity");
}

TEST_F(FitMaterial, StopsWhenAsked) {
  const path cache = tube.write(folder / "tube.mdd");
  const FitJob job = tube.job(cache, folder);
  int reports = 0;
  EXPECT_FALSE(fit_material(job, [&](const ProgressReport&) { return ++reports < 20; }).complete);
  EXPECT_FALSE(std::filesystem::exists(job.output));
}

}  // namespace
}  // namespace sinew
