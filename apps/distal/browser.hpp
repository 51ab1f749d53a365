// Browsers of this machine: one to look with, one without a window that takes pictures.
#pragma once
#include <atomic>
#include <filesystem>
#include <string>

namespace distal {

// True where there is a desktop that could show a page.
bool has_desktop();
// Leaves it to the desktop which browser it is.
void open_in_browser(const std::string& url);

struct PictureOrder {
  std::string browser;  // the headless one
  std::filesystem::path file;
  int width = 1280, height = 800;
};

// The headless browser, or an InputError that says which ones would do.
std::string find_headless_browser();
// Of a page whose title becomes `ready`. Throws OutputError when there is no picture.
void take_picture(const PictureOrder& order, const std::string& url, const std::atomic<bool>& stop);

}  // namespace distal
