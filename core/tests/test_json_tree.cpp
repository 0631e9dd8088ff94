#include "check.hpp"
#include "trees/json_tree.hpp"

using namespace crossbranch;

namespace {

using Texts = std::vector<std::string_view>;
using Numbers = std::vector<std::int64_t>;

constexpr std::string_view line =
    R"({"id":"7","text":"What I do","tokens":[{"form":"What","tag":"WP","start":0,"end":4},)"
    R"({"form":"I","lemma":"me","morphology":"1","edge_label":"SB"},{"form":"do"}],)"
    R"("nodes":[{"label":"S","children":[4,1],"head":0},)"
    R"({"label":"VP","children":[0,2],"edge_label":"OC"}],"comments":["a","b \"c\""]})";

}  // namespace

TEST(a_line_is_taken_apart) {
    const auto found = parse_json_tree(line);
    CHECK(found.has_value());
    CHECK(found->id == "7");
    CHECK(found->text == "What I do");
    CHECK(found->comments == Texts{"a", "b \"c\""});
    const TreeTexts& tree = found->tree;
    CHECK(tree.words == Texts{"What", "I", "do"});
    CHECK(tree.tags == Texts{"WP", "", ""});
    CHECK(tree.lemmas == Texts{"", "me", ""});
    CHECK(tree.morphology == Texts{"", "1", ""});
    CHECK(tree.edge_labels == Texts{"", "SB", ""});
    CHECK(tree.starts == Numbers{0, -1, -1});
    CHECK(tree.ends == Numbers{4, -1, -1});
    CHECK(tree.labels == Texts{"VP", "S"});
    CHECK(tree.node_edge_labels == Texts{"OC", ""});
    CHECK(tree.sizes == Numbers{2, 2});
    CHECK(tree.children == Numbers{0, 2, ~0, 1});
    CHECK(tree.heads == Numbers{-1, 0});
}

TEST(escapes_are_read) {
    const auto found = parse_json_tree(
        R"({"tokens":[{"form":"a\"\\\/\b\f\n\r\t"}],"nodes":[{"label":"S","children":[0]}]})");
    CHECK(found.has_value());
    CHECK(found->tree.words == Texts{"a\"\\/\b\f\n\r\t"});
}

TEST(every_prefix_gives_nothing) {
    for (std::size_t size = 0; size < line.size(); ++size)
        CHECK(!parse_json_tree(line.substr(0, size)).has_value());
}

TEST(what_is_not_plain_gives_nothing) {
    const auto with = [](std::string_view tokens, std::string_view nodes) {
        std::string made = R"({"tokens":[)";
        return made.append(tokens).append(R"(],"nodes":[)").append(nodes).append("]}");
    };
    constexpr std::string_view word = R"({"form":"a"})";
    constexpr std::string_view two = R"({"form":"a"},{"form":"b"})";
    CHECK(parse_json_tree(with(word, R"({"label":"S","children":[0]})")).has_value());
    for (const std::string& bad : {
             with(word, R"({"label":"S","children":[0]})") + " ",
             with("", R"({"label":"S","children":[0]})"),
             with(word, ""),
             with(word, R"({"label":"S","children":[]})"),
             with(word, R"({"label":"S"})"),
             with(word, R"({"label":"S","children":[1]})"),
             with(word, R"({"label":"S","children":[2]})"),
             with(word, R"({"label":"S","children":[-1]})"),
             with(word, R"({"label":"S","children":[00]})"),
             with(word, R"({"label":"S","children":[0.0]})"),
             with(word, R"({"label":"S","children":[99999999999999999999]})"),
             with(word, R"({"label":"S","children":[0],"head":1})"),
             with(word, R"({"label":"S","children":[0],"head":null})"),
             with(word, R"({"label":"S","children":[0],"features":{}})"),
             with(word, R"({"children":[0],"label":"S"})"),
             with(word, R"({"label": "S","children":[0]})"),
             with(word, R"({"label":"S","children":[0],})"),
             with(word, R"({"label":"S","children":[0,2]},{"label":"T","children":[0]})"),
             with(word, R"({"label":"S","children":[0]},{"label":"T","children":[1]})"),
             with(two, R"({"label":"S","children":[1,0]})"),
             with(two, R"({"label":"S","children":[0,0]})"),
             with(two, R"({"label":"S","children":[0]})"),
             with(two, R"({"label":"S","children":[3,3]},{"label":"T","children":[0,1]})"),
             with(two, R"({"label":"S","children":[3]},{"label":"T","children":[2,0,1]})"),
             with(R"({"form":"\u0041"})", R"({"label":"S","children":[0]})"),
             with(R"({"form":"\x"})", R"({"label":"S","children":[0]})"),
             with("{\"form\":\"\t\"}", R"({"label":"S","children":[0]})"),
             with("{\"form\":\"\\\"\t\"}", R"({"label":"S","children":[0]})"),
             with(R"({"tag":"a"})", R"({"label":"S","children":[0]})"),
             with(R"({"form":"a","tag":"b","tag":"c"})", R"({"label":"S","children":[0]})"),
             with(R"({"form":"a","end":1,"start":0})", R"({"label":"S","children":[0]})"),
         })
        CHECK(!parse_json_tree(bad).has_value());
}

TEST(a_tree_is_written_with_its_nodes_from_the_root_down) {
    TreeTexts tree;
    tree.words = {R"("a")", R"("b")", R"("c")"};
    tree.tags = {R"("X")", R"("")", R"("")"};
    tree.lemmas = tree.morphology = tree.edge_labels = {R"("")", R"("")", R"("E")"};
    tree.starts = {0, -1, -1};
    tree.ends = {1, -1, -1};
    tree.labels = {R"("L")", R"("M")", R"("S")"};
    tree.node_edge_labels = {R"("")", R"("F")", R"("")"};
    tree.heads = {-1, -1, 1};
    tree.sizes = {2, 1, 2};
    tree.children = {0, 2, 1, ~0, ~1};
    CHECK(write_json_tree(tree) ==
          R"("tokens":[{"form":"a","tag":"X","start":0,"end":1},{"form":"b"},)"
          R"({"form":"c","lemma":"E","morphology":"E","edge_label":"E"}],)"
          R"("nodes":[{"label":"S","children":[4,5],"head":1},{"label":"L","children":[0,2]},)"
          R"({"label":"M","children":[1],"edge_label":"F"}])");
}
