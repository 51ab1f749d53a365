// As much of XML as a VTK file needs: tags with attributes, one after the other.
#pragma once
#include <map>
#include <string>
#include <string_view>

#include "distal/geometry/text_reader.hpp"

namespace distal {

struct XmlTag {
  std::string name;  // with a leading slash where it closes; empty at the end of the file
  std::map<std::string, std::string, std::less<>> attributes;
  std::size_t begin = 0;  // of the tag
  std::size_t end = 0;    // behind it

  // Empty if it is not there.
  std::string find(std::string_view attribute) const;
};

class XmlScanner {
 public:
  XmlScanner(const std::string& file, std::string_view data) : file_(file), data_(data) {}

  // Comments and declarations are skipped.
  XmlTag next_tag();
  // For messages, with the line of a place in the file.
  TextReader reader_at(std::size_t place) const { return {file_, data_, place, data_.size()}; }

 private:
  std::string file_;
  std::string_view data_;
  std::size_t at_ = 0;
};

}  // namespace distal
