// Finds the bones of a body in a skeleton without a humanoid map.
#pragma once

#include <span>

#include "sinew/kinematics/body_bones.h"

namespace sinew {

// Finds bones by the names of common rigs (anatomy/bone_names.h), whose sides must be named, and where names leave it
// open by the lengths of the bones. `rest`: position of every joint in a pose in which the body stands, any unit. The
// result may be incomplete.
BodyBones bones_by_name(const Skeleton& skeleton, std::span<const Vec3> rest);

// Finds bones by structure alone: the two longest pairs of chains that mirror each other are legs and arms, the lower
// one the legs. `rest` has `up` as up axis, unit length. The result may be incomplete.
BodyBones bones_by_structure(const Skeleton& skeleton, std::span<const Vec3> rest, const Vec3& up);

// Finds bones by name, else by structure.
BodyBones find_body_bones(const Skeleton& skeleton, std::span<const Vec3> rest, const Vec3& up);

// Whether a joint is only an exporter's mark of a bone's end, such as "Head_end", "HeadNub", "Site".
bool is_end_marker(std::string_view name);

// Assigns the joints of a limb's chain, which runs outward, to its bones. `labels`: per joint of the chain what its
// name says: 'b' clavicle, 'u' upper, 'l' lower, 'e' end, 't' tip, or ' '. Where labels do not tell upper and lower
// bone, the choice is the pair that divides the limb most evenly into long bones.
LimbBones limb_of_chain(const Skeleton& skeleton, std::span<const Vec3> rest, std::span<const int> chain,
                        std::string_view labels);

}  // namespace sinew
