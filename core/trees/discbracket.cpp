#include "trees/discbracket.hpp"

#include <charconv>

namespace crossbranch {

namespace {

bool is_blank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    std::optional<TreeTexts> parse() {
        do {
            skip_blanks();
            if (place_ == text_.size())
                return std::nullopt;
            const char c = text_[place_];
            const bool fits = c == '(' ? open() : c == ')' ? close() : !open_.empty() && word();
            if (!fits)
                return std::nullopt;
        } while (!open_.empty());
        skip_blanks();
        if (place_ != text_.size() || count_ != found_.words.size())
            return std::nullopt;
        sort_children(found_);
        return std::move(found_);
    }

  private:
    struct Bracket {
        std::string_view label;
        std::size_t first;      // its first child among the items without a parent
        std::size_t own_words;  // words directly in it
    };

    void skip_blanks() {
        while (place_ < text_.size() && is_blank(text_[place_]))
            ++place_;
    }

    std::string_view piece() {
        const std::size_t start = place_;
        while (place_ < text_.size() && !is_blank(text_[place_]) && text_[place_] != '(' &&
               text_[place_] != ')')
            ++place_;
        return text_.substr(start, place_ - start);
    }

    bool open() {
        ++place_;
        const std::string_view label = piece();
        open_.push_back({label, pending_.size(), 0});
        return !label.empty();
    }

    bool word() {
        const std::string_view text = piece();
        std::size_t index = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
        const auto digits = static_cast<std::size_t>(end - text.data());
        // No line has more words than characters.
        if (error != std::errc() || digits == text.size() || *end != '=' || index >= text_.size())
            return false;
        if (index >= found_.words.size()) {
            found_.words.resize(index + 1);
            found_.tags.resize(index + 1);
        }
        if (found_.words[index].data() != nullptr)
            return false;
        found_.words[index] = text.substr(digits + 1);
        pending_.push_back(static_cast<std::int64_t>(index));
        ++open_.back().own_words;
        ++count_;
        return true;
    }

    bool close() {
        if (open_.empty())
            return false;
        ++place_;
        const Bracket bracket = open_.back();
        open_.pop_back();
        const std::size_t size = pending_.size() - bracket.first;
        if (size == 0)
            return false;
        if (size == 1 && bracket.own_words == 1) {  // a word with its tag
            found_.tags[static_cast<std::size_t>(pending_.back())] = bracket.label;
            return !open_.empty();
        }
        const auto first = pending_.begin() + static_cast<std::ptrdiff_t>(bracket.first);
        found_.children.insert(found_.children.end(), first, pending_.end());
        pending_.erase(first, pending_.end());
        pending_.push_back(~static_cast<std::int64_t>(found_.labels.size()));
        found_.labels.push_back(bracket.label);
        found_.sizes.push_back(static_cast<std::int64_t>(size));
        return true;
    }

    std::string_view text_;
    std::size_t place_ = 0;
    std::size_t count_ = 0;  // words so far
    std::vector<Bracket> open_;
    std::vector<std::int64_t> pending_;  // items without a parent so far
    TreeTexts found_;
};

// Writes the vertices of a tree without recursion: trees may be deeper than the stack.
class Writer {
  public:
    explicit Writer(const TreeTexts& tree) : tree_(tree), starts_(child_starts(tree)) {}

    std::string write() {
        if (tree_.labels.empty())
            return {};
        open(tree_.labels.size() - 1);
        while (!open_.empty()) {
            auto& [node, next] = open_.back();
            if (next == starts_[node + 1]) {
                text_ += ')';
                open_.pop_back();
                continue;
            }
            const std::int64_t child = tree_.children[next++];
            text_ += ' ';
            if (child < 0)
                open(static_cast<std::size_t>(~child));
            else
                word(static_cast<std::size_t>(child), tree_.sizes[node] == 1);
        }
        return std::move(text_);
    }

  private:
    struct OpenNode {
        std::size_t node;
        std::size_t next;  // its next child
    };

    void open(std::size_t node) {
        text_ += '(';
        text_ += tree_.labels[node];
        open_.push_back({node, starts_[node]});
    }

    void word(std::size_t token, bool alone) {
        const bool has_bracket = alone || tree_.tags[token] != empty_text;
        if (has_bracket) {
            text_ += '(';
            text_ += tree_.tags[token];
            text_ += ' ';
        }
        text_ += std::to_string(token);
        text_ += '=';
        text_ += tree_.words[token];
        if (has_bracket)
            text_ += ')';
    }

    const TreeTexts& tree_;
    std::vector<std::size_t> starts_;
    std::vector<OpenNode> open_;
    std::string text_;
};

}  // namespace

std::string write_discbracket(const TreeTexts& tree) {
    return Writer(tree).write();
}

std::optional<TreeTexts> parse_discbracket(std::string_view text) {
    return Parser(text).parse();
}

}  // namespace crossbranch
