#include "sinew/anatomy/part_names.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace sinew {
namespace {

struct Stems {
  NamedAs as;
  std::string_view words;  // separated by spaces
};

// English, German, French, Spanish, Italian, Portuguese, without accents.
constexpr Stems latin[] = {
    {NamedAs::bony,
     "head skull face cranium kopf schaedel schadel tete crane cabeza craneo testa cabeca cranio hand hands palm paw "
     "hoof foot "
     "feet toe toes ball ankle wrist pfote huf fuss fus zeh zehe patte sabot pied mano pata pezuna pie zampa zoccolo "
     "piede "
     "mao casco muzzle snout beak schnauze schnabel bec pico becco bico jaw kiefer machoire mandibula mascella"},
    {NamedAs::hard,
     "eye eyes eyeball pupil iris auge augen oeil yeux ojo ojos occhio occhi olho olhos tooth teeth fang tusk zahn "
     "zaehne zahne dent dents "
     "diente dientes dente denti horn horns antler antlers geweih corne cuerno corno chifre claw claws nail kralle "
     "griffe garra artiglio "
     "helmet helm casque elmo capacete armor armour plate ruestung rustung panzer armure armadura armatura shell sword "
     "schwert epee espada "
     "spada axe weapon waffe arme arma shield schild bouclier escudo scudo gun staff wand hat hut chapeau sombrero "
     "cappello "
     "glasses brille belt buckle shoe boot schuh stiefel metal metall stone"},
    {NamedAs::soft,
     "hips hip pelvis spine chest torso neck body belly stomach breast butt arm forearm upperarm lowerarm shoulder "
     "clavicle leg thigh calf "
     "shin knee elbow thumb index middle ring pinky finger tail tongue tentacle trunk abdomen huefte becken wirbel "
     "brust rumpf hals koerper "
     "korper bauch schulter bein oberarm unterarm schenkel wade finger daumen schwanz zunge ruessel russel bassin "
     "colonne poitrine cou corps "
     "ventre bras epaule jambe cuisse doigt pouce queue langue trompe cadera pelvis pecho cuello cuerpo vientre brazo "
     "hombro pierna muslo dedo "
     "pulgar cola lengua trompa bacino petto collo corpo ventre braccio spalla gamba coscia dito pollice coda lingua "
     "proboscide quadril peito "
     "pescoco barriga braco ombro perna coxa polegar cauda"},
    {NamedAs::thin,
     "ear ears ohr ohren oreille oreja orecchio orelha fin fins flipper fluke flosse nageoire aleta pinna barbatana "
     "nadadeira wing wings "
     "fluegel flugel aile ala asa feather feder plume pluma cape cloak cloth skirt coat mantel umhang manteau capa "
     "falda mantello gonna "
     "saia hair bang braid ponytail haar zopf cheveux pelo cabello capelli cabelo leaf blatt feuille hoja foglia "
     "folha"},
};

struct Characters {
  NamedAs as;
  std::string_view text;
};

// Japanese, Chinese, Korean, Russian: found anywhere in a name. Longer ones first.
constexpr Characters others[] = {
    {NamedAs::thin, "マント"}, {NamedAs::thin, "ヒレ"},    {NamedAs::hard, "つの"},  {NamedAs::thin, "плащ"},
    {NamedAs::bony, "голова"}, {NamedAs::bony, "кисть"},   {NamedAs::hard, "глаз"},  {NamedAs::hard, "рог"},
    {NamedAs::thin, "крыл"},   {NamedAs::thin, "плавник"}, {NamedAs::soft, "хвост"}, {NamedAs::thin, "ухо"},
    {NamedAs::soft, "手首"},   {NamedAs::soft, "足首"},    {NamedAs::soft, "脚"},    {NamedAs::bony, "頭"},
    {NamedAs::bony, "头"},     {NamedAs::bony, "머리"},    {NamedAs::bony, "手"},    {NamedAs::bony, "손"},
    {NamedAs::bony, "足"},     {NamedAs::bony, "발"},      {NamedAs::hard, "目"},    {NamedAs::hard, "眼"},
    {NamedAs::hard, "눈"},     {NamedAs::hard, "歯"},      {NamedAs::hard, "牙"},    {NamedAs::hard, "角"},
    {NamedAs::hard, "剣"},     {NamedAs::hard, "剑"},      {NamedAs::hard, "鎧"},    {NamedAs::hard, "甲"},
    {NamedAs::hard, "兜"},     {NamedAs::thin, "耳"},      {NamedAs::thin, "귀"},    {NamedAs::thin, "翼"},
    {NamedAs::thin, "羽"},     {NamedAs::thin, "鰭"},      {NamedAs::thin, "鳍"},    {NamedAs::thin, "髪"},
    {NamedAs::thin, "发"},     {NamedAs::soft, "尾"},      {NamedAs::soft, "舌"},    {NamedAs::soft, "腹"},
    {NamedAs::soft, "腕"},     {NamedAs::soft, "首"},      {NamedAs::soft, "胸"},
};

// The base letter of an accented letter of Latin-1, given its second byte in UTF-8 (after 0xC3); 0 if there is none.
char without_accent(unsigned char second) {
  constexpr std::string_view upper = "aaaaaaaceeeeiiiidnooooo.ouuuuy.s", lower = "aaaaaaaceeeeiiiidnooooo.ouuuuy.y";
  if (second < 0x80 || second > 0xbf) return 0;
  const char letter = second < 0xa0 ? upper[second - 0x80u] : lower[second - 0xa0u];
  return letter == '.' ? '\0' : letter;
}

NamedAs of_word(std::string_view word) {
  for (const Stems& stems : latin)
    for (std::size_t at = 0; at < stems.words.size();) {
      const std::size_t end = std::min(stems.words.find(' ', at), stems.words.size());
      if (stems.words.substr(at, end - at) == word) return stems.as;
      at = end + 1;
    }
  for (const std::string_view side : {"left", "right", "l", "r"})
    if (word.size() > side.size() + 2 && word.substr(0, side.size()) == side)
      if (const NamedAs as = of_word(word.substr(side.size())); as != NamedAs::nothing) return as;
  return NamedAs::nothing;
}

}  // namespace

NamedAs named_as(std::string_view name) {
  NamedAs result = NamedAs::nothing;
  for (const Characters& other : others)
    if (name.find(other.text) != std::string_view::npos) return other.as;
  std::string word;
  bool small = false;  // true if the last letter was lower case
  const auto end_word = [&] {
    if (word.size() > 1)
      if (const NamedAs as = of_word(word); as != NamedAs::nothing) result = as;
    word.clear();
    small = false;
  };
  for (std::size_t k = 0; k < name.size(); ++k) {
    const auto c = static_cast<unsigned char>(name[k]);
    if (c == 0xc3 && k + 1 < name.size()) {
      if (const char letter = without_accent(static_cast<unsigned char>(name[k + 1])); letter != 0) {
        word += letter;
        small = static_cast<unsigned char>(name[k + 1]) >= 0xa0;
        ++k;
        continue;
      }
    }
    if (c >= 0x80 || !std::isalpha(c)) {
      end_word();
      continue;
    }
    const bool capital = std::isupper(c) != 0;
    // "LHand", "leftHand": a capital after a small letter begins a word, and so does one before a small letter.
    const bool before_small = k + 1 < name.size() && std::islower(static_cast<unsigned char>(name[k + 1])) != 0;
    if (capital && !word.empty() && (small || before_small)) end_word();
    word += static_cast<char>(std::tolower(c));
    small = !capital;
  }
  end_word();
  return result;
}

}  // namespace sinew
