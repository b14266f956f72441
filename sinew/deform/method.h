// A method as program, studio and library see it: its name, its settings, and the scene that it makes of a character.
// A new method is a folder with one of these, and a line in cook/methods.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

#include "sinew/base/progress.h"
#include "sinew/character/character.h"
#include "sinew/deform/scene.h"
#include "sinew/deform/setting.h"

namespace sinew {

// What distinguishes methods for those who offer them.
struct MethodTraits {
  bool needs_skin_weights = true;  // false: the method gives a character weights that has none
  bool live = true;                // the studio can play it
  bool has_memory = true;          // false: every pose stands for itself, so that a cyclic clip is cyclic
  bool gives_curves = false;       // it answers with values of the rig's own controls
  const char* model_ending = "";   // of the files of which the setting `model` has to name one; empty: there is none
  bool keeps_rigid = false;        // cook() keeps the shape of rigid things afterwards (cook/keep_rigid.h); false: the
                                   // method does so itself, or shows them as the rig has them
};

// Numbers that change whenever the character does. 0: not told; nothing that was kept is used again then.
struct CharacterRevision {
  std::uint64_t skin = 0;   // of everything but paint
  std::uint64_t paint = 0;  // of the painted fields
};

struct CookInput {
  const Character& character;
  std::vector<int> clips{};  // that are to be played: indices into its clips, -1: the rest pose
  bool real_time = false;    // it is to keep up with the clock, by longer steps where it must
  CharacterRevision revision{};
};

// What methods keep from one cook to the next, so that a changed setting cooks again only what depends on it. Each
// method has a struct of its own in it.
class CookCache {
 public:
  template <class Kept>
  Kept& of() {
    std::shared_ptr<void>& kept = kept_[typeid(Kept)];
    if (!kept) kept = std::make_shared<Kept>();
    return *static_cast<Kept*>(kept.get());
  }
  template <class Kept>
  const Kept* find() const {
    const auto found = kept_.find(typeid(Kept));
    return found == kept_.end() ? nullptr : static_cast<const Kept*>(found->second.get());
  }
  void forget() { kept_.clear(); }

 private:
  std::map<std::type_index, std::shared_ptr<void>> kept_;
};

class Method {
 public:
  virtual ~Method() = default;

  virtual const char* name() const = 0;     // as on the command line: "rigspace"
  virtual const char* title() const = 0;    // for headings: "Rig space"
  virtual const char* summary() const = 0;  // half a sentence: "moves the rig's own controls"
  virtual MethodTraits traits() const { return {}; }
  virtual std::unique_ptr<Method> clone() const = 0;

  // The table of its settings, bound to this object.
  virtual Settings settings() = 0;
  // Throws usage_error where the settings make no sense, also beside each other. A file of settings may leave to the
  // command line what is missing, so that this is looked at before cooking.
  virtual void check() const;
  // Sets what has to be said for every character, such as the joints that swing, to what suits this one.
  virtual void suit(const SimulationSurface& surface) { (void)surface; }

  // The scene of a character by these settings: whatever was cooked before with the cache, it has the bits of a scene
  // that is cooked without one. Throws usage_error and input_error with a sentence, and Stopped where `progress` asks
  // for it; the next call then goes on from what was done. Call it through cook() of cook/cook.h.
  virtual Scene cook(const CookInput& input, CookCache& cache, const Progress& progress) const = 0;
  // Whether cook() takes well under a second with what the cache keeps.
  virtual bool is_quick(const CookInput& input, const CookCache& cache) const {
    (void)input, (void)cache;
    return false;
  }
  // The method with settings that take less time, to play with while cook() takes some seconds; null: there is none.
  virtual std::unique_ptr<Method> draft(const CookInput& input, const CookCache& cache) const {
    (void)input, (void)cache;
    return nullptr;
  }
};

// A method with its settings as a value: copies are independent of each other.
class MethodChoice {
 public:
  MethodChoice(std::unique_ptr<Method> method) : method_(std::move(method)) {}
  MethodChoice(const Method& method) : method_(method.clone()) {}
  MethodChoice(const MethodChoice& other) : method_(other.method_->clone()) {}
  MethodChoice(MethodChoice&&) = default;
  MethodChoice& operator=(const MethodChoice& other) { return *this = MethodChoice(other); }
  MethodChoice& operator=(MethodChoice&&) = default;

  Method& operator*() { return *method_; }
  const Method& operator*() const { return *method_; }
  Method* operator->() { return method_.get(); }
  const Method* operator->() const { return method_.get(); }

  // The method as one of this class. Throws std::bad_cast where it is another.
  template <class Kind>
  Kind& as() {
    return dynamic_cast<Kind&>(*method_);
  }
  template <class Kind>
  const Kind& as() const {
    return dynamic_cast<const Kind&>(*method_);
  }

 private:
  std::unique_ptr<Method> method_;
};

// A method whose settings are one struct, which has a table (settings_of()).
template <class Self, class Values>
class MethodOf : public Method {
 public:
  std::unique_ptr<Method> clone() const override { return std::make_unique<Self>(static_cast<const Self&>(*this)); }
  Settings settings() override { return settings_of(values); }

  Values values{};
};

}  // namespace sinew
