// The studio plays what the program bakes: one preparation serves both.
#include "studio/server/cook/cook_worker.h"

#include <gtest/gtest.h>

#include <future>
#include <string>
#include <vector>

#include "sinew/cook/methods.h"
#include "sinew/jobs/open_session.h"
#include "tests/deform/changed_setting.h"
#include "tests/jobs/files.h"

using namespace sinew;
using namespace sinew::studio;

namespace {

// The last result for the first clip of the file: of a lattice there is one before it, in tetrahedra.
CookResult cooked(CookWorker& worker, const std::string& file, const MethodChoice& choice, int results) {
  std::promise<CookResult> last;
  int left = results;
  worker.open(
      {test::sample_file(file), nullptr},
      [&](const OpenedCharacter&) {
        return CookRequest{choice, {}};
      },
      [&](CookResult result) {
        if (--left == 0) last.set_value(std::move(result));
      });
  return last.get_future().get();
}

std::vector<Vec3> first_frames(Session& session) {
  std::vector<Vec3> all, surface(session.scene().surface->rest.positions.size());
  for (int k = 0; k < 100; ++k) {
    session.step();
    session.surface(surface);
    all.insert(all.end(), surface.begin(), surface.end());
  }
  return all;
}

TEST(CookWorker, PreparesTheSceneOfTheProgram) {
  for (const std::string lattice : {"", "auto"})
    for (const char* method : {"flesh", "mixed", "linear"}) {
      if (!lattice.empty() && method != std::string("flesh")) continue;
      SCOPED_TRACE(method + lattice);
      MethodChoice choice = method_named(method);
      test::set(choice->settings(), "tetrahedra", "600");
      test::set(choice->settings(), "lattice", lattice);
      if (!lattice.empty()) test::set(choice->settings(), "lattice_cells", "60");
      CookWorker worker([](const std::string&, const ProgressReport&) {});
      const CookResult studio = cooked(worker, "tube.glb", choice, lattice.empty() ? 1 : 2);
      ASSERT_FALSE(studio.failure);
      SessionRequest request;
      request.method = choice;
      const auto program = open_session(test::sample_file("tube.glb"), request);
      const Scene& scene = *studio.loaded.scene;
      EXPECT_EQ(scene.fingerprint, program->scene().fingerprint);
      EXPECT_EQ(scene.report.settings, program->report().settings);
      const Character& character = studio.loaded.opened->character;
      Session session(character, scene, whole(character.clips[0], true));
      EXPECT_EQ(first_frames(session), first_frames(program->session()));
    }
}

}  // namespace
