// Our own hand: a palm, a thumb of four joints and four fingers of three, in the size of a man's right hand.
#pragma once
#include "distal/model/link_tree.hpp"

namespace distal {

// Its root is the palm, with its frame at the wrist: z to the fingers, x out of the palm, y to the thumb.
// `length_m` is from there to the tip of the middle finger.
LinkTree make_five_fingers(double length_m);

}  // namespace distal
