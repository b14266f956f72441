// A fit that is stopped goes on from its own checkpoint, and from none whose numbers no fit leaves.
#include "sinew/jobs/fit/fit_checkpoint.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "sinew/bake/checkpoint.h"
#include "sinew/base/file.h"
#include "tests/base/refusal.h"
#include "tests/base/scratch.h"
#include "tests/deform/surface/surface_motions.h"

namespace sinew {
namespace {

TEST(FitCheckpoint, ForgedNumbersAreRefused) {
  SurfaceModel truth = test::tube(7, 8);
  test::set_smooth_parameters(truth);
  std::vector<SurfaceExample> examples{test::example_of(truth, test::swinging_motion(truth, 40, 0, 0.5))};
  SurfaceModel start = truth;
  for (VertexParameters& parameters : start.parameters) parameters = {};
  FitJob job;
  job.fit.iterations = 20;
  job.checkpoint = test::scratch_path("fit");
  job.resume = true;
  SurfaceModel model = start;
  HeldOut held_out;
  int reports = 0;
  ASSERT_FALSE(
      fit_or_resume(job, model, examples, held_out, [&](const ProgressReport&) { return ++reports < 3; }).complete);
  std::uint64_t fingerprint = 0;
  std::memcpy(&fingerprint, read_file(job.checkpoint).data() + 8, sizeof(fingerprint));
  const Checkpoint good = read_checkpoint(job.checkpoint, fingerprint);
  const std::size_t size = good.now.numbers.size();
  for (const double number : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, 7e31, -4.0})
    for (const std::size_t at : {std::size_t{0}, size / 3, size - 1}) {
      Checkpoint forged = good;
      forged.now.numbers[at] = number;
      write_checkpoint(job.checkpoint, forged);
      model = start;
      const std::string sentence =
          test::refusal(ErrorKind::input, [&] { fit_or_resume(job, model, examples, held_out, {}); });
      EXPECT_NE(sentence.find(job.checkpoint.string()), std::string::npos) << sentence;
      EXPECT_NE(sentence.find("a parameter of vertex"), std::string::npos) << sentence;
    }
  write_checkpoint(job.checkpoint, good);
  model = start;
  EXPECT_TRUE(fit_or_resume(job, model, examples, held_out, {}).complete);
}

}  // namespace
}  // namespace sinew
