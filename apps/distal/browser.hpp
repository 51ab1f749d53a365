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
  std::string url;  // a page whose title becomes `ready`
  std::filesystem::path file;
  int width = 1280, height = 800;
  const std::atomic<bool>* stop = nullptr;
};

// The headless browser, or an InputError that says which ones would do.
std::string find_headless_browser();
// Throws OutputError when there is no picture.
void take_picture(const std::string& browser, const PictureOrder& order);

}  // namespace distal
