#include "evaluation/tree_distance.hpp"

#include "convert.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

using Numbers = std::vector<Number>;

PostorderTree to_tree(const Numbers& labels, const Numbers& leftmost) {
    return {{labels.begin(), labels.end()}, to_indices(leftmost, "a leftmost vertex")};
}

}  // namespace

void bind_tree_distance(nb::module_& module) {
    module.def(
        "tree_distance",
        [](const Numbers& labels, const Numbers& leftmost, const Numbers& other_labels,
           const Numbers& other_leftmost) {
            return tree_distance(to_tree(labels, leftmost), to_tree(other_labels, other_leftmost));
        },
        "labels"_a, "leftmost"_a, "other_labels"_a, "other_leftmost"_a,
        R"(Return the edit distance between two ordered, labelled trees (Zhang & Shasha 1989).

Trees are given in postorder: for each vertex, its label as a number, and the first vertex in its
subtree. The last vertex is the root.

Raises:
    ValueError: An argument is not a tree in postorder. The message names the vertex.)");
}

}  // namespace crossbranch::bindings
