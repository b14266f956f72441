// One command, any character (contract, clauses 1, 2 and 7): real files, good and bad, through the main job.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "bad_files.h"
#include "characters.h"
#include "folder.h"
#include "sinew/bake/output/point_cache.h"
#include "sinew/base/error.h"
#include "sinew/character/bind_parts.h"
#include "sinew/character/defects.h"
#include "sinew/character/size.h"
#include "sinew/gltf/read/read_character.h"
#include "sinew/jobs/animate/track.h"
#include "sinew/jobs/animate_file.h"
#include "tests/jobs/method_values.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;

using test::has_skinned_triangles;
using test::largest_displacement;

// Half a second with few elements: enough for anything that breaks to break.
AnimateJob short_job(const fs::path& input, const fs::path& output) {
  AnimateJob job;
  job.input = input;
  job.output = output;
  test::flesh(job.method).tetrahedra = 1500;
  const Character character = read_character(input);
  const Clip* clip = character.clips.empty() ? nullptr : &character.clips.front();
  if (clip && clip->end - clip->start > 0.5) {
    job.begin = clip->start;
    job.end = clip->start + 0.5;
  }
  return job;
}

// What the output must have kept: everything but morph targets and their weights, and nodes that accessories hang on.
void expect_same_character(const Character& in, const Character& out) {
  ASSERT_GE(out.skeleton.joints.size(), in.skeleton.joints.size());
  for (std::size_t j = 0; j < in.skeleton.joints.size(); ++j) {
    EXPECT_EQ(out.skeleton.joints[j].name, in.skeleton.joints[j].name);
    int parent = out.skeleton.joints[j].parent;
    if (parent >= static_cast<int>(in.skeleton.joints.size()))
      parent = out.skeleton.joints[static_cast<std::size_t>(parent)].parent;
    EXPECT_EQ(parent, in.skeleton.joints[j].parent);
  }
  ASSERT_EQ(out.skins.size(), in.skins.size());
  for (std::size_t s = 0; s < in.skins.size(); ++s) EXPECT_EQ(out.skins[s].joints, in.skins[s].joints);
  ASSERT_EQ(out.parts.size(), in.parts.size());
  for (std::size_t p = 0; p < in.parts.size(); ++p) {
    EXPECT_EQ(out.parts[p].surface.positions.size(), in.parts[p].surface.positions.size());
    EXPECT_EQ(out.parts[p].surface.triangles, in.parts[p].surface.triangles);
    EXPECT_GE(out.parts[p].targets.size(), in.parts[p].targets.size());
  }
  ASSERT_GE(out.clips.size(), in.clips.size());  // one more where there was none
  for (std::size_t c = 0; c < in.clips.size(); ++c) {
    EXPECT_EQ(out.clips[c].name, in.clips[c].name);
    EXPECT_GE(out.clips[c].channels.size(), in.clips[c].channels.size());
  }
}

// Largest distance, as a share of the height, between the cache and the rig alone at the same times.
void animate_both_references(const fs::path& path, const fs::path& folder) {
  const Character before = read_character(path);
  AnimateJob job = short_job(path, folder / "flesh.glb");
  Character opened = before;
  bind_parts_to_nodes(opened);  // as it is where a character is opened: parts that keys move get bones
  if (!has_skinned_triangles(opened)) {
    try {
      animate_file(job);
      ADD_FAILURE() << "a file without skinned triangles was animated";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
      EXPECT_NE(std::string(error.what()).find("skin"), std::string::npos) << error.what();
    }
    return;
  }
  for (const Reference reference : {Reference::rig, Reference::elastic}) {
    SCOPED_TRACE(reference == Reference::rig ? "rig" : "elastic");
    test::flesh(job.method).reference = reference;
    job.output = folder / "flesh.mdd";
    AnimateResult result;
    ASSERT_NO_THROW(result = animate_file(job));
    EXPECT_TRUE(result.complete);
    ASSERT_FALSE(result.report.clips.empty());
    for (const FrameReport& frame : result.report.clips[0].frames) {
      ASSERT_TRUE(std::isfinite(frame.energy));
      EXPECT_GT(frame.volume_ratio, 0.05) << frame.time;  // rigs may scale the body, not turn it inside out
    }
    if (!has_skinned_triangles(before)) continue;  // the file has no rig to compare with
    // Reading a cache refuses positions that are not finite.
    const double moved = largest_displacement(path, job.output);
    EXPECT_LT(moved, 0.5);
    std::cout << path.filename().string() << (reference == Reference::rig ? " rig " : " elastic ") << moved << '\n';
  }
  test::flesh(job.method).reference = Reference::rig;
  job.output = folder / "flesh.glb";
  ASSERT_NO_THROW(animate_file(job));
  std::vector<Defect> repairs;
  const Character after = read_character(job.output, &repairs);
  expect_same_character(before, after);
  for (const Defect& defect : find_defects(after)) EXPECT_FALSE(defect.fatal) << defect.name;
}

TEST(Characters, EveryOneIsAnimatedUnderBothReferences) {
  const fs::path characters = test::characters_folder();
  if (characters.empty()) return;
  const fs::path folder = test::scratch_folder("characters");
  int animated = 0;
  for (const char* set : {"gltf", "vrm", "derived"})
    for (const fs::path& path : test::gltf_files_below(characters / set)) {
      SCOPED_TRACE(path.string());
      animate_both_references(path, folder);
      ++animated;
    }
  EXPECT_GT(animated, 35);
}

TEST(Characters, BadFilesGetASentence) {
  const fs::path characters = test::characters_folder();
  if (characters.empty()) return;
  const fs::path folder = test::scratch_folder("bad_characters");
  AnimateJob job;
  test::flesh(job.method).tetrahedra = 300;
  test::expect_results_or_sentences(characters / "bad", folder, job);
}

TEST(Characters, ConformanceSkinsAreAnimated) {
  const fs::path characters = test::characters_folder();
  if (characters.empty()) return;
  const fs::path folder = test::scratch_folder("conformance");
  for (const fs::path& path : test::gltf_files_below(characters / "conformance")) {
    SCOPED_TRACE(path.string());
    AnimateJob job = short_job(path, folder / "flesh.glb");
    test::flesh(job.method).tetrahedra = 300;
    try {
      animate_file(job);
      EXPECT_NO_THROW(read_character(job.output));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    }
  }
}

}  // namespace
}  // namespace sinew
