#include "studies/program/session.h"

#include <algorithm>
#include <cstdio>
#include <system_error>

#include "sinew/base/error.h"
#include "sinew/base/file.h"
#include "sinew/cli/terminal.h"
#include "studies/common/table_json.h"

namespace sinew::study {

bool chosen(const StudyOptions& options, const std::string& experiment) {
  return options.only.empty() || std::find(options.only.begin(), options.only.end(), experiment) != options.only.end();
}

StudySession::StudySession(const StudyOptions& options) : progress_(cli::terminal_progress(options.quiet)) {
  if (options.folder.empty()) return;
  folder_ = options.folder;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error || !std::filesystem::is_directory(folder_))
    throw usage_error(options.folder + ": cannot make this folder; give one that can be written to.");
}

void StudySession::show(const Table& table) {
  cli::clear_progress();
  std::printf("%s\n\n%s\n", table.title.c_str(), markdown(table).c_str());
  std::fflush(stdout);
  tables_.push_back(table);
}

void StudySession::write_tables(const std::string& name) const {
  if (!folder_.empty()) write_text_file(folder_ / (name + ".json"), tables_json(tables_));
}

}  // namespace sinew::study
