#include "sinew/anatomy/bone_names.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <vector>

namespace sinew {
namespace {

struct Synonyms {
  std::string_view part, words;  // separated by spaces
};
constexpr Synonyms synonyms[] = {
    {"hips", "hips hip pelvis"},
    {"spine", "spine abdomen waist back"},
    {"chest", "chest torso upperchest ribcage upperbody"},
    {"neck", "neck"},
    {"head", "head"},
    {"jaw", "jaw lowerjaw"},
    {"tail", "tail"},
    {"clavicle", "clavicle collar collarbone shoulder scapula frontshoulder"},
    {"upperarm", "upperarm uparm arm frontupper frontupperleg frontupleg frontthigh forethigh"},
    {"forearm", "forearm lowerarm lowarm elbow frontlower frontlowerleg frontlowleg"},
    {"hand", "hand wrist frontfoot frontpaw fronthoof"},
    {"thigh", "thigh upperleg upleg hindupper hindupperleg backupperleg backupleg hindthigh rearthigh"},
    {"shin", "shin calf lowerleg lowleg knee hindlower hindlowerleg backlowerleg backlowleg"},
    {"foot", "foot ankle hindfoot backfoot hindpaw hindhoof"},
    {"toes", "toes toe toebase ball"}};

// Words of naming schemes, which say nothing of a part.
constexpr std::string_view meaningless = " mixamorig bip j c def org bone joint jnt skeleton rig base armature ";

bool has_word(std::string_view words, std::string_view word) {
  for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1))
    if ((at == 0 || words[at - 1] == ' ') && (at + word.size() == words.size() || words[at + word.size()] == ' '))
      return true;
  return false;
}

// Words and numbers of a name, in lower case.
std::vector<std::string> words_in(std::string_view name) {
  std::vector<std::string> words;
  char before = ' ';
  for (std::size_t k = 0; k < name.size(); ++k) {
    const auto c = static_cast<unsigned char>(name[k]), last = static_cast<unsigned char>(before);
    before = name[k];
    if (c < 0x80 && !std::isalnum(c)) continue;
    const bool before_small = k + 1 < name.size() && std::islower(static_cast<unsigned char>(name[k + 1]));
    const bool begins = (last < 0x80 && !std::isalnum(last)) || (std::isdigit(c) != 0) != (std::isdigit(last) != 0) ||
                        (std::isupper(c) && (!std::isupper(last) || before_small));
    if (begins || words.empty()) words.emplace_back();
    words.back() += static_cast<char>(c < 0x80 ? std::tolower(c) : c);
  }
  return words;
}

}  // namespace

BoneName bone_name(std::string_view name) {
  BoneName found;
  for (std::string& word : words_in(name)) {
    if (std::isdigit(static_cast<unsigned char>(word[0])))
      found.number = std::atoi(word.substr(0, 6).c_str());
    else if (word == "l" || word == "left")
      found.side = 1;
    else if (word == "r" || word == "right")
      found.side = -1;
    else if (!has_word(meaningless, word))
      found.part += word;
  }
  // "leftarm", "lhand"
  for (const auto& [side, sign] : {std::pair{"left", 1}, {"right", -1}})
    if (found.side == 0 && found.part.starts_with(side)) {
      found.side = sign;
      found.part.erase(0, std::string_view(side).size());
    }
  for (const Synonyms& each : synonyms)
    if (has_word(each.words, found.part)) found.part = each.part;
  return found;
}

bool is_known_part(std::string_view part) {
  return std::any_of(std::begin(synonyms), std::end(synonyms), [&](const Synonyms& each) { return each.part == part; });
}

}  // namespace sinew
