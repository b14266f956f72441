// Opens characters and cooks them again when something about them changes, on a thread of its own beside the stage. The
// newest order wins: what is older is dropped, or stopped where it takes long.
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
#include "sinew/cook/prepare.h"
#include "sinew/cook/prepare_lattice.h"
#include "sinew/jobs/method_choice.h"
#include "studio/server/paint_layer.h"
#include "studio/server/stage.h"

namespace sinew {

using Paint = std::map<std::string, PaintLayer>;  // by channel: stiffness, damping, rigid

// The character with paint in place of its file's.
void put_paint(const SimulationSurface& surface, const Paint& paint, Character& character);
// What a channel has where the file alone paints it.
PaintLayer unpainted(const SimulationSurface& surface, const std::string& channel);

struct Order {
  MethodChoice choice;
  Paint paint;
};

// A file, or its bytes where some are given.
struct OpenOrder {
  std::filesystem::path file;
  std::shared_ptr<const std::vector<std::byte>> bytes;
};

// What was read, before anything is cooked; decides with which method and settings that is to be.
using Decide = std::function<Order(const OpenedCharacter&)>;

// From the kitchen's thread: the cast, or why there is none. Not called where a newer order took the place.
struct Served {
  Cast cast;
  std::exception_ptr failure;
  bool again = false;  // what was served before it was only to begin with
};
using Serve = std::function<void(Served)>;

class Kitchen {
 public:
  // `progress` hears of work that takes longer than a moment: what, activity, share.
  using Listener = std::function<void(const std::string& what, const ProgressReport& report)>;
  explicit Kitchen(Listener listener);
  ~Kitchen();
  Kitchen(const Kitchen&) = delete;
  Kitchen& operator=(const Kitchen&) = delete;

  void open(OpenOrder file, Decide decide, Serve serve);
  // The character that was opened last, as the order has it.
  void cook(Order order, Serve serve);
  // Stops what is being done.
  void cancel();

 private:
  struct Job {
    std::optional<OpenOrder> file;
    Decide decide;
    Order order;
    Serve serve;
    bool served = false;  // something to begin with
  };

  void run();
  void do_job(Job& job);
  void do_all_of(Job& job, const Progress& progress);
  void serve(Job& job, const Order& order, bool again, const Progress& progress);
  void read(const OpenOrder& file);
  std::shared_ptr<const PreparedMethod> prepare(const Order& order, const Progress& progress);
  std::shared_ptr<const PreparedMethod> prepare_flesh(const Order& order, const Progress& progress);
  const Character& painted(const Paint& paint);
  Recooks needed(const Order& order) const;

  Listener listener_;
  std::mutex mutex_;
  std::condition_variable woken_;
  std::optional<Job> next_;
  bool ends_ = false;
  std::atomic<bool> stop_{false}, quick_{false};

  // The pantry: of the character that was opened last.
  std::uint32_t number_ = 0;
  std::shared_ptr<const OpenedCharacter> opened_;
  std::optional<SimulationSurface> surface_;  // as the file has it
  std::optional<Character> painted_;
  Paint paint_;  // on it
  std::optional<FleshBase> base_;
  Paint base_paint_;
  std::shared_ptr<const ControlLattice> control_;
  std::string control_of_;  // its file and number of cells
  std::vector<std::string> control_notes_;
  std::optional<LatticeBase> lattice_;

  std::thread thread_;
};

}  // namespace sinew
