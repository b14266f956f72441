# Writes the page, gzipped, as a C++ source. -D PAGE=page.html (empty: none) -D OUTPUT=page.cpp. What its script's hash is,
# stands in the page's policy, PAGE with the ending .csp.
set(bytes "")
set(script "'unsafe-inline' blob:")
if(PAGE)
  string(REGEX REPLACE "html$" "csp" policy ${PAGE})
  if(EXISTS ${policy})
    file(READ ${policy} policy)
    string(REGEX MATCH "script-src ([^;]*)" found "${policy}")
    set(script "${CMAKE_MATCH_1}")
  endif()
  execute_process(COMMAND gzip -9 -n -c ${PAGE} OUTPUT_FILE ${OUTPUT}.gz COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${OUTPUT}.gz hex HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" bytes "${hex}")
  # Short lines: some tools do not like long ones.
  string(REGEX REPLACE "(................................................................................................)" "\\1\"\n\"" bytes "${bytes}")
endif()
file(WRITE ${OUTPUT} "#include \"studio/server/web/embedded_page.h\"

namespace sinew::studio {
namespace {
constexpr char page[] = \"${bytes}\";
}

std::span<const std::byte> embedded_page() { return std::as_bytes(std::span(page).first(sizeof(page) - 1)); }
const char* embedded_script() { return \"${script}\"; }

}  // namespace sinew::studio
")
