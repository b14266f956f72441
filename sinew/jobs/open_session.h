// A character alive (session/session.h) in one call: from a file or from memory, through all that has to be made ready,
// to a session in the first frame of a clip.
//
//   const std::unique_ptr<LiveCharacter> live = open_session("hero.glb", {});   // path, and what is asked for
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

// How a character is to come alive.
struct SessionRequest {
  MethodChoice method = FleshMethod();  // others: method_named() of cook/methods.h
  std::string clip{};                   // name; empty: the first, or the rest pose where there is none
  bool loop = true;                     // the clip
  AskedSize size{};
};

// A session and all that it stands on, in one place that never moves.
class LiveCharacter {
 public:
  LiveCharacter(OpenedCharacter opened, const SessionRequest& request, const Progress& progress);
  LiveCharacter(const LiveCharacter&) = delete;
  LiveCharacter& operator=(const LiveCharacter&) = delete;

  const Character& character() const { return opened_.character; }
  const Scene& scene() const { return scene_; }
  const CookReport& report() const { return scene_.report; }
  const std::vector<std::string>& notes() const { return scene_.report.warnings; }  // what was decided, for people
  Session& session() { return session_; }

  // A clip by its name, or the first, for Session::play(). Throws usage_error where there is none, or several, of this
  // name, input_error where it cannot be played.
  Playback playback(const std::string& clip, bool loop) const;

 private:
  OpenedCharacter opened_;
  Scene scene_;
  Session session_;
};

// Reads, looks for defects, makes ready and begins; `progress` hears what is being done and how far it is. Throws what
// open_rigged_character(), cook() and Session throw: sentences that name the file or the setting. Throws
// Stopped where `progress` or `stop` asks for it, within a fraction of a second, but for a matrix that is being
// factorised.
std::unique_ptr<LiveCharacter> open_session(const std::filesystem::path& file, const SessionRequest& request,
                                            const Progress& progress = {}, const std::stop_token& stop = {});

// The same from memory: a whole glTF file that names no others. `name` stands for the file in messages.
std::unique_ptr<LiveCharacter> open_session(std::span<const std::byte> file, const std::string& name,
                                            const SessionRequest& request, const Progress& progress = {},
                                            const std::stop_token& stop = {});

}  // namespace sinew
