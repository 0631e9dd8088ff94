#include "trees/export_rows.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace crossbranch {

namespace {

constexpr std::string_view absent = "--";
constexpr std::int64_t first_number = 500;
constexpr std::int64_t root_parent = -1;
constexpr std::size_t most_columns = 6;

using Fields = std::array<std::string_view, most_columns>;

// Splits a line at its TABs. Fails if the number of fields is wrong, or if one is empty.
bool split(std::string_view line, std::size_t columns, Fields& fields) {
    if (line.find(' ') != std::string_view::npos || line.starts_with("%%"))
        return false;
    std::size_t start = 0;
    for (std::size_t column = 0; column < columns; ++column) {
        const std::size_t tab = line.find('\t', start);
        const bool is_last = column + 1 == columns;
        if ((tab == std::string_view::npos) != is_last)
            return false;
        const std::size_t stop = is_last ? line.size() : tab;
        if (stop == start)
            return false;
        fields[column] = line.substr(start, stop - start);
        start = stop + 1;
    }
    return true;
}

// The number of a node: three to nine digits, 500 or more, without a zero before it.
std::optional<std::int64_t> number_of(std::string_view text) {
    if (text.size() < 3 || text.size() > 9 || text.front() == '0')
        return std::nullopt;
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < first_number)
        return std::nullopt;
    return number;
}

// Whether nodes are in postorder: the last child node is directly before its parent, and each other
// child node is directly before the nodes of its right neighbour.
bool is_postorder(const TreeTexts& tree) {
    std::vector<std::int64_t> below;  // nodes in the part below each node, itself included
    std::size_t start = 0;
    for (std::size_t node = 0; node < tree.sizes.size(); ++node) {
        const std::size_t stop = start + static_cast<std::size_t>(tree.sizes[node]);
        std::int64_t expected = static_cast<std::int64_t>(node) - 1;
        for (std::size_t place = stop; place-- > start;) {
            const std::int64_t child = tree.children[place];
            if (child >= 0)
                continue;
            if (~child != expected)
                return false;
            expected -= below[static_cast<std::size_t>(expected)];
        }
        below.push_back(static_cast<std::int64_t>(node) - expected);
        start = stop;
    }
    return true;
}

class RowsParser {
  public:
    explicit RowsParser(std::size_t columns) : columns_(columns) {}

    std::optional<TreeTexts> parse(std::span<const std::string_view> lines) {
        Fields fields;
        for (const std::string_view line : lines) {
            if (!split(line, columns_, fields))
                return std::nullopt;
            const auto number = fields[0][0] == '#' ? number_of(fields[0].substr(1)) : std::nullopt;
            if (!(number ? add_node(fields, *number) : add_token(fields)))
                return std::nullopt;
        }
        if (found_.words.empty() || !connect())
            return std::nullopt;
        return std::move(found_);
    }

  private:
    bool add_token(const Fields& fields) {
        found_.words.push_back(fields[0]);
        if (columns_ == most_columns)
            found_.lemmas.push_back(fields[1]);
        found_.tags.push_back(fields[columns_ - 4]);
        found_.morphology.push_back(fields[columns_ - 3]);
        found_.edge_labels.push_back(fields[columns_ - 2]);
        return add_parent(fields[columns_ - 1], token_parents_);
    }

    bool add_node(const Fields& fields, std::int64_t number) {
        if (number - first_number != static_cast<std::int64_t>(found_.labels.size()) ||
            fields[columns_ - 3] != absent || (columns_ == most_columns && fields[1] != absent))
            return false;
        found_.labels.push_back(fields[columns_ - 4]);
        found_.node_edge_labels.push_back(fields[columns_ - 2]);
        return add_parent(fields[columns_ - 1], node_parents_);
    }

    static bool add_parent(std::string_view text, std::vector<std::int64_t>& parents) {
        if (text == "0") {
            parents.push_back(root_parent);
            return true;
        }
        const auto number = number_of(text);
        if (number)
            parents.push_back(*number - first_number);
        return number.has_value();
    }

    // Finds the children of all nodes. Parents follow their children, so there are no cycles.
    bool connect() {
        const auto root = static_cast<std::int64_t>(found_.labels.size());
        found_.labels.push_back("ROOT");
        found_.node_edge_labels.push_back(absent);
        found_.sizes.assign(found_.labels.size(), 0);
        for (auto* parents : {&token_parents_, &node_parents_})
            for (std::size_t child = 0; child < parents->size(); ++child) {
                std::int64_t& parent = (*parents)[child];
                if (parent == root_parent)
                    parent = root;
                else if (parent >= root ||
                         (parents == &node_parents_ && parent <= static_cast<std::int64_t>(child)))
                    return false;
                ++found_.sizes[static_cast<std::size_t>(parent)];
            }
        if (std::ranges::count(found_.sizes, 0) > 0)
            return false;
        fill_children();
        sort_children(found_);
        return is_postorder(found_);
    }

    void fill_children() {
        std::vector<std::size_t> places = child_starts(found_);
        found_.children.resize(places.back());
        for (std::size_t token = 0; token < token_parents_.size(); ++token)
            found_.children[places[static_cast<std::size_t>(token_parents_[token])]++] =
                static_cast<std::int64_t>(token);
        for (std::size_t node = 0; node < node_parents_.size(); ++node)
            found_.children[places[static_cast<std::size_t>(node_parents_[node])]++] =
                ~static_cast<std::int64_t>(node);
    }

    std::size_t columns_;
    std::vector<std::int64_t> token_parents_;
    std::vector<std::int64_t> node_parents_;
    TreeTexts found_;
};

void add_row(std::string& text, std::initializer_list<std::string_view> fields,
             std::int64_t parent) {
    for (const std::string_view field : fields) {
        text += field;
        text += '\t';
    }
    text += std::to_string(parent);
    text += '\n';
}

}  // namespace

std::optional<TreeTexts> parse_export_rows(std::span<const std::string_view> lines,
                                           std::size_t columns) {
    if (columns != most_columns && columns + 1 != most_columns)
        return std::nullopt;
    return RowsParser(columns).parse(lines);
}

std::string write_export_rows(const TreeTexts& tree, bool lemmas) {
    std::vector<std::int64_t> token_parents(tree.words.size());
    std::vector<std::int64_t> node_parents(tree.labels.size());
    const std::vector<std::size_t> starts = child_starts(tree);
    for (std::size_t node = 0; node < tree.labels.size(); ++node) {
        const bool is_root = node + 1 == tree.labels.size();
        const std::int64_t number = is_root ? 0 : first_number + static_cast<std::int64_t>(node);
        for (std::size_t place = starts[node]; place < starts[node + 1]; ++place) {
            const std::int64_t child = tree.children[place];
            if (child >= 0)
                token_parents[static_cast<std::size_t>(child)] = number;
            else
                node_parents[static_cast<std::size_t>(~child)] = number;
        }
    }
    std::string text;
    for (std::size_t i = 0; i < tree.words.size(); ++i) {
        const auto& [word, tag] = std::pair{tree.words[i], tree.tags[i]};
        if (lemmas)
            add_row(text, {word, tree.lemmas[i], tag, tree.morphology[i], tree.edge_labels[i]},
                    token_parents[i]);
        else
            add_row(text, {word, tag, tree.morphology[i], tree.edge_labels[i]}, token_parents[i]);
    }
    for (std::size_t node = 0; node + 1 < tree.labels.size(); ++node) {
        std::string name = "#";
        name += std::to_string(first_number + static_cast<std::int64_t>(node));
        if (lemmas)
            add_row(text, {name, absent, tree.labels[node], absent, tree.node_edge_labels[node]},
                    node_parents[node]);
        else
            add_row(text, {name, tree.labels[node], absent, tree.node_edge_labels[node]},
                    node_parents[node]);
    }
    return text;
}

}  // namespace crossbranch
