#include "trees/json_tree.hpp"

#include <algorithm>
#include <ranges>

namespace crossbranch {

namespace {

constexpr std::int64_t absent = -1;
constexpr std::string_view empty_text = "\"\"";

// What a character after a backslash stands for; 0 if it is unusual.
char unescaped(char c) {
    switch (c) {
        case '"':
        case '\\':
        case '/':
            return c;
        case 'b':
            return '\b';
        case 'f':
            return '\f';
        case 'n':
            return '\n';
        case 'r':
            return '\r';
        case 't':
            return '\t';
        default:
            return 0;
    }
}

class Parser {
  public:
    explicit Parser(std::string_view line) : line_(line) {}

    std::optional<JsonTree> parse() {
        const bool fits = take("{") && optional_text("\"id\":", found_.id) &&
                          optional_text("\"text\":", found_.text) && take("\"tokens\":") &&
                          list([&] { return token(); }) && take(",\"nodes\":") &&
                          list([&] { return node(); }) && comments() && take("}") &&
                          place_ == line_.size();
        if (!fits || !connect())
            return std::nullopt;
        return std::move(found_);
    }

  private:
    bool take(std::string_view expected) {
        if (!line_.substr(place_).starts_with(expected))
            return false;
        place_ += expected.size();
        return true;
    }

    template <typename Item>
    bool list(Item item) {
        if (!take("["))
            return false;
        do {
            if (!item())
                return false;
        } while (take(","));
        return take("]");
    }

    bool string(std::string_view& text) {
        if (!take("\""))
            return false;
        const std::size_t start = place_;
        for (; place_ < line_.size(); ++place_) {
            const char c = line_[place_];
            if (c == '"') {
                text = line_.substr(start, place_++ - start);
                return true;
            }
            if (c == '\\')
                return string_with_escapes(start, text);
            if (static_cast<unsigned char>(c) < ' ')
                return false;
        }
        return false;
    }

    // Goes on at the first backslash of a string.
    bool string_with_escapes(std::size_t start, std::string_view& text) {
        std::string& made = found_.unescaped.emplace_back(line_.substr(start, place_ - start));
        for (; place_ < line_.size(); ++place_) {
            char c = line_[place_];
            if (c == '"') {
                ++place_;
                text = made;
                return true;
            }
            if (static_cast<unsigned char>(c) < ' ')
                return false;
            if (c == '\\') {
                c = ++place_ < line_.size() ? unescaped(line_[place_]) : '\0';
                if (c == 0)
                    return false;
            }
            made += c;
        }
        return false;
    }

    bool optional_text(std::string_view key, std::string_view& text) {
        return !take(key) || (string(text) && take(","));
    }

    bool field(std::string_view key, std::vector<std::string_view>& column) {
        return !take(key) ? (column.emplace_back(), true) : string(column.emplace_back());
    }

    bool number(std::int64_t& value) {
        constexpr std::size_t most_digits = 9;
        const std::size_t start = place_;
        value = 0;
        for (; place_ < line_.size() && line_[place_] >= '0' && line_[place_] <= '9'; ++place_) {
            if (place_ - start == most_digits)
                return false;
            value = 10 * value + (line_[place_] - '0');
        }
        return place_ > start && (line_[start] != '0' || place_ == start + 1);
    }

    bool optional_number(std::string_view key, std::vector<std::int64_t>& column) {
        column.push_back(absent);
        return !take(key) || number(column.back());
    }

    bool token() {
        TreeTexts& tree = found_.tree;
        return take("{\"form\":") && string(tree.words.emplace_back()) &&
               field(",\"tag\":", tree.tags) && field(",\"lemma\":", tree.lemmas) &&
               field(",\"morphology\":", tree.morphology) &&
               field(",\"edge_label\":", tree.edge_labels) &&
               optional_number(",\"start\":", tree.starts) &&
               optional_number(",\"end\":", tree.ends) && take("}");
    }

    bool node() {
        TreeTexts& tree = found_.tree;
        const std::size_t before = vertices_.size();
        if (!take("{\"label\":") || !string(tree.labels.emplace_back()) ||
            !take(",\"children\":") || !list([&] { return number(vertices_.emplace_back()); }))
            return false;
        tree.sizes.push_back(static_cast<std::int64_t>(vertices_.size() - before));
        return field(",\"edge_label\":", tree.node_edge_labels) &&
               optional_number(",\"head\":", tree.heads) && tree.heads.back() < tree.sizes.back() &&
               take("}");
    }

    bool comments() {
        return !take(",\"comments\":") ||
               list([&] { return string(found_.comments.emplace_back()); });
    }

    // Turns the nodes round, so that they come after their children. Each vertex but the root must
    // be the child of one node, which comes before it in the line.
    bool connect() {
        TreeTexts& tree = found_.tree;
        const std::size_t tokens = tree.words.size();
        const std::size_t nodes = tree.labels.size();
        if (vertices_.size() != tokens + nodes - 1)
            return false;
        std::ranges::reverse(tree.labels);
        std::ranges::reverse(tree.node_edge_labels);
        std::ranges::reverse(tree.sizes);
        std::ranges::reverse(tree.heads);
        std::vector<std::int64_t> firsts;  // the first token of each node
        std::vector<bool> is_below(tokens + nodes);
        std::size_t stop = vertices_.size();
        for (std::size_t node = 0; node < nodes; ++node) {
            const std::size_t start = stop - static_cast<std::size_t>(tree.sizes[node]);
            std::int64_t last_first = -1;
            for (std::size_t i = start; i < stop; ++i) {
                const auto vertex = static_cast<std::size_t>(vertices_[i]);
                const std::size_t child = tokens + nodes - 1 - vertex;  // if it is a node
                if (vertex >= tokens + nodes || is_below[vertex] ||
                    (vertex >= tokens && child >= node))
                    return false;
                is_below[vertex] = true;
                const std::int64_t first = vertex < tokens ? vertices_[i] : firsts[child];
                if (first < last_first)
                    return false;
                last_first = first;
                tree.children.push_back(vertex < tokens ? vertices_[i]
                                                        : ~static_cast<std::int64_t>(child));
                if (i == start)
                    firsts.push_back(first);
            }
            stop = start;
        }
        return true;
    }

    std::string_view line_;
    std::size_t place_ = 0;
    JsonTree found_;
    std::vector<std::int64_t> vertices_;  // the children of all nodes
};

void add_field(std::string& line, std::string_view key, std::string_view text) {
    if (text == empty_text)
        return;
    line += key;
    line += text;
}

void add_number(std::string& line, std::string_view key, std::int64_t number) {
    if (number == absent)
        return;
    line += key;
    line += std::to_string(number);
}

// The nodes from the root down, each before its children.
std::vector<std::size_t> preorder(const TreeTexts& tree, const std::vector<std::size_t>& starts) {
    std::vector<std::size_t> order;
    std::vector<std::size_t> stack{tree.labels.size() - 1};
    while (!stack.empty()) {
        const std::size_t node = stack.back();
        stack.pop_back();
        order.push_back(node);
        for (std::size_t i = starts[node + 1]; i-- > starts[node];)
            if (tree.children[i] < 0)
                stack.push_back(static_cast<std::size_t>(~tree.children[i]));
    }
    return order;
}

}  // namespace

std::optional<JsonTree> parse_json_tree(std::string_view line) {
    return Parser(line).parse();
}

std::string write_json_tree(const TreeTexts& tree) {
    std::string line = "\"tokens\":[";
    for (std::size_t i = 0; i < tree.words.size(); ++i) {
        line += i == 0 ? "{\"form\":" : ",{\"form\":";
        line += tree.words[i];
        add_field(line, ",\"tag\":", tree.tags[i]);
        add_field(line, ",\"lemma\":", tree.lemmas[i]);
        add_field(line, ",\"morphology\":", tree.morphology[i]);
        add_field(line, ",\"edge_label\":", tree.edge_labels[i]);
        add_number(line, ",\"start\":", tree.starts[i]);
        add_number(line, ",\"end\":", tree.ends[i]);
        line += '}';
    }
    line += "],\"nodes\":[";
    const std::vector<std::size_t> starts = child_starts(tree);
    const std::vector<std::size_t> order = preorder(tree, starts);
    std::vector<std::size_t> vertices(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        vertices[order[k]] = tree.words.size() + k;
    for (const std::size_t node : order) {
        line += node + 1 == order.size() ? "{\"label\":" : ",{\"label\":";
        line += tree.labels[node];
        for (std::size_t i = starts[node]; i < starts[node + 1]; ++i) {
            const std::int64_t child = tree.children[i];
            line += i == starts[node] ? ",\"children\":[" : ",";
            line += std::to_string(child >= 0 ? static_cast<std::size_t>(child)
                                              : vertices[static_cast<std::size_t>(~child)]);
        }
        line += ']';
        add_field(line, ",\"edge_label\":", tree.node_edge_labels[node]);
        add_number(line, ",\"head\":", tree.heads[node]);
        line += '}';
    }
    line += ']';
    return line;
}

}  // namespace crossbranch
