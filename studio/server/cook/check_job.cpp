#include "studio/server/cook/check_job.h"

#include <exception>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/thread_loan.h"
#include "sinew/jobs/check_file.h"
#include "studio/server/studio_state.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {

CheckJob::~CheckJob() {
  ends_ = true;
  if (thread_.joinable()) thread_.join();
}

void CheckJob::begin(const LoadedCharacter& loaded, const std::filesystem::path& file,
                     std::function<void(const PageJson&)> done) {
  if (busy_) throw usage_error("The character is being checked already.");
  if (thread_.joinable()) thread_.join();
  busy_ = true;
  thread_ = std::thread([this, loaded, file, done = std::move(done)] {
    PageJson answer;
    try {
      const ThreadLoan alone;
      answer = check_state(loaded, check_file(file.string(), [this](const ProgressReport&) { return !ends_.load(); }));
    } catch (const std::exception&) {
      answer = {{"error", sentence_of(std::current_exception())}};
    }
    busy_ = false;
    done(answer);
  });
}

}  // namespace sinew::studio
