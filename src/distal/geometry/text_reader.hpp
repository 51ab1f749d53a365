// Words and numbers of a mesh file, with the line for messages.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace distal {

// The whole file; `kind` is for the message ("STL"). Throws InputError if it is missing, empty or not readable.
std::string load_mesh_text(const std::string& file, const char* kind);

// For messages: in quotes, short, and without bytes that are not printable.
std::string quote(std::string_view text);

// Every failure is an InputError that names file, line, what was expected and what was found.
class TextReader {
 public:
  // `data` must outlive the reader; what follows `comment` in a line is skipped.
  TextReader(std::string file, std::string_view data, char comment = '\0')
      : file_(std::move(file)), data_(data), comment_(comment) {}
  // Reads data from `begin` to `end` only, with the lines of the whole.
  TextReader(std::string file, std::string_view data, std::size_t begin, std::size_t end);

  // Whether anything but space and comments is left.
  bool skip_space();
  // Behind the end of the line.
  void skip_line();

  // Empty at the end.
  std::string_view next_word();
  // Empty at the end of the line.
  std::string_view next_word_of_line();
  void expect(std::string_view wanted);
  double next_number();
  double next_finite();
  std::int64_t next_integer(const char* wanted);
  // A count of records that take at least `least_bytes` each: more than the rest of the file can hold is refused.
  std::size_t next_count(const char* records, std::size_t least_bytes);

  double to_number(std::string_view word) const;
  std::int64_t to_integer(std::string_view word, const char* wanted) const;

  std::size_t at() const { return at_; }
  std::size_t line() const { return line_; }
  const std::string& file() const { return file_; }
  // An empty `found` is the end of the file.
  [[noreturn]] void fail(std::string_view wanted, std::string_view found) const;
  [[noreturn]] void fail_with(const std::string& message) const;

 private:
  std::string file_;
  std::string_view data_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  char comment_ = '\0';
};

}  // namespace distal
