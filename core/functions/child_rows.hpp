// The children of a node as a sequence of rows, for the search that gives them functions.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "functions/headed_tree.hpp"

namespace crossbranch {

// What a row says about a child. The names of columns in templates; 0 means that there is none.
inline constexpr std::array<std::string_view, 29> child_columns = {"label",
                                                                   "word",
                                                                   "headtag",
                                                                   "suffix",
                                                                   "cluster",
                                                                   "shortcluster",
                                                                   "first",
                                                                   "firsttag",
                                                                   "lasttag",
                                                                   "second",
                                                                   "secondlabel",
                                                                   "secondtag",
                                                                   "secondcluster",
                                                                   "parent",
                                                                   "parentword",
                                                                   "parenttag",
                                                                   "parentcluster",
                                                                   "parentsecond",
                                                                   "parentsecondlabel",
                                                                   "parentfunction",
                                                                   "grandparent",
                                                                   "place",
                                                                   "order",
                                                                   "shape",
                                                                   "left",
                                                                   "right",
                                                                   "leftword",
                                                                   "headlabel",
                                                                   "lastword"};

class ChildRows {
  public:
    // Whether tokens have functions. If not, they are no members of sequences.
    explicit ChildRows(bool of_tokens) : of_tokens_(of_tokens) {}

    // Makes the rows of the children of a node that have functions. The node has a function of its
    // own, and the root has none.
    void make(const HeadedTree& tree, std::uint32_t node, Tag function);

    [[nodiscard]] const std::vector<std::uint32_t>& members() const { return members_; }
    [[nodiscard]] const std::vector<std::uint32_t>& cells() const { return cells_; }

  private:
    void add(const HeadedTree& tree, std::uint32_t node, std::uint32_t position, Tag function);

    bool of_tokens_;
    std::vector<std::uint32_t> members_;
    std::vector<std::uint32_t> cells_;
};

}  // namespace crossbranch
