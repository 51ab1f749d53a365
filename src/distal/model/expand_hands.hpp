// Hands become ordinary rigid bodies and joints: nothing behind the builder knows what a hand is.
#pragma once
#include "distal/model/description.hpp"

namespace distal {

// Every hand replaced by its links, "NAME/link", and joints, "NAME/joint"; paths set. Without a hand, the description
// as it is. Throws InputError that begins with the key: a file that cannot be used, a path of no joint of a hand.
ModelDescription expand_hands(const ModelDescription& description);

}  // namespace distal
