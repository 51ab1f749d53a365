// Arrays that vector kernels may read a little past their end: aligned, and padded with zeros.
#pragma once
#include <cstddef>
#include <new>
#include <vector>

namespace distal {

inline constexpr std::size_t kAlignment = 64;  // [bytes], one cache line
inline constexpr std::size_t kPadding = 32;    // elements behind the last one that may be read and written

template <typename T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(kAlignment))); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(kAlignment)); }
  template <typename U>
  bool operator==(const AlignedAllocator<U>&) const {
    return true;
  }
};

template <typename T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace distal
