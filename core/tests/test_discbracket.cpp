#include "check.hpp"
#include "trees/discbracket.hpp"

using namespace crossbranch;

namespace {

using Texts = std::vector<std::string_view>;
using Numbers = std::vector<std::int64_t>;

}  // namespace

TEST(a_tree_is_taken_apart) {
    const auto found = parse_discbracket("(S (VP (WP 0=What) (VB 3=do)) (SQ 1=should (NP 2=I)) )");
    CHECK(found.has_value());
    CHECK(found->labels == Texts{"VP", "SQ", "S"});
    CHECK(found->sizes == Numbers{2, 2, 2});
    CHECK(found->children == Numbers{0, 3, 1, 2, ~0, ~1});
    CHECK(found->words == Texts{"What", "should", "I", "do"});
    CHECK(found->tags == Texts{"WP", "", "NP", "VB"});
}

TEST(a_node_over_a_tagged_word_is_no_tag) {
    const auto found = parse_discbracket("(ROOT (NP (NN 0=a)))");
    CHECK(found.has_value());
    CHECK(found->labels == Texts{"NP", "ROOT"});
    CHECK(found->children == Numbers{0, ~0});
    CHECK(found->tags == Texts{"NN"});
}

TEST(words_may_be_empty_and_have_signs) {
    const auto found = parse_discbracket("(S 0= 1=a=b)");
    CHECK(found.has_value());
    CHECK(found->words == Texts{"", "a=b"});
}

TEST(what_is_not_plain_gives_nothing) {
    for (const char* text : {"",
                             " ",
                             "(",
                             ")",
                             "()",
                             "(S)",
                             "(S ())",
                             "(S 0=a",
                             "S 0=a)",
                             "(S 0=a))",
                             "(S 0=a) x",
                             "(S 0=a)(S 0=b)",
                             "(S a b)",
                             "(S 0a 1=b)",
                             "(S 0 1)",
                             "(S 1=a 2=b)",
                             "(S 0=a 0=b)",
                             "(S 0=a 2=b)",
                             "(NN 0=a)",
                             "( (S 0=a 1=b))",
                             "(S ( 0=a) 1=b)",
                             "(S -1=a 0=b)",
                             "(S 99999999999999999999999=a 0=b)",
                             "(S 5000=a 0=b)",
                             "(S (NP (X) 0=a) 1=b)"})
        CHECK(!parse_discbracket(text).has_value());
}

TEST(depth_is_no_problem) {
    std::string text;
    for (int depth = 0; depth < 100'000; ++depth)
        text += "(X ";
    text += "0=a 1=b";
    text += std::string(100'000, ')');
    const auto found = parse_discbracket(text);
    CHECK(found.has_value());
    CHECK(found->labels.size() == 100'000);
}

TEST(children_are_in_the_order_of_their_first_tokens) {
    const auto found = parse_discbracket("(S (B 2=c 3=d) (A 1=b 0=a))");
    CHECK(found.has_value());
    CHECK(found->children == Numbers{2, 3, 0, 1, ~1, ~0});
}

TEST(a_tree_is_written) {
    for (const char* text : {"(S (VP (WP 0=What) (VB 3=do)) (SQ (MD 1=should) (NP (PRP 2=I))))",
                             "(S 0= 1=a=b)", "(S (A 0=a 2=c) (B 1=b 3=d))"}) {
        auto found = parse_discbracket(text);
        CHECK(found.has_value());
        for (std::string_view& tag : found->tags)
            tag = tag.empty() ? empty_text : tag;
        CHECK(write_discbracket(*found) == text);
    }
}

TEST(a_single_word_has_a_bracket) {
    TreeTexts tree;
    tree.words = {"a"};
    tree.tags = {empty_text};
    tree.labels = {"NP"};
    tree.sizes = {1};
    tree.children = {0};
    CHECK(write_discbracket(tree) == "(NP (&#x; 0=a))");
}

TEST(deep_trees_are_written) {
    TreeTexts tree;
    tree.words = {"a"};
    tree.tags = {"X"};
    for (std::int64_t depth = 0; depth < 100'000; ++depth) {
        tree.labels.push_back("N");
        tree.sizes.push_back(1);
        tree.children.push_back(depth == 0 ? 0 : ~(depth - 1));
    }
    CHECK(write_discbracket(tree).size() == 100'000 * 4 + 7);
}
