// The live page, as it was built into the program.
#pragma once
#include <optional>
#include <string_view>

namespace distal {

struct PageFile {
  std::string_view type;  // of media
  std::string_view content;
};

// index.html, app.js or style.css.
std::optional<PageFile> find_page_file(std::string_view name);
// False where there was no Node.js to build it: index.html says so.
bool page_is_built();

}  // namespace distal
