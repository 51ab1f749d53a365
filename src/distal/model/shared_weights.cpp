#include "distal/model/shared_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

namespace distal {
namespace {

template <typename T>
bool are_alike(const T* a, const T* b, std::size_t count, T tolerance) {
  for (std::size_t i = 0; i < count; ++i)
    if (!(std::abs(a[i] - b[i]) <= tolerance)) return false;
  return true;
}

// Equal for most groups that are alike, different for most others.
template <typename T>
std::uint64_t hash_of(const T* numbers, std::size_t count, T largest, std::uint64_t hash) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto coarse = static_cast<std::int64_t>(std::floor(T(1000.0) * numbers[i] / largest + T(0.37)));
    hash = (hash ^ static_cast<std::uint64_t>(coarse)) * 0x100000001b3ULL;
  }
  return hash;
}

}  // namespace

template <typename T>
std::vector<std::int32_t> share_weights(const LaneRows& rows, std::span<const SlotWeights<T>> arrays, T tolerance) {
  std::vector<T> largest;
  for (const SlotWeights<T>& array : arrays) {
    largest.push_back(std::numeric_limits<T>::min());
    for (const T w : *array.numbers) largest.back() = std::max(largest.back(), std::abs(w));
  }
  std::unordered_map<std::uint64_t, std::vector<std::pair<std::size_t, std::size_t>>> known;  // first slot, slots
  std::vector<std::int32_t> slot_of_group;
  std::size_t kept = 0;
  for (std::size_t group = 0; group + 1 < rows.begin.size(); ++group) {
    const auto first = static_cast<std::size_t>(rows.begin[group]),
               slots = static_cast<std::size_t>(rows.begin[group + 1]) - first;
    std::uint64_t hash = slots;
    for (std::size_t a = 0; a < arrays.size(); ++a)
      hash = hash_of(arrays[a].numbers->data() + arrays[a].width * first, arrays[a].width * slots, largest[a], hash);
    auto& candidates = known[hash];
    const auto found = std::find_if(candidates.begin(), candidates.end(), [&](const auto& other) {
      bool alike = other.second == slots;
      for (std::size_t a = 0; alike && a < arrays.size(); ++a)
        alike = are_alike(arrays[a].numbers->data() + arrays[a].width * first,
                          arrays[a].numbers->data() + arrays[a].width * other.first, arrays[a].width * slots,
                          tolerance * largest[a]);
      return alike;
    });
    slot_of_group.push_back(static_cast<std::int32_t>(found != candidates.end() ? found->first : kept));
    if (found != candidates.end()) continue;
    // What is kept moves to the front, where all has been read already.
    for (const SlotWeights<T>& array : arrays)
      std::copy_n(array.numbers->begin() + static_cast<std::ptrdiff_t>(array.width * first), array.width * slots,
                  array.numbers->begin() + static_cast<std::ptrdiff_t>(array.width * kept));
    candidates.emplace_back(kept, slots);
    kept += slots;
  }
  for (const SlotWeights<T>& array : arrays) {
    array.numbers->resize(array.width * kept);
    array.numbers->shrink_to_fit();
  }
  return slot_of_group;
}

template std::vector<std::int32_t> share_weights(const LaneRows&, std::span<const SlotWeights<float>>, float);
template std::vector<std::int32_t> share_weights(const LaneRows&, std::span<const SlotWeights<double>>, double);

}  // namespace distal
