// Descriptions of settings: how they read and what they refuse, by a table of every kind of value.
#include "sinew/deform/setting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sinew/base/error.h"
#include "sinew/deform/settings_fingerprint.h"
#include "tests/base/refusal.h"
#include "tests/deform/changed_setting.h"

namespace sinew {
namespace {

enum class Colour { red, green };
constexpr Word<Colour> colours[] = {{"red", Colour::red}, {"green", Colour::green}};

struct Thing {
  std::string name;
  double weight = 1;

  static SettingsTable describe();
};

struct Everything {
  bool flag = false;
  int count = 3;
  double length = 1.0 / 240;
  std::optional<double> share;
  std::string text = "a";
  std::string file;
  Vec3 place;
  std::vector<std::string> patterns;
  Colour colour = Colour::red;
  std::optional<Colour> other_colour;
  std::vector<Thing> things;
  Thing inner;

  static SettingsTable describe();
};

// clang-format off
SettingsTable Thing::describe() {
  return {{.key = "name", .value = &Thing::name}, {.key = "weight", .value = &Thing::weight, .range = above(0)}};
}

SettingsTable Everything::describe() {
  return {
      {.key = "flag", .value = &Everything::flag},
      {.key = "count", .value = &Everything::count, .range = between(1, 5)},
      {.key = "a_length", .value = &Everything::length, .range = {.least = 0, .most = 1, .without_least = true},
       .unit = units::metres},
      {.key = "share", .value = &Everything::share, .range = from(0), .none = "all", .example = "0.5"},
      {.key = "text", .value = &Everything::text},
      {.key = "file", .value = &Everything::file, .file = true},
      {.key = "place", .value = &Everything::place},
      {.key = "patterns", .value = &Everything::patterns},
      {.key = "colour", .value = choice(&Everything::colour, colours)},
      {.key = "other_colour", .value = choice(&Everything::other_colour, colours), .none = "none"},
      {.key = "things", .value = list(&Everything::things)},
      {.key = "silent", .value = &Everything::flag, .recooks = Recooks::nothing},
      {.key = "inner", .value = Member(&Everything::inner, &Thing::weight)},
  };
}
// clang-format on

TEST(Setting, ReadsAndRefusesTexts) {
  Everything e;
  const auto set = [&](const char* key, const char* text) { test::set(settings_of(e), key, text); };
  const auto refused = [&](const char* key, const char* text) {
    return test::refusal(ErrorKind::usage, [&] { set(key, text); });
  };
  set("flag", "true");
  set("count", "5");
  set("a_length", "0.25");
  set("share", "0");
  set("patterns", "a*,,b?");
  set("colour", "green");
  set("other_colour", "red");
  EXPECT_TRUE(e.flag);
  EXPECT_EQ(e.count, 5);
  EXPECT_EQ(e.length, 0.25);
  EXPECT_EQ(e.share, 0.0);
  EXPECT_EQ(e.patterns, (std::vector<std::string>{"a*", "b?"}));
  EXPECT_EQ(e.colour, Colour::green);
  EXPECT_EQ(e.other_colour, Colour::red);
  set("inner", "2");
  EXPECT_EQ(e.inner.weight, 2);
  set("place", "1,-2.5,0");
  EXPECT_EQ(e.place, (Vec3{1, -2.5, 0}));
  set("a_length", "0.5m");
  EXPECT_EQ(e.length, 0.5);

  EXPECT_EQ(refused("count", "6"), "--count: must lie between 1 and 5.");
  EXPECT_EQ(refused("count", "2.5"), "--count: '2.5' is not a whole number; write, for example, 5.");
  EXPECT_EQ(refused("a_length", "0"), "--a-length: must be positive and at most 1, in metres.");
  EXPECT_EQ(refused("a_length", "1ft"), "--a-length: '1ft' is not a number of metres; write, for example, 0.5.");
  EXPECT_EQ(refused("place", "1,2"), "--place: '1,2' is not three numbers between commas, such as 0,3,0.");
  EXPECT_FALSE(refused("place", "1,2,up").empty());
  EXPECT_EQ(refused("share", "-1"), "--share: must not be negative.");
  EXPECT_EQ(refused("share", "nan"), "--share: 'nan' is not a number; write, for example, 0.5.");
  EXPECT_EQ(e.place, (Vec3{1, -2.5, 0}));
  EXPECT_EQ(e.count, 5);  // what is refused is not there
  EXPECT_EQ(refused("colour", "blue"), "--colour: 'blue' is not one of red, green.");
}

TEST(Setting, ValuesReadAsPeopleWriteThem) {
  const Everything e;
  const SettingsTable& table = table_of<Everything>();
  const auto text = [&](const char* key) { return value_text(test::setting_named(table, key), settings_of(e)); };
  EXPECT_EQ(text("a_length"), "1/240");
  EXPECT_EQ(text("share"), "");
  EXPECT_EQ(text("place"), "0, 0, 0");
  EXPECT_EQ(text("colour"), "red");
  EXPECT_EQ(option_spelling(test::setting_named(table, "a_length")), "--a-length METRES");
  EXPECT_EQ(option_spelling(test::setting_named(table, "flag")), "--flag");
  EXPECT_EQ(range_text(from(2)), "from 2");
  EXPECT_EQ(range_text(above(2)), "above 2");
  EXPECT_EQ(range_text({.least = 0, .most = 1, .without_most = true}), "0 to below 1");
  EXPECT_EQ(range_text({}), "");
}

TEST(Setting, FirstComplaintNamesItemsOfLists) {
  Everything e;
  EXPECT_EQ(first_complaint(settings_of(e)), "");
  e.things = {{"good", 1}, {"bad", 0}};
  EXPECT_EQ(first_complaint(settings_of(e)), "things[1].weight of 'bad': must be positive.");
  e.place.x = std::nan("");
  EXPECT_EQ(first_complaint(settings_of(e)), "place: must be finite.");
  EXPECT_EQ(test::refusal(ErrorKind::usage, [&] { check_settings(settings_of(e)); }), "place: must be finite.");
}

TEST(Setting, EveryKindOfValueTellsRunsApart) {
  const auto print = [](const Everything& e) {
    Fingerprint result;
    add_settings(result, settings_of(e));
    return result.value();
  };
  const std::uint64_t usual = print({});
  const Everything e;
  for (const Setting& setting : table_of<Everything>()) {
    if (setting.recooks == Recooks::nothing) continue;
    Everything changed;
    EXPECT_TRUE(same_value(setting, settings_of(changed), settings_of(e))) << setting.key;
    test::change(setting, settings_of(changed));
    EXPECT_FALSE(same_value(setting, settings_of(changed), settings_of(e))) << setting.key;
    EXPECT_NE(print(changed), usual) << setting.key;
  }
  Everything one, two;
  one.things = {{"a", 1}};
  two.things = {{"a", 2}};
  EXPECT_NE(print(one), print(two));
}

}  // namespace
}  // namespace sinew
