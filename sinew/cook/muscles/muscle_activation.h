// Activation of muscles from the pose: by the turn that a muscle makes, or by a control as force rigs have them.
#pragma once

#include <string>
#include <vector>

#include "sinew/character/character.h"
#include "sinew/character/simulation_surface.h"
#include "sinew/cook/muscles/muscle_file.h"
#include "sinew/cook/muscles/muscle_lever.h"
#include "sinew/deform/muscle_controls.h"
#include "sinew/shape/control_values.h"

namespace sinew {

// Immutable.
class MuscleActivations final : public MuscleControls {
 public:
  // `muscles`: those of the body. `given`: of the setting `activation`. Throws input_error naming the file, the muscle
  // and a remedy where a joint or control does not exist, or a pattern matches no muscle.
  MuscleActivations(const MuscleFile& muscles, const ActivationFile& given, const Character& character,
                    const SimulationSurface& surface);

  std::span<const std::string> names() const override { return names_; }
  const MuscleFile& file() const { return file_; }
  // The activation in force of a muscle: its own, or the one that the setting gives it.
  const MuscleActivation& of(std::size_t muscle) const { return sources_[muscle].activation; }
  const std::string& clip() const override { return clip_; }
  void find(const Pose& pose, double clip_time, std::span<const Affine> bones,
            std::vector<double>& activation) const override;

 private:
  struct Source {
    MuscleActivation activation;
    MuscleLever lever;
    std::size_t control = 0;  // index into the values of controls
  };

  MuscleFile file_;
  std::vector<std::string> names_;
  std::string clip_;
  std::vector<Source> sources_;  // per muscle
  ControlValues controls_;
};

// Sentences about activations that are of muscles which were left out alone (MuscleFile::left_out).
std::vector<std::string> notes_of_left_out(const MuscleFile& muscles, const ActivationFile& given);

}  // namespace sinew
