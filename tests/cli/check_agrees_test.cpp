// On other people's files: what `check` accepts, `animate` animates; what must be mended, it refuses.
#include "program.h"
#include "tests/contract/folder.h"

namespace sinew::test {
namespace {

class CheckAgrees : public ProgramTest {};

TEST_F(CheckAgrees, WithAnimateOnRealCharacters) {
  const std::filesystem::path folder = characters_folder();
  if (folder.empty()) return;
  int accepted = 0, refused = 0;
  // Skins that show no triangle with area, cubes and boxes without a skin, and characters.
  for (const char* some : {"bad/validator_a/skin", "bad/assimp_bad/glTF2/wrongTypes", "gltf/simple_morph",
                           "gltf/simple_skin", "gltf/animated_morph_cube", "gltf/rigged_simple"}) {
    if (!std::filesystem::is_directory(folder / some)) continue;
    for (const std::filesystem::path& path : gltf_files_below(folder / some)) {
      const Outcome check = sinew({"check", path.string()});
      const Outcome animate =
          sinew({"animate", path.string(), "-o", file("out.glb"), "--fps", "2", "--tetrahedra", "300"});
      EXPECT_EQ(check.exit_code, animate.exit_code) << path << '\n' << check.out << check.err << animate.err;
      (check.exit_code == 0 ? accepted : refused) += 1;
    }
  }
  std::cout << accepted << " files accepted, " << refused << " refused, by both\n";
  EXPECT_GT(accepted, 0);
  EXPECT_GT(refused, 5);
}

}  // namespace
}  // namespace sinew::test
