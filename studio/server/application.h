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
#include "studio/server/cook/bake_jobs.h"
#include "studio/server/cook/check_job.h"
#include "studio/server/cook/cook_worker.h"
#include "studio/server/live/comparison_job.h"
#include "studio/server/live/live_player.h"
#include "studio/server/project/history.h"
#include "studio/server/project/project_file.h"
#include "studio/server/studio.h"
#include "studio/server/web/access.h"
#include "studio/server/web/page_json.h"
#include "studio/server/web/pages.h"

namespace sinew::studio {

// Who is answered when a request of the cook worker's is in the player.
struct PendingReply {
  Client client;
  std::uint64_t request = 0;
  Stopwatch watch;
};

// The last character's files as pages fetch them.
struct CharacterFiles {
  std::mutex mutex;
  std::uint32_t number = 0;  // of the character
  std::shared_ptr<const std::vector<std::byte>> glb;
};

struct Application {
  explicit Application(const StudioOptions& options);

  const StudioOptions options;
  Folders folders;
  WallClock clock = steady_wall_clock();
  Pages pages;
  CharacterFiles served;

  // `mutex` is held for all of these.
  std::mutex mutex;
  LoadedCharacter loaded;
  std::shared_ptr<const SimulationSurface> rest_surface;  // as the file paints it
  History history;
  std::filesystem::path character_path, project_file, history_file;
  std::string character_name;
  bool project_is_ours = true;
  std::uint64_t history_kept = 0;  // revision of the history that is on its way to the disk, or there
  PageJson character, hands = PageJson::array(), method, gravity, work, comparison;  // keys of the state
  std::size_t dropped_bytes = 0;  // of files that pages have sent, in all
  std::string
      opening_failed;  // why the file that the program was started with could not be opened; a sentence or empty
  PlayState play;
  std::vector<PendingReply> pending_replies;
  std::uint64_t requests = 0;  // of the cook worker, so far
  std::shared_ptr<const NamedTake> recording;
  std::string take_name, take_doing;
  std::map<std::string, std::filesystem::path> outputs;  // that were baked, by name

  // In this order: those below call those above.
  ProjectFile saver, history_saver;
  LivePlayer player;
  CookWorker cook_worker;
  BakeJobs bakes;
  CheckJob check;
  ComparisonJob comparison_job;
};

void tell_failure(Application& app, const std::string& what, const std::string& sentence);
// No page is waiting for this file. Until there is a character, pages that come later hear the sentence with their
// state, and StudioOptions::say hears it.
void tell_opening_failure(Application& app, const std::string& sentence);
void tell_progress(Application& app, const std::string& what, const ProgressReport& done);

// For all that follows `mutex` is held.

// Throws usage_error where none is open.
void require_character(const Application& app);
// Throws Error for settings that make no sense.
MethodChoice choice_of(const Application& app, const Project& project);
// Settings that suit the character for a method that has none yet, and the model where one was asked for.
void give_first_settings(const Application& app, const std::string& model, Project& project);

// Soon, and not by the caller.
void save_project(Application& app);

// Keys of the state (docs/studio_protocol.md, State), and all of it.
PageJson settings_state(const Application& app);
PageJson painted_state(const Application& app);
PageJson take_state(const Application& app);
PageJson outputs_state(const Application& app);
PageJson studio_state(const Application& app);

}  // namespace sinew::studio
