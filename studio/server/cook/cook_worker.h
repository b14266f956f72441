// Opens characters and cooks them again when something about them changes, on a thread of its own beside the player.
// The newest request wins: what is older is dropped, or stopped where it takes long.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/jobs/open_character.h"
#include "studio/server/cook/paint_layer.h"
#include "studio/server/live/live_player.h"

namespace sinew::studio {

using Paint = std::map<std::string, PaintLayer>;  // by name of the field (character/fields.h)

// The character with paint in place of its file's.
void put_paint(const SimulationSurface& surface, const Paint& paint, Character& character);
// What a channel has where the file alone paints it.
PaintLayer unpainted(const SimulationSurface& surface, const std::string& channel);

struct CookRequest {
  MethodChoice choice = FleshMethod();
  Paint paint;
};

// A file, or its bytes where some are given.
struct OpenRequest {
  std::filesystem::path file;
  std::shared_ptr<const std::vector<std::byte>> bytes;
};

// What was read, before anything is cooked; decides with which method and settings that is to be.
using Decide = std::function<CookRequest(const OpenedCharacter&)>;

// From the cook worker's thread: the loaded character, or why there is none. Not called where a newer request took the
// place.
struct CookResult {
  LoadedCharacter loaded;
  std::exception_ptr failure;
  bool again = false;  // true if an earlier, coarser result was already delivered
};
using Deliver = std::function<void(CookResult)>;

class CookWorker {
 public:
  // `progress` hears of work that takes longer than a moment: what, activity, share.
  using Listener = std::function<void(const std::string& what, const ProgressReport& report)>;
  explicit CookWorker(Listener listener);
  ~CookWorker();
  CookWorker(const CookWorker&) = delete;
  CookWorker& operator=(const CookWorker&) = delete;

  void open(OpenRequest file, Decide decide, Deliver deliver);
  // The character that was opened last, as the request has it.
  void cook(CookRequest request, Deliver deliver);
  // Stops what is being done.
  void cancel();

 private:
  struct Job {
    std::optional<OpenRequest> file;
    Decide decide;
    CookRequest request;
    Deliver deliver;
    bool delivered = false;  // something to begin with
  };

  void run();
  void do_job(Job& job);
  void do_all_of(Job& job, const Progress& progress);
  void deliver(Job& job, const CookRequest& request, bool again, const Progress& progress);
  void read(const OpenRequest& file);
  std::shared_ptr<const Scene> scene_of(const CookRequest& request, const Progress& progress);
  const Character& painted(const Paint& paint);
  // What the request would cook; the numbers of its paint are told apart from those of the last request.
  CookInput input(const CookRequest& request);

  Listener listener_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::optional<Job> next_;
  bool ends_ = false;
  std::atomic<bool> stop_{false}, quick_{false};

  // What is kept: of the character that was opened last.
  std::uint32_t number_ = 0;
  std::shared_ptr<const OpenedCharacter> opened_;
  std::optional<SimulationSurface> surface_;  // as the file has it
  Paint paint_;                               // that was asked for last
  std::optional<Character> painted_;          // with it; empty: not made yet
  std::uint64_t paint_number_ = 0;            // rises with every other paint
  CookCache cache_;                           // on the cook worker's thread alone
  std::thread thread_;
};

}  // namespace sinew::studio
