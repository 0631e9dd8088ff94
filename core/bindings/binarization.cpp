#include "trees/binarization.hpp"

#include "convert.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

void bind_binarization(nb::module_& module) {
    module.def(
        "optimal_binarization",
        [](const std::vector<std::vector<NumberPair>>& children_blocks, Number subset_limit) {
            std::vector<Blocks> children;
            for (const auto& blocks : children_blocks)
                children.push_back(to_blocks(blocks));
            Binarization found =
                optimal_binarization(std::move(children), to_index(subset_limit, "subset_limit"));
            return std::pair(std::move(found.merges), found.exact);
        },
        "children_blocks"_a, "subset_limit"_a = default_subset_limit,
        R"(Binarize one node, so that the items in between have low fan-out.

Args:
    children_blocks: The blocks (start, stop) of each child, half-open.
    subset_limit: The largest number of subsets of the children that an exact search may keep.

Returns:
    The merges and whether they are optimal. Children are items 0 .. k-1, and merge m joins two
    items, the one with the first token first, into item k + m. The merges minimise the largest
    fan-out of an intermediate item, then the sum of these fan-outs. If there are more subsets than
    the limit, neighbours with the lowest fan-out are merged.

Raises:
    ValueError: A child has no tokens, or two children share one.)");
}

}  // namespace crossbranch::bindings
