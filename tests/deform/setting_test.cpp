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
};

// clang-format off
Settings settings_of(Thing& t) {
  return {{.key = "name", .value = &t.name}, {.key = "weight", .value = &t.weight, .range = above(0)}};
}

Settings settings_of(Everything& e) {
  return {
      {.key = "flag", .value = &e.flag},
      {.key = "count", .value = &e.count, .range = between(1, 5)},
      {.key = "a_length", .value = &e.length, .range = {.least = 0, .most = 1, .without_least = true},
       .unit = units::metres},
      {.key = "share", .value = &e.share, .range = from(0), .none = "all", .example = "0.5"},
      {.key = "text", .value = &e.text},
      {.key = "file", .value = FileName{&e.file}},
      {.key = "place", .value = &e.place},
      {.key = "patterns", .value = &e.patterns},
      {.key = "colour", .value = choice(e.colour, colours)},
      {.key = "other_colour", .value = choice(e.other_colour, colours), .none = "none"},
      {.key = "things", .value = list(e.things)},
      {.key = "silent", .value = &e.flag, .recooks = Recooks::nothing},
  };
}
// clang-format on

TEST(Setting, ReadsAndRefusesTexts) {
  Everything e;
  const Settings table = settings_of(e);
  const auto set = [&](const char* key, const char* text) { set_from_text(setting_named(table, key), text); };
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
  set("a_length", "0.5m");
  EXPECT_EQ(e.length, 0.5);

  EXPECT_EQ(refused("count", "6"), "--count: must lie between 1 and 5.");
  EXPECT_EQ(refused("count", "2.5"), "--count: '2.5' is not a whole number; write, for example, 5.");
  EXPECT_EQ(refused("a_length", "0"), "--a-length: must be positive and at most 1, in metres.");
  EXPECT_EQ(refused("a_length", "1ft"), "--a-length: '1ft' is not a number of metres; write, for example, 0.5.");
  EXPECT_EQ(refused("share", "-1"), "--share: must not be negative.");
  EXPECT_EQ(refused("share", "nan"), "--share: 'nan' is not a number; write, for example, 0.5.");
  EXPECT_EQ(e.count, 5);  // what is refused is not there
  EXPECT_EQ(refused("colour", "blue"), "--colour: 'blue' is not one of red, green.");
}

TEST(Setting, ValuesReadAsPeopleWriteThem) {
  Everything e;
  const Settings table = settings_of(e);
  const auto text = [&](const char* key) { return value_text(setting_named(table, key)); };
  EXPECT_EQ(text("a_length"), "1/240");
  EXPECT_EQ(text("share"), "");
  EXPECT_EQ(text("place"), "0, 0, 0");
  EXPECT_EQ(text("colour"), "red");
  EXPECT_EQ(option_spelling(setting_named(table, "a_length")), "--a-length METRES");
  EXPECT_EQ(option_spelling(setting_named(table, "flag")), "--flag");
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
  EXPECT_EQ(test::refusal(ErrorKind::usage, [&] { check_table(settings_of(e)); }), "place: must be finite.");
}

TEST(Setting, EveryKindOfValueTellsRunsApart) {
  const auto print = [](Everything e) {
    Fingerprint result;
    add_settings(result, settings_of(e));
    return result.value();
  };
  const std::uint64_t usual = print({});
  Everything e;
  for (std::size_t k = 0; k < settings_of(e).size(); ++k) {
    Everything changed;
    const Settings table = settings_of(changed);
    if (table[k].recooks == Recooks::nothing) continue;
    EXPECT_TRUE(same_value(table[k], settings_of(e)[k])) << table[k].key;
    test::change(table[k]);
    EXPECT_FALSE(same_value(table[k], settings_of(e)[k])) << table[k].key;
    EXPECT_NE(print(changed), usual) << table[k].key;
  }
  Everything one, two;
  one.things = {{"a", 1}};
  two.things = {{"a", 2}};
  EXPECT_NE(print(one), print(two));
}

}  // namespace
}  // namespace sinew
