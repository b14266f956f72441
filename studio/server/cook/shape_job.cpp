#include "studio/server/cook/shape_job.h"

#include <exception>
#include <filesystem>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/thread_loan.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {

void ShapeJob::begin(const AddShapeJob& job, const std::filesystem::path& before,
                     std::function<void(const std::string& failure)> done) {
  const bool begun = worker_.give_if_idle([job, before, done = std::move(done)](const Progress& progress) {
    std::string failure;
    bool copied = false;
    try {
      const ThreadLoan alone;
      if (!before.empty()) copied = std::filesystem::copy_file(before, job.rigs);
      add_shape(job, progress);
    } catch (const std::exception&) {
      failure = sentence_of(std::current_exception());
      std::error_code ignored;
      if (copied) std::filesystem::remove(job.rigs, ignored);
    }
    done(failure);
  });
  if (!begun) throw usage_error("A force rig is being made already.");
}

}  // namespace sinew::studio
