// Verbs of pages (docs/studio_protocol.md, Messages). A new verb needs a struct in command.h, a parser in command.cpp,
// and a handle() below in the file of related verbs.
#pragma once

#include <string_view>

#include "studio/server/application.h"
#include "studio/server/command.h"

namespace sinew::studio {

// Dispatches a page's message to its verb, or answers with a sentence about what is wrong.
void dispatch(Application& app, PageNumber page, std::string_view text);

// Each answers the client, at once or when it is done. Throws Error for impossible requests.

// file_verbs.cpp
void handle(Application& app, const Client& client, const command::Hello& hello);
void handle(Application& app, const Client& client, const command::Next&);
void handle(Application& app, const Client& client, const command::ListFiles& list);
void handle(Application& app, const Client& client, const command::Open& asked);

// player_verbs.cpp
void handle(Application& app, const Client& client, const command::Play& play);
void handle(Application& app, const Client& client, const command::Pause&);
void handle(Application& app, const Client& client, const command::Scrub& scrub);
void handle(Application& app, const Client& client, const command::Speed& speed);
void handle(Application& app, const Client& client, const command::Grab& grab);
void handle(Application& app, const Client& client, const command::Drag& drag);
void handle(Application& app, const Client& client, const command::Release& release);
void handle(Application& app, const Client& client, const command::Act& act);
void handle(Application& app, const Client& client, const command::Gravity& gravity);
void handle(Application& app, const Client& client, const command::Tissue& tissue);
void handle(Application& app, const Client& client, const command::Show& show);

// motion/steer_verbs.cpp
void handle(Application& app, const Client& client, const command::Steer& steer);
void handle(Application& app, const Client& client, const command::PushBody& push);
void handle(Application& app, const Client& client, const command::ShowPath& asked);
void handle(Application& app, const Client& client, const command::EditPath& asked);
void handle(Application& app, const Client& client, const command::DrawMotion& asked);

// shape_verbs.cpp
void handle(Application& app, const Client& client, const command::Shape& shape);
void handle(Application& app, const Client& client, const command::AddShape& add);
void handle(Application& app, const Client& client, const command::EditShape& edit);
void handle(Application& app, const Client& client, const command::MoveShape& move);

// shape/bench_verbs.cpp
void handle(Application& app, const Client& client, const command::FitShape& fit);
void handle(Application& app, const Client& client, const command::ShapesOfMorphs& morphs);
void handle(Application& app, const Client& client, const command::PictureShape& picture);
void handle(Application& app, const Client& client, const command::RehearseShape& rehearse);

// shape/transfer_verbs.cpp
void handle(Application& app, const Client& client, const command::TransferShapes& transfer);
void handle(Application& app, const Client& client, const command::ShowSurface& show);

// project_verbs.cpp
void handle(Application& app, const Client& client, const command::PoseJoints& pose);
void handle(Application& app, const Client& client, const command::ReachJoint& reach);
void handle(Application& app, const Client& client, const command::DrawLine& line);
void handle(Application& app, const Client& client, const command::Unpose& unpose);
void handle(Application& app, const Client& client, const command::KeepPose& keep);
void handle(Application& app, const Client& client, const command::Carry& carry);
void handle(Application& app, const Client& client, const command::ChooseMethod& method);
void handle(Application& app, const Client& client, const command::Set& set);
void handle(Application& app, const Client& client, const command::Reset& reset);
void handle(Application& app, const Client& client, const command::Undo&);
void handle(Application& app, const Client& client, const command::Redo&);

// paint/paint_verbs.cpp
void handle(Application& app, const Client& client, const command::Paint& paint);
void handle(Application& app, const Client& client, const command::Channel& channel);
void handle(Application& app, const Client& client, const command::EditLimb& edit);
void handle(Application& app, const Client& client, const command::ShowLimb& show);

// motion/motion_verbs.cpp
void handle(Application& app, const Client& client, const command::EditMotion& edit);
void handle(Application& app, const Client& client, const command::ListMotions&);
void handle(Application& app, const Client& client, const command::PictureMotion& asked);

// take_verbs.cpp
void handle(Application& app, const Client& client, const command::EditTake& edit);

// bake_verbs.cpp
void handle(Application& app, const Client& client, const command::Bake& bake);
void handle(Application& app, const Client& client, const command::Fit& fit);
void handle(Application& app, const Client& client, const command::Learn& learn);
void handle(Application& app, const Client& client, const command::Cancel&);

// compare_verbs.cpp
void handle(Application& app, const Client& client, const command::ShowCells&);
void handle(Application& app, const Client& client, const command::PlayComparison& asked);

// rigging/rig_verbs.cpp
void handle(Application& app, const Client& client, const command::EditJoint& edit);
void handle(Application& app, const Client& client, const command::ShowRigMesh&);
void handle(Application& app, const Client& client, const command::TryJoints& tried);
void handle(Application& app, const Client& client, const command::ShowWeights& weights);
void handle(Application& app, const Client& client, const command::PaintWeights& paint);
void handle(Application& app, const Client& client, const command::ReportRig&);
void handle(Application& app, const Client& client, const command::SaveRig& save);
void handle(Application& app, const Client& client, const command::LetFall& asked);

// curves/curve_verbs.cpp
void handle(Application& app, const Client& client, const command::ShowCurves& show);
void handle(Application& app, const Client& client, const command::EditCurve& edit);

// lattice/lattice_verbs.cpp
void handle(Application& app, const Client& client, const command::EditLattice& edit);
void handle(Application& app, const Client& client, const command::ShowLattice&);
void handle(Application& app, const Client& client, const command::ShowLatticeSkin&);
void handle(Application& app, const Client& client, const command::CheckLattice&);

// instrument/ring_verbs.cpp
void handle(Application& app, const Client& client, const command::PlaceRing& place);
void handle(Application& app, const Client& client, const command::ShowRings&);

// instrument/attachment_verbs.cpp
void handle(Application& app, const Client& client, const command::AttachSkin& attach);

// instrument/handle_verbs.cpp
void handle(Application& app, const Client& client, const command::PlaceHandle& place);
void handle(Application& app, const Client& client, const command::ShowHandles&);

// instrument/muscle_verbs.cpp
void handle(Application& app, const Client& client, const command::EditMuscle& edit);

// check_verb.cpp
void handle(Application& app, const Client& client, const command::Check&);

}  // namespace sinew::studio
