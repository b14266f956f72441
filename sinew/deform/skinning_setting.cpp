#include "sinew/deform/skinning_setting.h"

namespace sinew {
namespace {

constexpr Word<SkinningKind> skinning_words[] = {{"linear", SkinningKind::linear},
                                                 {"dualquat", SkinningKind::dual_quaternion},
                                                 {"volume", SkinningKind::volume},
                                                 {"implicit", SkinningKind::implicit}};

}  // namespace

Setting skinning_setting(const Member<SkinningKind>& skinning, Recooks recooks) {
  return {.key = "skinning",
          .value = choice(skinning, skinning_words),
          .help = "How the skeleton poses the skin that the flesh starts from",
          .option = OnCommandLine::rare,
          .takes = "KIND",
          .page = "skinning.md",
          .recooks = recooks};
}

}  // namespace sinew
