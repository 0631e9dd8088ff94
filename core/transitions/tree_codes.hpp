// A finished tree as numbers, from which nodes can be built.
#pragma once

#include <cstdint>
#include <vector>

#include "transitions/forest.hpp"

namespace crossbranch {

// A tree without temporary nodes in postfix form: a token is its index; a node is ~label and the
// number of its children, which come before it, ordered by first token.
using TreeCodes = std::vector<std::int32_t>;

[[nodiscard]] TreeCodes encode(const Forest& forest, Vertex root);

}  // namespace crossbranch
