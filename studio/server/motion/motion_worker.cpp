#include "studio/server/motion/motion_worker.h"

#include <system_error>

#include "sinew/base/error.h"
#include "sinew/base/threads/thread_loan.h"
#include "sinew/jobs/motion/motion_source.h"
#include "sinew/jobs/pictures/motion_strip.h"
#include "sinew/jobs/pictures/preview.h"
#include "studio/server/shape/bench_answers.h"

namespace sinew::studio {
namespace {

constexpr int picture_height = 88;  // pixels

}  // namespace

void MotionWorker::run(std::function<void()> task) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(task));
  if (runs_) return;
  runs_ = true;
  worker_.give([this](const Progress& progress) { run_all(progress); });
}

void MotionWorker::run_all(const Progress& progress) {
  const ThreadLoan alone;  // other cores are left to the player and the browser
  for (;;) {
    std::function<void()> task;
    {
      const std::lock_guard lock(mutex_);
      runs_ = !waiting_.empty() && report(progress, "", 0);
      if (!runs_) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
    }
    task();
  }
}

MotionWorker::FileState MotionWorker::state_of(const std::filesystem::path& file) {
  std::error_code status;
  const auto written = std::filesystem::last_write_time(file, status);
  return {file, status ? 0 : static_cast<std::int64_t>(written.time_since_epoch().count())};
}

const std::vector<std::string>& MotionWorker::clips_of(const std::filesystem::path& file) {
  const FileState state = state_of(file);
  if (const auto known = clips_.find(state); known != clips_.end()) return known->second;
  return clips_[state] = motion_clips(file);
}

const PageJson& MotionWorker::picture_of(const MotionPicture& picture) {
  const FileState map = state_of(picture.map);
  if (drawn_ != picture.read || map_ != map) pictures_.clear();
  if (drawn_ != picture.read) {
    std::vector<std::string> notes;  // pictures that are missing are said where the character is opened
    finishes_ = part_finishes(*picture.read->document, picture.read->character, notes);
  }
  drawn_ = picture.read;
  map_ = map;
  const std::pair key{state_of(picture.motion.file), picture.motion.clip};
  if (const auto known = pictures_.find(key); known != pictures_.end()) return known->second;
  OpenedCharacter opened = copy_of(*picture.read);
  add_motions(std::span(&picture.motion, 1), picture.map, opened);
  const int clip = opened.motions.front().first;
  const Clip& drawn = opened.character.clips[static_cast<std::size_t>(clip)];
  const Image strip = motion_strip(opened.character, clip, {.height = picture_height, .finishes = finishes_});
  return pictures_[key] = {{"picture", data_url("png", encode_png(strip))}, {"seconds", drawn.end - drawn.start}};
}

}  // namespace sinew::studio
