#include "transitions/tree_codes.hpp"

#include <algorithm>

namespace crossbranch {

namespace {

// The children of a node, with temporary nodes replaced by their children, ordered by first token.
void find_children(const Forest& forest, const ForestNode& node, std::vector<Vertex>& children,
                   std::vector<Vertex>& stack) {
    children.clear();
    stack.assign({node.left});
    if (node.right != no_vertex)
        stack.push_back(node.right);
    while (!stack.empty()) {
        const Vertex vertex = stack.back();
        stack.pop_back();
        const ForestNode& found = forest.node(vertex);
        if (!found.is_temporary) {
            children.push_back(vertex);
            continue;
        }
        stack.push_back(found.left);
        stack.push_back(found.right);
    }
    std::ranges::sort(children, {}, [&](Vertex v) { return forest.node(v).first(); });
}

}  // namespace

// Written from back to front, parents first, and reversed at the end.
TreeCodes encode(const Forest& forest, Vertex root) {
    TreeCodes codes;
    std::vector<Vertex> children;
    std::vector<Vertex> open;
    std::vector<Vertex> stack{root};
    while (!stack.empty()) {
        const Vertex vertex = stack.back();
        stack.pop_back();
        const ForestNode& node = forest.node(vertex);
        if (node.is_token()) {
            codes.push_back(vertex);
            continue;
        }
        find_children(forest, node, children, open);
        codes.push_back(static_cast<std::int32_t>(children.size()));
        codes.push_back(~node.label);
        stack.insert(stack.end(), children.begin(), children.end());
    }
    std::ranges::reverse(codes);
    return codes;
}

}  // namespace crossbranch
