#include "studio/server/lattice/lattice_command.h"

#include "sinew/mesh/lattice_editing/lattice_edit.h"

namespace sinew::studio {
namespace {

constexpr std::size_t most_listed = 20'000, most_lists = 1000, most_corners = 100;

std::vector<int> indices(const Keys& keys, const char* key, const Json& value, std::size_t most) {
  if (!value.is_array() || value.size() > most)
    throw keys.wrong(key, "must be a list of at most " + std::to_string(most) + " whole numbers");
  std::vector<int> list;
  for (const Json& item : value) list.push_back(keys.integer(key, item, most_elements));
  return list;
}

std::vector<int> indices_or_none(Keys& keys, const char* key) {
  const Json* found = keys.find(key);
  return found ? indices(keys, key, *found, most_listed) : std::vector<int>();
}

std::vector<std::vector<int>> lists_of_indices(Keys& keys, const char* key, std::size_t most_each) {
  std::vector<std::vector<int>> lists;
  const Json* found = keys.find(key);
  if (!found) return lists;
  if (!found->is_array() || found->size() > most_lists)
    throw keys.wrong(key, "must be a list of at most 1000 lists of vertices");
  for (const Json& item : *found) lists.push_back(indices(keys, key, item, most_each));
  return lists;
}

}  // namespace

Request edit_lattice(Keys& keys) {
  command::EditLattice edit;
  edit.action = keys.text("action", longest_name);
  edit.from = keys.text_or("from", longest_name);
  edit.bone = keys.text_or("bone", longest_text);
  edit.how = keys.text_or("how", longest_name);
  edit.vertices = indices_or_none(keys, "vertices");
  edit.cells = indices_or_none(keys, "cells");
  edit.edges = lists_of_indices(keys, "edges", 2);
  for (const std::vector<int>& edge : edit.edges)
    if (edge.size() != 2) throw keys.wrong("edges", "must be a list of pairs of vertices");
  edit.faces = lists_of_indices(keys, "faces", most_corners);
  if (const Json* by = keys.find("by")) edit.by = keys.vector("by", *by, farthest);
  if (const Json* falloff = keys.find("falloff")) edit.falloff = keys.number("falloff", *falloff, 0, farthest);
  if (const Json* height = keys.find("height")) edit.height = keys.number("height", *height, 0, farthest);
  if (const Json* count = keys.find("count"))
    edit.count = keys.integer("count", *count, static_cast<int>(most_edited_cells));
  edit.mirror = keys.flag("mirror").value_or(false);
  edit.apex = keys.flag("apex").value_or(false);
  edit.on = keys.flag("on").value_or(true);
  edit.stroke = keys.stroke();
  return edit;
}

Request show_lattice(Keys&) { return command::ShowLattice{}; }
Request show_lattice_skin(Keys&) { return command::ShowLatticeSkin{}; }
Request check_lattice_by_hand(Keys&) { return command::CheckLattice{}; }

}  // namespace sinew::studio
