#include "studies/common/table_json.h"

#include <nlohmann/json.hpp>

namespace sinew {

std::string tables_json(std::span<const Table> tables) {
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  for (const Table& table : tables) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const auto& row : table.rows) {
      nlohmann::ordered_json object;
      for (std::size_t c = 0; c < row.size(); ++c)
        std::visit([&](const auto& value) { object[table.columns[c].title] = value; }, row[c]);
      rows.push_back(std::move(object));
    }
    document[table.name] = {{"title", table.title}, {"rows", std::move(rows)}};
  }
  return document.dump(2) + "\n";
}

}  // namespace sinew
