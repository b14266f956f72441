// What has been decided about the character, what pages know of it, and those who do the work. Each file that answers
// pages (verbs.h, web_requests.h) works on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sinew/base/stopwatch.h"
#include "sinew/base/wall_clock.h"
#include "studio/server/access.h"
#include "studio/server/bake_jobs.h"
#include "studio/server/beside_job.h"
#include "studio/server/check_job.h"
#include "studio/server/history.h"
#include "studio/server/kitchen.h"
#include "studio/server/page_json.h"
#include "studio/server/pages.h"
#include "studio/server/project_file.h"
#include "studio/server/stage.h"
#include "studio/server/studio.h"

namespace sinew {

// Who is answered when an order of the kitchen's is on stage.
struct Waiter {
  Asker asker;
  std::uint64_t order = 0;
  Stopwatch watch;
};

// The last character's files as pages fetch them.
struct ServedFiles {
  std::mutex mutex;
  std::uint32_t number = 0;  // of the character
  std::shared_ptr<const std::vector<std::byte>> glb;
};

struct Desk {
  explicit Desk(const StudioOptions& options);

  const StudioOptions options;
  Folders folders;
  WallClock clock = steady_wall_clock();
  Pages pages;
  ServedFiles served;

  // `mutex` is held for all of these.
  std::mutex mutex;
  Cast cast;
  std::shared_ptr<const SimulationSurface> rest_surface;  // as the file paints it
  History history;
  std::filesystem::path character_path, project_file, history_file;
  std::string character_name;
  bool project_is_ours = true;
  std::uint64_t history_kept = 0;  // revision of the history that is on its way to the disk, or there
  PageJson character, hands = PageJson::array(), method, gravity, work, beside;  // keys of the state
  std::size_t dropped_bytes = 0;  // of files that pages have sent, in all
  std::string opening_failed;  // why the file that the program was started with could not be opened; a sentence or empty
  PlayState play;
  std::vector<Waiter> waiters;
  std::uint64_t orders = 0;  // of the kitchen, so far
  std::shared_ptr<const NamedTake> recording;
  std::string take_name, take_doing;
  std::map<std::string, std::filesystem::path> outputs;  // that were baked, by name

  // In this order: those below call those above.
  ProjectFile saver, history_saver;
  Stage stage;
  Kitchen kitchen;
  BakeJobs bakes;
  CheckJob check;
  BesideJob beside_job;
};

void tell_failure(Desk& desk, const std::string& what, const std::string& sentence);
// No page is waiting for this file. Until there is a character, pages that come later hear the sentence with their state, and
// StudioOptions::say hears it.
void tell_opening_failure(Desk& desk, const std::string& sentence);
void tell_progress(Desk& desk, const std::string& what, const ProgressReport& done);

// For all that follows `mutex` is held.

// Throws usage_error where none is open.
void require_character(const Desk& desk);
// Throws Error for settings that make no sense.
MethodChoice choice_of(const Desk& desk, const Project& project);

// Soon, and not by the caller.
void save_project(Desk& desk);

// Keys of the state (docs/studio_protocol.md, State), and all of it.
PageJson settings_state(const Desk& desk);
PageJson painted_state(const Desk& desk);
PageJson take_state(const Desk& desk);
PageJson outputs_state(const Desk& desk);
PageJson studio_state(const Desk& desk);

}  // namespace sinew
