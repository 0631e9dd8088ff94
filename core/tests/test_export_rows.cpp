#include <string>

#include "check.hpp"
#include "trees/export_rows.hpp"

using namespace crossbranch;

namespace {

using Texts = std::vector<std::string_view>;
using Numbers = std::vector<std::int64_t>;

const Texts crossing = {"What\twhat\tWP\t--\tOA\t500", "should\t--\tMD\t--\tHD\t501",
                        "I\t--\tPRP\tNom\tSB\t501",    "do\t--\tVB\t--\tHD\t500",
                        "#500\t--\tVP\t--\tOC\t501",   "#501\t--\tSQ\t--\t--\t0"};

std::string joined(const Texts& lines) {
    std::string text;
    for (const std::string_view line : lines)
        text.append(line).append("\n");
    return text;
}

}  // namespace

TEST(rows_become_a_tree) {
    const auto found = parse_export_rows(crossing, 6);
    CHECK(found.has_value());
    CHECK(found->words == Texts{"What", "should", "I", "do"});
    CHECK(found->lemmas == Texts{"what", "--", "--", "--"});
    CHECK(found->tags == Texts{"WP", "MD", "PRP", "VB"});
    CHECK(found->morphology == Texts{"--", "--", "Nom", "--"});
    CHECK(found->edge_labels == Texts{"OA", "HD", "SB", "HD"});
    CHECK(found->labels == Texts{"VP", "SQ", "ROOT"});
    CHECK(found->node_edge_labels == Texts{"OC", "--", "--"});
    CHECK(found->sizes == Numbers{2, 3, 1});
    CHECK(found->children == Numbers{0, 3, ~0, 1, 2, ~1});
}

TEST(rows_that_are_written_are_the_same) {
    const auto found = parse_export_rows(crossing, 6);
    CHECK(found.has_value());
    CHECK(write_export_rows(*found, true) == joined(crossing));
}

TEST(version_3_has_no_lemmas) {
    const Texts rows = {"a\tNN\t--\tHD\t500", "#500\tNP\t--\t--\t0"};
    const auto found = parse_export_rows(rows, 5);
    CHECK(found.has_value());
    CHECK(found->lemmas.empty());
    CHECK(write_export_rows(*found, false) == joined(rows));
}

TEST(a_word_may_begin_with_a_hash) {
    for (const char* word : {"#", "#49", "#499", "#0500", "#1234567890", "#5x0"}) {
        const std::string row = std::string(word) + "\t--\tNN\t--\t--\t0";
        const auto found = parse_export_rows(Texts{row}, 6);
        CHECK(found.has_value());
        CHECK(found->words == Texts{word});
    }
}

TEST(unusual_rows_give_nothing) {
    const std::string token = "a\t--\tNN\t--\t--\t";
    for (const std::string& rows :
         {std::string(), token, token + "500", token + "499", token + "-1", token + "00",
          token + "0\t", token + "0 ", token + "0\tSB\t0", token + "99999999999999999999",
          std::string("%% a comment\t--\tNN\t--\t--\t0"), std::string("%%\t--\tNN\t--\t--\t0"),
          std::string("a\t\tNN\t--\t--\t0"), std::string("a"),
          std::string("#500\t--\tNP\t--\t--\t0")})
        CHECK(!parse_export_rows(Texts{rows}, 6).has_value());
    const std::string below = token + "500";
    for (const char* node :
         {"#500\t--\tNP\t--\t--\t500", "#501\t--\tNP\t--\t--\t0", "#500\tx\tNP\t--\t--\t0",
          "#500\t--\tNP\tx\t--\t0", "#500\t--\tNP\t--\t--\t501"})
        CHECK(!parse_export_rows(Texts{below, node}, 6).has_value());
    CHECK(!parse_export_rows({}, 6).has_value());
    CHECK(!parse_export_rows(crossing, 5).has_value());
    CHECK(!parse_export_rows(crossing, 0).has_value());
    CHECK(!parse_export_rows(crossing, 100).has_value());
}

TEST(cycles_and_empty_nodes_give_nothing) {
    const Texts cycle = {"a\t--\tNN\t--\t--\t0", "#500\t--\tA\t--\t--\t501",
                         "#501\t--\tB\t--\t--\t500"};
    CHECK(!parse_export_rows(cycle, 6).has_value());
    const Texts empty = {"a\t--\tNN\t--\t--\t0", "#500\t--\tA\t--\t--\t0"};
    CHECK(!parse_export_rows(empty, 6).has_value());
}

TEST(numbers_in_another_order_give_nothing) {
    const Texts swapped = {"a\t--\tNN\t--\t--\t501", "b\t--\tNN\t--\t--\t500",
                           "#500\t--\tA\t--\t--\t0", "#501\t--\tB\t--\t--\t0"};
    CHECK(!parse_export_rows(swapped, 6).has_value());
}
