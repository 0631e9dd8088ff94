#include "trees/tree_shape.hpp"

#include "convert.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

using Numbers = std::vector<Number>;

std::vector<Index> ignored_tokens(const Numbers& ignored) {
    return to_indices(ignored, "an ignored token");
}

nb::list spans_as_ints(const TreeShape& shape) {
    nb::list ints;
    for (const Span& span : shape.spans())
        ints.append(to_int(span));
    return ints;
}

}  // namespace

void bind_tree_shape(nb::module_& module) {
    nb::class_<TreeShape>(module, "TreeShape",
                          R"(A tree without its labels, and computations over all of its nodes.

Vertices 0 .. n-1 are the tokens, vertex n is the root, and the other nodes follow in any order.
Node k is vertex n + k; results are in the order of the nodes, and the root is node 0.)")
        .def(
            "__init__",
            [](TreeShape* self, Number token_count, const std::vector<Parent>& parents) {
                new (self) TreeShape(to_index(token_count, "token_count"), parents);
            },
            "token_count"_a, "parents"_a,
            R"(Check the tree and find the blocks of all nodes.

Args:
    token_count: The number of tokens, n.
    parents: For each vertex, the vertex above it; -1 for the root.

Raises:
    ValueError: This is not a tree with tokens below every node. The message names the vertex.)")
        .def_prop_ro("token_count", &TreeShape::token_count, "The number of tokens.")
        .def_prop_ro("node_count", &TreeShape::node_count, "The number of nodes.")
        .def(
            "blocks",
            [](const TreeShape& self, Number node) {
                return to_pairs(self.blocks(to_index(node, "node")));
            },
            "node"_a, "Return the blocks (start, stop) of a node from left to right.")
        .def("spans", &spans_as_ints, nb::sig("def spans(self) -> list[int]"),
             "Return the spans of all nodes: bit i is set if token i is in the span.")
        .def(
            "fan_outs",
            [](const TreeShape& self, const Numbers& ignored) {
                return self.fan_outs(ignored_tokens(ignored));
            },
            "ignored"_a = nb::tuple(),
            R"(Return the fan-outs of all nodes after deleting the ignored tokens.

A gap with only ignored tokens does not count. A node with only ignored tokens has fan-out 0.)")
        .def(
            "ill_nested_pairs",
            [](const TreeShape& self, const Numbers& ignored) {
                return self.ill_nested_pairs(ignored_tokens(ignored));
            },
            "ignored"_a = nb::tuple(),
            R"(Return the pairs of disjoint nodes that each have tokens in a gap of the other.

The ignored tokens are deleted first. In each pair, the node with the lower number comes first.)")
        .def(
            "is_ill_nested",
            [](const TreeShape& self, const Numbers& ignored) {
                return self.is_ill_nested(ignored_tokens(ignored));
            },
            "ignored"_a = nb::tuple(),
            "Say whether there is an ill-nested pair, after deleting the ignored tokens.");
}

}  // namespace crossbranch::bindings
