#include "studio/server/cook/file_jobs.h"

#include <algorithm>
#include <utility>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/base/stopwatch.h"
#include "studio/server/web/access.h"

namespace sinew::studio {

namespace fs = std::filesystem;

void FileJobs::begin(FileJob job, std::function<void(const FileJobDone&)> done) {
  const std::string doing = job.doing;
  const bool begun = worker_.give_if_idle(
      [this, job = std::move(job), done = std::move(done)](const Progress& progress) { run(job, done, progress); });
  if (!begun) throw usage_error("Something is being baked or learned already; wait, or cancel it.");
}

void FileJobs::run(const FileJob& job, const std::function<void(const FileJobDone&)>& done, const Progress& asked) {
  FileJobDone outcome{job.doing, job.command, "", false, job.files, 0};
  const Progress progress = telling(asked, [&](const ProgressReport& report) { listener_(job.doing, report); });
  const Stopwatch watch;
  std::vector<fs::path> fresh;
  for (const fs::path& file : job.files) {
    std::error_code status;
    if (!fs::exists(file, status)) fresh.push_back(file);
  }
  try {
    for (const fs::path& file : job.files) refuse_link(file);
    outcome.stopped = !job.run(progress);
  } catch (const std::exception& error) {
    outcome.failure = error.what();
  }
  if (outcome.stopped || !outcome.failure.empty())
    for (const fs::path& file : fresh) {
      std::error_code status;
      fs::remove(file, status);
    }
  outcome.seconds = watch.seconds();
  delivered_ = true;
  done(outcome);
}

fs::path beside(const fs::path& character, const std::string& name, const std::vector<std::string>& endings) {
  const std::string ending = lower_case_ending(name);
  if (is_plain_name(name) && std::find(endings.begin(), endings.end(), ending) != endings.end())
    return character.parent_path() / name;
  std::string list;
  for (const std::string& each : endings) list += (list.empty() ? "" : ", ") + each;
  throw usage_error("'" + name + "' cannot be the name of a result, which is a file beside the character with " +
                    (endings.size() > 1 ? "one of the endings " : "the ending ") + list + ".");
}

std::string shell_word(const std::string& text) {
  const bool plain =
      !text.empty() &&
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%") ==
          std::string::npos &&
      text.front() != '-';
  if (plain) return text;
  std::string quoted = "'";
  for (const char letter : text) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

}  // namespace sinew::studio
