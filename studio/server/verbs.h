// What a page's messages do (docs/studio_protocol.md, Messages). A new verb: its struct in command.h, how it is read in
// command.cpp, and a handle() below in the file of those like it.
#pragma once

#include <string_view>

#include "studio/server/command.h"
#include "studio/server/desk.h"

namespace sinew {

// A page's message, whatever it is: done, or answered by a sentence.
void hear(Desk& desk, PageNumber page, std::string_view text);

// Each answers the asker, at once or when it is done. Throws Error for what cannot be done.

// file_verbs.cpp
void handle(Desk& desk, const Asker& asker, const command::Hello& hello);
void handle(Desk& desk, const Asker& asker, const command::Next&);
void handle(Desk& desk, const Asker& asker, const command::ListFiles& list);
void handle(Desk& desk, const Asker& asker, const command::Open& asked);

// stage_verbs.cpp
void handle(Desk& desk, const Asker& asker, const command::Play& play);
void handle(Desk& desk, const Asker& asker, const command::Pause&);
void handle(Desk& desk, const Asker& asker, const command::Scrub& scrub);
void handle(Desk& desk, const Asker& asker, const command::Speed& speed);
void handle(Desk& desk, const Asker& asker, const command::Grab& grab);
void handle(Desk& desk, const Asker& asker, const command::Drag& drag);
void handle(Desk& desk, const Asker& asker, const command::Release& release);
void handle(Desk& desk, const Asker& asker, const command::Poke& poke);
void handle(Desk& desk, const Asker& asker, const command::Gravity& gravity);
void handle(Desk& desk, const Asker& asker, const command::Show& show);

// project_verbs.cpp
void handle(Desk& desk, const Asker& asker, const command::PoseJoints& pose);
void handle(Desk& desk, const Asker& asker, const command::Unpose& unpose);
void handle(Desk& desk, const Asker& asker, const command::Carry& carry);
void handle(Desk& desk, const Asker& asker, const command::ChooseMethod& method);
void handle(Desk& desk, const Asker& asker, const command::Set& set);
void handle(Desk& desk, const Asker& asker, const command::Reset& reset);
void handle(Desk& desk, const Asker& asker, const command::Paint& paint);
void handle(Desk& desk, const Asker& asker, const command::Channel& channel);
void handle(Desk& desk, const Asker& asker, const command::Undo&);
void handle(Desk& desk, const Asker& asker, const command::Redo&);

// take_verbs.cpp
void handle(Desk& desk, const Asker& asker, const command::EditTake& edit);

// bake_verbs.cpp
void handle(Desk& desk, const Asker& asker, const command::Bake& bake);
void handle(Desk& desk, const Asker& asker, const command::Cancel&);

// compare_verbs.cpp
void handle(Desk& desk, const Asker& asker, const command::ShowCells&);
void handle(Desk& desk, const Asker& asker, const command::PlayBeside& asked);

// check_verb.cpp
void handle(Desk& desk, const Asker& asker, const command::Check&);

}  // namespace sinew
