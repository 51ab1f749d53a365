// Where a body's nodes are: what loops over all of them visit. A lattice fills its box by little more than half.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace distal {

struct NodeSpan {
  std::size_t begin, end;
};

class NodeSpans {
 public:
  // Of one plane more: whole vectors around what is wanted of it.
  void add_plane(const std::vector<char>& wanted);
  std::span<const NodeSpan> plane(int k) const {
    const auto at = static_cast<std::size_t>(k);
    return {spans_.data() + plane_begin_[at], plane_begin_[at + 1] - plane_begin_[at]};
  }
  int planes() const { return static_cast<int>(plane_begin_.size()) - 1; }
  NodeSpans shifted(std::size_t by) const;

 private:
  std::vector<NodeSpan> spans_;
  std::vector<std::size_t> plane_begin_ = {0};
  std::size_t nodes_ = 0;
};

}  // namespace distal
