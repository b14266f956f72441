#include "studio/server/studio.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "sinew/base/error.h"
#include "studio/server/application.h"
#include "studio/server/compare_verbs.h"
#include "studio/server/cook/opening.h"
#include "studio/server/curves/curve_verbs.h"
#include "studio/server/live/player_tasks.h"
#include "studio/server/take_verbs.h"
#include "studio/server/verbs.h"
#include "studio/server/web/kept_address.h"
#include "studio/server/web/web_requests.h"

namespace sinew::studio {

namespace {

// Histories are larger than projects.
constexpr std::chrono::milliseconds gathering_of_history{2000};

}  // namespace

// Connects the events of workers to their handlers.
Application::Application(const StudioOptions& studio_options)
    : options(studio_options),
      folders(studio_options.folders),
      saver([this](const std::string& sentence) { tell_failure(*this, "saving", sentence); }),
      history_saver([this](const std::string& sentence) { tell_failure(*this, "saving", sentence); },
                    gathering_of_history),
      lattice_saver([this](const std::string& sentence) { tell_failure(*this, "saving", sentence); }),
      player({[this](auto frame) { pages.show(frame); }, [this](const PlayState& state) { note_play(*this, state); },
              [this](const RecordedTake& take, bool ended) { note_recorded(*this, take, ended); },
              [this](const std::string& sentence) { tell_failure(*this, "playing", sentence); },
              [this] { note_comparison(*this, PageJson()); }}),
      cook_worker([this](const std::string& what, const ProgressReport& done) { tell_progress(*this, what, done); }),
      file_jobs([this](const std::string& doing, const ProgressReport& done) { tell_progress(*this, doing, done); }),
      comparison_job([this](const ProgressReport& done) { tell_progress(*this, "cooking", done); }),
      shape_bench([this](const ProgressReport& done) { tell_progress(*this, "shaping", done); }),
      rig_worker([this](const ProgressReport& done) { tell_progress(*this, "rigging", done); }),
      lattice_worker([this](const ProgressReport& done) { tell_progress(*this, "lattice", done); }),
      steer_job([this](const ProgressReport& done) { tell_progress(*this, "steering", done); }),
      push_job([this](const ProgressReport& done) { tell_progress(*this, "pushing", done); }),
      curve_job([this](const PageJson& event) { pages.send_all(event); }) {}

class Studio::Implementation {
 public:
  explicit Implementation(const StudioOptions& options) : app_(options) {
    serve_at_kept_address();
    ready_ = true;
    if (options.file) {
      app_.folders.add(options.file->has_parent_path() ? options.file->parent_path() : std::filesystem::path("."));
      open_file(app_, {*options.file, nullptr}, {});
    }
  }
  ~Implementation() { app_.pages.close(); }  // workers end after the server
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;

  int port() const { return server_->port(); }
  const std::string& token() const { return token_; }

 private:
  // The address of the last start, with the token that open pages know. If another program listens there now, it may
  // have received the token from a page that tried to reconnect; then port and token are new.
  void serve_at_kept_address() {
    const StudioOptions& options = app_.options;
    const std::optional<Address> kept =
        options.address_file.empty() ? std::nullopt : read_address(options.address_file);
    if (kept && (options.port == 0 || options.port == kept->port)) {
      try {
        serve(*kept);
        keep_address(options.address_file, *kept);  // marks it as recent
        return;
      } catch (const Error&) {
        if (options.port != 0) throw;
      }
    }
    serve({options.port, random_token()});
    keep_address(options.address_file, {port(), token_});
  }

  void serve(const Address& address) {
    token_ = address.token;
    server_ = std::make_unique<WebServer>(
        address.port, token_, app_.options.limits,
        WebEvents{[this](const WebRequest& request) { return wait(), answer_request(app_, request); },
                  [this](PageNumber page) { join(page); },
                  [this](PageNumber page, std::string_view text) { dispatch(app_, page, text); },
                  [this](PageNumber page) { leave(page); }});
  }

  // Requests arrive while the server is being constructed.
  void wait() const {
    while (!ready_) std::this_thread::yield();
  }

  void join(PageNumber page) {
    wait();
    app_.pages.join(*server_, page);
    app_.player.post([](LivePlayer& player) { player.watch(true); });
  }

  void leave(PageNumber page) {
    const bool somebody = app_.pages.leave(page);
    {
      const std::lock_guard lock(app_.mutex);
      if (app_.curve_pages.erase(page) > 0) follow_curves(app_);
    }
    app_.player.post([this, page, somebody](LivePlayer& player) {
      if (player.forget_page(page)) note_hands(app_, player);
      player.watch(somebody);
    });
  }

  std::atomic<bool> ready_{false};
  Application app_;
  std::string token_;
  std::unique_ptr<WebServer> server_;
};

Studio::Studio(const StudioOptions& options) : implementation_(std::make_unique<Implementation>(options)) {}
Studio::~Studio() = default;
int Studio::port() const { return implementation_->port(); }
const std::string& Studio::token() const { return implementation_->token(); }
std::string Studio::address() const { return "http://127.0.0.1:" + std::to_string(port()) + "/?token=" + token(); }

}  // namespace sinew::studio
