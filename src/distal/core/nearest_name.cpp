#include "distal/core/nearest_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace distal {

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> cost((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return cost[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = static_cast<int>(i + j);
        continue;
      }
      const int replaced = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  }
  return at(a.size(), b.size());
}

std::string_view nearest_name(std::string_view word, std::span<const std::string_view> candidates) {
  // A third of the letters: beyond that the words are different words.
  int best = std::max(1, static_cast<int>(word.size()) / 3) + 1;
  std::string_view nearest;
  for (const std::string_view candidate : candidates) {
    const int distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

std::string_view without_unit(std::string_view key) {
  // Longest first, so that _m_s is not taken for _s.
  static constexpr std::array<std::string_view, 42> kSuffixes = {
      "_n_m_s_rad", "_kgf_cm2", "_gf_cm2", "_n_s_mm", "_n_mm2", "_n_s_m", "_g_cm3", "_kg_m3", "_rad_s",
      "_deg_s",     "_mm_s2",   "_n_mm",   "_cm_s",   "_mm_s",  "_m_s2",  "_hertz", "_cells", "_n_m",
      "_m_s",       "_rad",     "_deg",    "_khz",    "_kpa",   "_mpa",   "_gpa",   "_hz",    "_pa",
      "_kg",        "_km",      "_mm",     "_cm",     "_um",    "_ms",    "_us",    "_mg",    "_kn",
      "_mn",        "_g",       "_m",      "_s",      "_n",     "_k"};
  for (const std::string_view suffix : kSuffixes) {
    if (key.size() > suffix.size() && key.ends_with(suffix)) return key.substr(0, key.size() - suffix.size());
  }
  return key;
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view nearest = nearest_name(word, candidates);
  return nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest);
}

}  // namespace distal
