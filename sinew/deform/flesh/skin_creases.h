// Creases of flesh: skin that stays on its own side of other skin of the same body (docs/flesh.md, Creases).
//
// The fields of the skin's parts (rig/implicit) move with the bones and tell at any place how deep it is in either
// part. Where both are equally deep is the surface on which the parts meet: in the middle between two goals, and
// through the middle of what they share where they overlap. Neither side sees the other's flesh, so that contact
// depends on the pose alone, and where the skeleton rests nothing that is found can change from step to step.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sinew/contact/other_skin.h"
#include "sinew/rig/implicit/composed_field.h"

namespace sinew {

class SkinCreases final : public OtherSkin {
 public:
  explicit SkinCreases(std::shared_ptr<const ImplicitSkin> skin);

  // Finds the meetings of a step. `before`, `bones`: at its beginning and its end. `goals`: of the surface's points, at
  // its end; metres, world.
  void begin(std::span<const Affine> before, std::span<const Affine> bones, std::span<const Vec3> goals);

  std::span<const SkinMeeting> meetings() const override { return meetings_; }
  Gap gap(const SkinMeeting& meeting, const Vec3& place) const override;
  Gap gap_before(const SkinMeeting& meeting, const Vec3& place) const override;
  Vec3 velocity(const SkinMeeting& meeting, const Vec3& place, double step) const override;

 private:
  std::vector<SkinMeeting> meetings_of(const SkinClusters::Cluster& cluster, std::span<const Vec3> goals) const;
  bool may_be_near(const Vec3& middle, double radius, int part) const;
  bool may_face(const FieldValue& own, const Vec3& middle, int part) const;
  bool is_near(const Vec3& goal, int own, int part) const;
  std::optional<SkinMeeting> meeting(std::size_t point, const Vec3& goal, const FieldValue& own, int part) const;

  std::shared_ptr<const ImplicitSkin> skin_;
  SkinClusters clusters_;  // of points that may touch
  // Arguments of the last begin().
  std::vector<Affine> bones_before_, bones_;
  std::vector<Vec3> goals_;
  std::optional<PosedFields> before_, now_;
  std::vector<Affine> moved_;  // per part: where its material was a step earlier, world to world
  std::vector<SkinMeeting> meetings_;
};

}  // namespace sinew
