// A character as a file in another unit holds it: the same to single precision, not to the last bit.
#pragma once

#include "sinew/character/character.h"

namespace sinew::test {

// `unit`: file units of the character per file unit of the result, such as 0.01 for centimetres where the character is
// in metres. Positions are rounded to the single precision that files hold.
inline Character in_unit(Character character, double unit) {
  const auto rounded = [unit](double x) { return static_cast<double>(static_cast<float>(x / unit)); };
  const auto scale = [&](Vec3& v) { v = {rounded(v.x), rounded(v.y), rounded(v.z)}; };
  for (Joint& joint : character.skeleton.joints) {
    scale(joint.rest.translation);
    if (joint.rest_matrix) scale(joint.rest_matrix->translation);
  }
  for (Skin& skin : character.skins)
    for (Affine& bind : skin.inverse_bind) scale(bind.translation);
  for (Part& part : character.parts) {
    for (Vec3& p : part.surface.positions) scale(p);
    for (std::vector<Vec3>& target : part.targets)
      for (Vec3& offset : target) scale(offset);
  }
  for (Clip& clip : character.clips)
    for (Channel& channel : clip.channels)
      if (channel.path == ChannelPath::translation)
        for (double& value : channel.values) value = rounded(value);
  character.metres_per_unit *= unit;
  return character;
}

}  // namespace sinew::test
