// Opens a live character (session/session.h) in one call: reads and prepares it, and starts a session in the first
// frame of a clip.
//
//   const std::unique_ptr<LiveCharacter> live = open_session("hero.glb", {});   // path and options
//   live->session().advance(1.0 / 60);
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/cook/flesh/flesh_method.h"
#include "sinew/jobs/open_character.h"
#include "sinew/session/session.h"

namespace sinew {

// Options of a live session.
struct SessionRequest {
  MethodChoice method = FleshMethod();  // for others: method_named() of cook/methods.h
  std::string clip{};                   // name; empty: the first, or the rest pose if there is none
  bool loop = true;                     // play the clip in a loop
  SizeRequest size{};
  // Values of --motion (AnimateJob::motions), which become clips of the character; then `clip` is a value of --clip,
  // and if empty the first clip of the first motion. `motion_map`: file of bones named by hand (.json); empty: none.
  std::vector<std::string> motions{};
  std::filesystem::path motion_map{};
};

// A session with everything that it depends on. It cannot be moved.
class LiveCharacter {
 public:
  LiveCharacter(OpenedCharacter opened, const SessionRequest& request, const Progress& progress);
  LiveCharacter(const LiveCharacter&) = delete;
  LiveCharacter& operator=(const LiveCharacter&) = delete;

  const Character& character() const { return opened_.character; }
  const Scene& scene() const { return scene_; }
  const CookReport& report() const { return scene_.report; }
  const std::vector<std::string>& notes() const {
    return scene_.report.warnings;
  }  // decisions, as sentences for the user
  Session& session() { return session_; }

  // A clip by name (empty: the first) for Session::play(). Throws usage_error if no clip, or several, have this name,
  // and input_error if it cannot be played.
  Playback playback(const std::string& clip, bool loop) const;

 private:
  OpenedCharacter opened_;
  std::string first_clip_;  // that plays first; see playback()
  Scene scene_;
  Session session_;
};

// Reads, checks and prepares the character and starts the session; `progress` receives the activity and its progress.
// Throws what open_rigged_character(), cook() and Session throw: sentences that name the file or the setting. Throws
// Stopped if `progress` or `stop` asks for it, within a fraction of a second except during a matrix factorisation.
std::unique_ptr<LiveCharacter> open_session(const std::filesystem::path& file, const SessionRequest& request,
                                            const Progress& progress = {}, const std::stop_token& stop = {});

// Opens a complete glTF file in memory that refers to no other files. `name` stands for the file in messages.
std::unique_ptr<LiveCharacter> open_session(std::span<const std::byte> file, const std::string& name,
                                            const SessionRequest& request, const Progress& progress = {},
                                            const std::stop_token& stop = {});

}  // namespace sinew
