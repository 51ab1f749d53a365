#include "distal/geometry/text_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <system_error>

#include "distal/core/error.hpp"

namespace distal {
namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

template <class Number>
bool parse_number(std::string_view word, Number& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return !word.empty() && stop == word.data() + word.size() && error == std::errc{};
}

}  // namespace

std::string load_mesh_text(const std::string& file, const char* kind) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(fmt::format("{}: cannot open this {} file (missing or not readable)", file, kind));
  std::string data;
  try {
    stream.exceptions(std::ios::badbit);
    data.assign(std::istreambuf_iterator<char>(stream), {});
  } catch (const std::ios::failure&) {
    throw InputError(fmt::format("{}: cannot read this {} file (is it a folder?)", file, kind));
  }
  if (data.empty()) throw InputError(fmt::format("{}: this {} file is empty", file, kind));
  return data;
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 40;
  std::string out = "\"";
  for (const char c : text.substr(0, longest)) out += c >= ' ' && c <= '~' ? c : '?';
  return out + (text.size() > longest ? "...\"" : "\"");
}

TextReader::TextReader(std::string file, std::string_view data, std::size_t begin, std::size_t end)
    : file_(std::move(file)), data_(data.substr(0, end)), at_(begin) {
  line_ += std::count(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
}

bool TextReader::skip_space() {
  for (; at_ < data_.size(); ++at_) {
    if (comment_ != '\0' && data_[at_] == comment_) {
      while (at_ < data_.size() && data_[at_] != '\n') ++at_;
      if (at_ == data_.size()) break;
    }
    if (!is_space(data_[at_])) return true;
    if (data_[at_] == '\n') ++line_;
  }
  return false;
}

void TextReader::skip_line() {
  if (at_ >= data_.size()) fail("another line", {});
  while (at_ < data_.size() && data_[at_] != '\n') ++at_;
  if (at_ < data_.size()) {
    ++at_;
    ++line_;
  }
}

std::string_view TextReader::next_word() {
  skip_space();
  const std::size_t begin = at_;
  while (at_ < data_.size() && !is_space(data_[at_]) && (comment_ == '\0' || data_[at_] != comment_)) ++at_;
  return data_.substr(begin, at_ - begin);
}

std::string_view TextReader::next_word_of_line() {
  while (at_ < data_.size() && is_space(data_[at_]) && data_[at_] != '\n') ++at_;
  if (at_ == data_.size() || data_[at_] == '\n' || (comment_ != '\0' && data_[at_] == comment_)) return {};
  return next_word();
}

void TextReader::expect(std::string_view wanted) {
  const std::string_view word = next_word();
  if (word != wanted) fail(wanted, word);
}

double TextReader::next_number() { return to_number(next_word()); }

double TextReader::next_finite() {
  const std::string_view word = next_word();
  const double value = to_number(word);
  if (!std::isfinite(value)) fail("a finite number", word);
  return value;
}

std::int64_t TextReader::next_integer(const char* wanted) { return to_integer(next_word(), wanted); }

std::size_t TextReader::next_count(const char* records, std::size_t least_bytes) {
  const std::string_view word = next_word();
  const std::int64_t count = to_integer(word, records);
  if (count < 0) fail(records, word);
  // The last record may end without a line end.
  const std::size_t most = (data_.size() - at_ + 1) / least_bytes;
  if (static_cast<std::size_t>(count) > most) {
    fail_with(fmt::format("expected {}, found {}, but the {} bytes that follow can hold at most {}", records, count,
                          data_.size() - at_, most));
  }
  return static_cast<std::size_t>(count);
}

double TextReader::to_number(std::string_view word) const {
  double value = 0.0;
  if (!parse_number(word, value)) fail("a number", word);
  return value;
}

std::int64_t TextReader::to_integer(std::string_view word, const char* wanted) const {
  std::int64_t value = 0;
  if (!parse_number(word, value)) fail(wanted, word);
  return value;
}

void TextReader::fail(std::string_view wanted, std::string_view found) const {
  if (found.empty()) {
    throw InputError(
        fmt::format("{}: truncated: line {}: expected {}, found the end of the file", file_, line_, wanted));
  }
  fail_with(fmt::format("expected {}, found {}", wanted, quote(found)));
}

void TextReader::fail_with(const std::string& message) const {
  throw InputError(fmt::format("{}: line {}: {}", file_, line_, message));
}

}  // namespace distal
