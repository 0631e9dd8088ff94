#include "evaluation/tree_distance.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace crossbranch {

namespace {

void check(const PostorderTree& tree) {
    if (tree.labels.size() != tree.leftmost.size())
        throw std::invalid_argument("labels and leftmost differ in length");
    // In postorder, a subtree is the run of vertices that ends with its root; runs are nested.
    std::vector<Index> open;  // the first vertices of the subtrees to the left
    for (Index vertex = 0; vertex < tree.leftmost.size(); ++vertex) {
        const Index first = tree.leftmost[vertex];
        while (!open.empty() && open.back() > first)
            open.pop_back();
        const bool is_leaf = first == vertex;
        if (first > vertex || (!is_leaf && (open.empty() || open.back() != first)))
            throw std::invalid_argument("vertex " + std::to_string(vertex) +
                                        " has a leftmost vertex that begins no subtree");
        if (is_leaf)
            open.push_back(vertex);
    }
    if (!tree.leftmost.empty() && tree.leftmost.back() != 0)
        throw std::invalid_argument("the last vertex is not above all others");
}

// The root, and every vertex with a sibling to its left. These are the highest vertices among those
// with the same leftmost vertex.
std::vector<Index> key_roots(const PostorderTree& tree) {
    const Index count = tree.leftmost.size();
    std::vector<Index> highest(count, count);
    for (Index vertex = 0; vertex < count; ++vertex)
        highest[tree.leftmost[vertex]] = vertex;
    std::vector<Index> found;
    for (const Index vertex : highest)
        if (vertex < count)
            found.push_back(vertex);
    std::ranges::sort(found);
    return found;
}

class Table {
  public:
    Table(Index rows, Index columns) : columns_(columns), cells_(rows * columns) {}
    Index& operator()(Index row, Index column) { return cells_[row * columns_ + column]; }

  private:
    Index columns_;
    std::vector<Index> cells_;
};

}  // namespace

Index tree_distance(const PostorderTree& one, const PostorderTree& other) {
    check(one);
    check(other);
    const Index rows = one.labels.size();
    const Index columns = other.labels.size();
    if (rows == 0 || columns == 0)
        return std::max(rows, columns);
    Table trees(rows, columns);            // between subtrees
    Table forests(rows + 1, columns + 1);  // between the parts to the left, for one pair of roots
    const std::vector<Index> other_roots = key_roots(other);
    for (const Index i : key_roots(one)) {
        for (const Index j : other_roots) {
            const Index first_i = one.leftmost[i];
            const Index first_j = other.leftmost[j];
            forests(0, 0) = 0;
            for (Index x = first_i; x <= i; ++x)
                forests(x - first_i + 1, 0) = x - first_i + 1;
            for (Index y = first_j; y <= j; ++y)
                forests(0, y - first_j + 1) = y - first_j + 1;
            for (Index x = first_i; x <= i; ++x) {
                const Index row = x - first_i + 1;
                for (Index y = first_j; y <= j; ++y) {
                    const Index column = y - first_j + 1;
                    const Index changed =
                        std::min(forests(row - 1, column), forests(row, column - 1)) + 1;
                    if (one.leftmost[x] == first_i && other.leftmost[y] == first_j) {
                        const Index renamed = one.labels[x] == other.labels[y] ? 0 : 1;
                        const Index kept = forests(row - 1, column - 1) + renamed;
                        trees(x, y) = forests(row, column) = std::min(changed, kept);
                    } else {
                        const Index kept =
                            forests(one.leftmost[x] - first_i, other.leftmost[y] - first_j) +
                            trees(x, y);
                        forests(row, column) = std::min(changed, kept);
                    }
                }
            }
        }
    }
    return trees(rows - 1, columns - 1);
}

}  // namespace crossbranch
