#include "studio/server/cook/check_job.h"

#include <exception>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/threads/thread_loan.h"
#include "sinew/jobs/check_file.h"
#include "studio/server/studio_state.h"
#include "studio/server/web/failure.h"

namespace sinew::studio {

void CheckJob::begin(const LoadedCharacter& loaded, const std::filesystem::path& file,
                     std::function<void(const PageJson&)> done) {
  const bool begun = worker_.give_if_idle([loaded, file, done = std::move(done)](const Progress& progress) {
    PageJson answer;
    try {
      const ThreadLoan alone;
      answer = check_state(loaded, check_file(file.string(), progress));
    } catch (const std::exception&) {
      answer = {{"error", sentence_of(std::current_exception())}};
    }
    done(answer);
  });
  if (!begun) throw usage_error("The character is being checked already.");
}

}  // namespace sinew::studio
