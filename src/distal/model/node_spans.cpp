#include "distal/model/node_spans.hpp"

#include <algorithm>

#include "distal/core/aligned.hpp"

namespace distal {

void NodeSpans::add_plane(const std::vector<char>& wanted) {
  constexpr std::size_t kBlock = kAlignment / sizeof(float);
  const std::size_t first = nodes_, end = nodes_ + wanted.size();
  for (std::size_t block = first / kBlock * kBlock; block < end; block += kBlock) {
    const NodeSpan span{std::max(block, first), std::min(block + kBlock, end)};
    const auto from = wanted.begin() - static_cast<std::ptrdiff_t>(first);
    if (std::none_of(from + static_cast<std::ptrdiff_t>(span.begin), from + static_cast<std::ptrdiff_t>(span.end),
                     [](char w) { return w != 0; }))
      continue;
    if (spans_.size() > plane_begin_.back() && spans_.back().end == span.begin)
      spans_.back().end = span.end;
    else
      spans_.push_back(span);
  }
  plane_begin_.push_back(spans_.size());
  nodes_ = end;
}

NodeSpans NodeSpans::shifted(std::size_t by) const {
  NodeSpans result = *this;
  for (NodeSpan& span : result.spans_) span.begin += by, span.end += by;
  result.nodes_ += by;
  return result;
}

}  // namespace distal
