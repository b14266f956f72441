# Writes the page, gzipped, as a C++ source. -D PAGE=page.html (empty: none) -D OUTPUT=page.cpp
set(bytes "")
if(PAGE)
  execute_process(COMMAND gzip -9 -n -c ${PAGE} OUTPUT_FILE ${OUTPUT}.gz COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${OUTPUT}.gz hex HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
  # Short lines: some tools do not like long ones.
  string(REGEX REPLACE "(................................................................................................)" "\\1\"\n\"" bytes "${bytes}")
endif()
file(WRITE ${OUTPUT} "#include \"studio/server/embedded_page.h\"

namespace sinew {
namespace {
constexpr char page[] = \"${bytes}\";
}

std::span<const std::byte> embedded_page() { return std::as_bytes(std::span(page).first(sizeof(page) - 1)); }

}  // namespace sinew
")
