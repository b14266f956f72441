// Opens characters and cooks them again when something changes, on a background thread. The newest request wins: older
// ones are dropped, or stopped if they take long.
#pragma once

#include <atomic>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/jobs/motion/add_motions.h"
#include "sinew/jobs/open_character.h"
#include "studio/server/cook/paint_layer.h"
#include "studio/server/live/live_player.h"
#include "studio/server/worker.h"

namespace sinew::studio {

using Paint = std::map<std::string, PaintLayer>;  // by name of the field (character/fields.h)

// The character with paint in place of its file's.
void put_paint(const SimulationSurface& surface, const Paint& paint, Character& character);
// The paint of a channel as the file has it.
PaintLayer unpainted(const SimulationSurface& surface, const std::string& channel);

struct CookRequest {
  MethodChoice choice = FleshMethod();
  Paint paint;
  AskedMotions asked{};
};

// A file, or its bytes if they are given.
struct OpenRequest {
  std::filesystem::path file;
  std::shared_ptr<const std::vector<std::byte>> bytes;
  bool look = false;  // a sample that is only looked at: no project beside it is read or written
};

// Chooses method and settings for a character that was read but not yet cooked.
using ChooseRequest = std::function<CookRequest(const OpenedCharacter&)>;

// The loaded character, without a scene if it has no skeleton, or the reason why there is none; delivered on the cook
// worker's thread. Requests that a newer one replaces deliver nothing.
struct CookResult {
  LoadedCharacter loaded;
  std::exception_ptr failure;
  bool again = false;  // true if an earlier, coarser result was already delivered
};
using Deliver = std::function<void(CookResult)>;

class CookWorker {
 public:
  // Receives the progress of longer work: what it is about, activity and share.
  using Listener = std::function<void(const std::string& what, const ProgressReport& report)>;
  explicit CookWorker(Listener listener) : listener_(std::move(listener)) {}

  void open(OpenRequest file, ChooseRequest choose, Deliver deliver);
  // Cooks the character that was opened last with the request's settings and paint.
  void cook(CookRequest request, Deliver deliver);
  // Stops the current work.
  void cancel() { worker_.cancel(); }

 private:
  struct Job {
    std::optional<OpenRequest> file;
    ChooseRequest choose;
    CookRequest request;
    Deliver deliver;
    bool delivered = false;  // a draft
  };

  void give(Job job);
  void do_job(Job& job, const Progress& progress);
  void do_all_of(Job& job, const Progress& progress);
  void deliver(Job& job, const CookRequest& request, bool again, const Progress& progress);
  void read(const OpenRequest& file);
  void take_motions(const AskedMotions& asked);
  std::shared_ptr<const Scene> scene_of(const CookRequest& request, const Progress& progress);
  const Character& painted(const Paint& paint);
  // Input of the cook; changed paint and clips have other revisions than those of the last request.
  CookInput input(const CookRequest& request);

  Listener listener_;
  std::atomic<int> openings_{0};  // files that wait to be opened

  // State of the character that was opened last.
  std::uint32_t number_ = 0;
  std::shared_ptr<const OpenedCharacter> read_;  // as its file has it
  std::shared_ptr<const OpenedCharacter> opened_;
  AskedMotions motions_;                      // that opened_ has
  std::uint64_t clips_number_ = 1;            // rises with every change of them
  std::optional<SimulationSurface> surface_;  // with the file's own paint
  Paint paint_;                               // of the last request
  std::optional<Character> painted_;          // the character with `paint_`; empty: not made yet
  std::uint64_t paint_number_ = 0;            // rises with every change of paint
  CookCache cache_;                           // used by the worker's thread only
  Worker worker_{{.niceness = 5}};            // the player has priority
};

}  // namespace sinew::studio
