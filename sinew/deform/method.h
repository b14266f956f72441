// The interface of a method: its name, its settings, and cook(), which makes a scene of a character. A new method is a
// folder with a class derived from Method, and a line in cook/methods.cpp.
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
#include "sinew/deform/limb_curves.h"
#include "sinew/deform/scene.h"
#include "sinew/deform/setting.h"

namespace sinew {

// Properties by which menus, help and checks tell methods apart.
struct MethodTraits {
  bool needs_skin_weights = true;    // false: the method finds weights itself where they are missing
  bool live = true;                  // the studio can play it
  bool has_memory = true;            // false: a pose does not depend on those before it
  bool given_rotations = false;      // rotations of the body's elements are an input of it
  bool gives_curves = false;         // it computes values of the rig's own controls
  const char* model_ending = "";     // file ending that the setting `model` requires; empty: no such setting
  bool keeps_rigid = false;          // cook() adds shape preservation of rigid things (cook/keep_rigid.h); false: the
                                     // method does so itself or leaves them to the rig
  Capabilities obeys{};              // parts of an Environment that its deformers obey (DeformerTraits::can)
  std::vector<FieldInUse> fields{};  // painted fields that it obeys
};

// Numbers that change whenever the character does, part of the keys of cached results (cook_stage.h).
struct CharacterRevision {
  std::uint64_t skin = 0;   // everything but paint and clips; 0: unknown, so that nothing is reused
  std::uint64_t paint = 0;  // the painted fields
  std::uint64_t clips = 0;  // the clips
};

struct CookInput {
  const Character& character;
  std::vector<int> clips{};  // clips to be played, as indices; -1: the rest pose
  bool real_time = false;    // allow longer steps if needed to keep up with the clock
  CharacterRevision revision{};
  bool played_alone = false;  // no hands and no take act on the clips
};

// Results that methods keep between cooks, so that a changed setting recomputes only what depends on it. Each method
// stores one struct of its own.
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

  virtual const char* name() const = 0;     // name on the command line: "rigspace"
  virtual const char* title() const = 0;    // for headings: "Rig space"
  virtual const char* summary() const = 0;  // half a sentence: "moves the rig's own controls"
  virtual MethodTraits traits() const { return {}; }
  virtual std::unique_ptr<Method> clone() const = 0;

  // Its settings: the table of its class, and the values in this object.
  virtual ConstSettings settings() const = 0;
  virtual Settings settings() = 0;
  // Throws usage_error if settings are invalid or contradict each other. Called before cooking and not when a file of
  // settings is read, since the command line may complete it.
  virtual void check() const { check_settings(settings()); }
  // Fills in settings without a general default, such as the joints that swing, to suit this character.
  virtual void suit(const SimulationSurface& surface) { (void)surface; }

  // Makes the scene of a character. The result is bitwise the same with any content of the cache. Throws usage_error,
  // input_error, and Stopped when `progress` asks for it; the next call then continues from the cache. Call it through
  // cook() of cook/cook.h.
  virtual Scene cook(const CookInput& input, CookCache& cache, const Progress& progress) const = 0;
  // Whether cook() takes well under a second with this cache.
  virtual bool is_quick(const CookInput& input, const CookCache& cache) const {
    (void)input, (void)cache;
    return false;
  }
  // A faster variant of the method, to play while cook() takes some seconds; null: there is none.
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

  // The method as an object of class `Kind`. Throws std::bad_cast if it is another.
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

// A method whose settings are one struct, which has a table.
template <class Self, class Values>
class MethodOf : public Method {
 public:
  std::unique_ptr<Method> clone() const override { return std::make_unique<Self>(static_cast<const Self&>(*this)); }
  ConstSettings settings() const override { return settings_of(values); }
  Settings settings() override { return settings_of(values); }

  Values values{};
};

}  // namespace sinew
