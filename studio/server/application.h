// The state of the studio: the project, what pages know of it, and the workers. Everything that serves pages (verbs.h,
// web_requests.h) works on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sinew/base/stopwatch.h"
#include "sinew/base/wall_clock.h"
#include "studio/server/cook/check_job.h"
#include "studio/server/cook/cook_worker.h"
#include "studio/server/cook/file_jobs.h"
#include "studio/server/curves/curve_job.h"
#include "studio/server/lattice/lattice_bench.h"
#include "studio/server/lattice/lattice_worker.h"
#include "studio/server/live/comparison_job.h"
#include "studio/server/live/live_player.h"
#include "studio/server/motion/motion_worker.h"
#include "studio/server/motion/path_job.h"
#include "studio/server/motion/push_job.h"
#include "studio/server/motion/steer_job.h"
#include "studio/server/project/history.h"
#include "studio/server/project/project_file.h"
#include "studio/server/project/uncooked_steps.h"
#include "studio/server/rigging/rig_worker.h"
#include "studio/server/shape/shape_bench.h"
#include "studio/server/studio.h"
#include "studio/server/web/access.h"
#include "studio/server/web/page_json.h"
#include "studio/server/web/pages.h"

namespace sinew::studio {

// A client to be answered once a cook request is in the player.
struct PendingReply {
  Client client;
  std::uint64_t request = 0;
  Stopwatch watch;
};

// Files of the current character for pages to fetch.
struct CharacterFiles {
  std::mutex mutex;
  std::uint32_t number = 0;  // of the character
  std::shared_ptr<const std::vector<std::byte>> glb;
};

struct Application {
  explicit Application(const StudioOptions& options);
  // Ends the player before its members go: the player's work calls the workers, and workers post work to the player.
  ~Application() { player.end(); }
  Application(const Application&) = delete;
  Application& operator=(const Application&) = delete;

  const StudioOptions options;
  Folders folders;
  WallClock clock = steady_wall_clock();
  Pages pages;
  CharacterFiles served;

  // The following members are guarded by `mutex`.
  std::mutex mutex;
  LoadedCharacter loaded;
  std::shared_ptr<const SimulationSurface> rest_surface;  // with the file's own paint
  std::optional<RigBench> rigging;                        // a mesh that gets a rig; in place of a character
  std::optional<LatticeBench> lattice;                    // that is edited by hand
  History history;
  std::filesystem::path character_path, project_file, history_file;
  std::string character_name;
  bool project_is_ours = true;
  std::uint64_t history_kept = 0;  // revision of the history that was last passed on for saving
  PageJson character, acting, shapes, muscles, method, work, comparison;  // keys of the state
  std::set<std::filesystem::path> motion_files;                           // that pages have sent as motion
  std::size_t dropped_bytes = 0;                                          // total size of files that pages have sent
  std::string opening_failed;  // why the file given at the start could not be opened: a sentence, or empty
  PlayState play;
  std::vector<PendingReply> pending_replies;
  std::uint64_t requests = 0;  // number of cook requests so far: of steps, by users
  std::uint64_t cooks = 0;     // number of states given to the cook worker so far
  UncookedSteps uncooked;      // steps of the history since what plays
  std::shared_ptr<const NamedTake> recording;
  std::string take_name;
  std::set<PageNumber> curve_pages;                      // that show the curves of the method
  std::map<std::string, std::filesystem::path> outputs;  // files baked by this studio, by name
  // Handles of rigs that were described before (shape/project_rigs.h), by the number of the character and the rig's
  // text.
  mutable std::map<std::string, PageJson> rig_handles;

  // Order matters: later members call earlier ones and are destroyed first. The player calls all of them; it ends
  // before.
  ProjectFile saver, history_saver, lattice_saver;
  LivePlayer player;
  CookWorker cook_worker;
  FileJobs file_jobs;
  CheckJob check;
  ComparisonJob comparison_job;
  ShapeBench shape_bench;
  RigWorker rig_worker;
  LatticeWorker lattice_worker;
  MotionWorker motion_worker;
  SteerJob steer_job;
  PushJob push_job;
  PathJob path_job;
  CurveJob curve_job;
};

void tell_failure(Application& app, const std::string& what, const std::string& sentence);
// Reports that the file given at the start could not be opened, which no client waits for: StudioOptions::say receives
// the sentence, and so do pages that connect later, in their state, until a character is opened.
void tell_opening_failure(Application& app, const std::string& sentence);
void tell_progress(Application& app, const std::string& what, const ProgressReport& done);

// All functions below require `mutex` to be held.

// Throws usage_error if no character is open.
void require_character(const Application& app);
// The method with the project's settings. Throws Error for invalid settings.
MethodChoice choice_of(const Application& app, const Project& project);
// The request that cooks the project. Throws Error for invalid settings, and for motions that cannot be found and are
// not those that play.
CookRequest cook_request(const Application& app, const Project& project);
// Fills in settings that suit the character for a method that has none yet, and the model if one was named.
void give_first_settings(const Application& app, const std::string& model, Project& project);

// Schedules saving on another thread.
void save_project(Application& app);

// Keys of the state (docs/studio_protocol.md, State), and the complete state.
PageJson settings_state(const Application& app);
PageJson painted_state(const Application& app);
PageJson fields_state(const Application& app);  // rows of painted_fields that the method obeys
PageJson limbs_state(const Application& app);   // curves along limbs; null: the method has none
PageJson take_state(const Application& app);
PageJson outputs_state(const Application& app);
PageJson studio_state(const Application& app);

}  // namespace sinew::studio
