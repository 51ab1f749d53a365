// Plain data to bytes and back: one visit function per type serves both ways, so that they cannot disagree.
#pragma once
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "distal/core/error.hpp"
#include "distal/math/spatial.hpp"

namespace distal {

class ByteWriter {
 public:
  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(const T& value) {
    add(&value, sizeof value);
  }
  std::uint64_t size(std::size_t count) {
    (*this)(static_cast<std::uint64_t>(count));
    return count;
  }
  template <class T>
  void block(const T* data, std::size_t count) {
    add(data, count * sizeof(T));
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void add(const void* data, std::size_t size) { bytes_.append(static_cast<const char*>(data), size); }
  std::string bytes_;
};

// Throws InputError instead of reading past the end.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
    requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void operator()(T& value) {
    take(&value, sizeof value);
  }
  // A count can be no larger than the bytes that are left: nothing is allocated for a lie.
  std::uint64_t size(std::size_t) {
    std::uint64_t count = 0;
    (*this)(count);
    if (count > bytes_.size()) throw InputError("ends too early");
    return count;
  }
  template <class T>
  void block(T* data, std::size_t count) {
    take(data, count * sizeof(T));
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  void take(void* data, std::size_t size) {
    if (size > bytes_.size()) throw InputError("ends too early");
    if (size > 0) std::memcpy(data, bytes_.data(), size);
    bytes_.remove_prefix(size);
  }
  std::string_view bytes_;
};

template <class Archive, class Number>
  requires std::is_arithmetic_v<Number> || std::is_enum_v<Number>
void visit_bytes(Archive& archive, Number& number) {
  archive(number);
}
template <class Archive>
void visit_bytes(Archive& archive, Vec3& v) {
  archive.block(v.data(), 3);
}
template <class Archive>
void visit_bytes(Archive& archive, Quat& q) {
  archive.block(q.coeffs().data(), 4);
}
// The parts of a type in their order.
template <class Archive, class... Part>
void visit_all(Archive& archive, Part&... parts) {
  (visit_bytes(archive, parts), ...);
}
template <class Archive>
void visit_bytes(Archive& archive, Pose& pose) {
  visit_all(archive, pose.position, pose.q);
}
template <class Archive>
void visit_bytes(Archive& archive, Twist& twist) {
  visit_all(archive, twist.linear, twist.angular);
}
template <class Archive>
void visit_bytes(Archive& archive, Wrench& wrench) {
  visit_all(archive, wrench.force, wrench.torque);
}
template <class Archive>
void visit_bytes(Archive& archive, std::string& text) {
  text.resize(archive.size(text.size()));
  archive.block(text.data(), text.size());
}
// Items one by one.
template <class Archive, class Item>
void visit_each(Archive& archive, std::vector<Item>& items) {
  items.resize(archive.size(items.size()));
  for (Item& item : items) visit_bytes(archive, item);
}
// Items that are numbers, all at once.
template <class Archive, class Number>
void visit_numbers(Archive& archive, std::vector<Number>& numbers) {
  numbers.resize(archive.size(numbers.size()));
  archive.block(numbers.data(), numbers.size());
}

}  // namespace distal
