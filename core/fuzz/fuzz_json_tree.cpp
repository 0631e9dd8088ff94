// Trees as lines of JSON: what is read is a tree, and is the same when it is written and read
// again.
#include <deque>

#include "bytes.hpp"
#include "trees/json_tree.hpp"

using namespace crossbranch;

namespace {

// Texts as the writer takes them: in quotes. Only plain ones, so that nothing has to be escaped.
bool quote(std::vector<std::string_view>& texts, std::deque<std::string>& quoted) {
    for (std::string_view& text : texts) {
        for (const char letter : text)
            if (static_cast<unsigned char>(letter) < 0x20 || letter == '"' || letter == '\\')
                return false;
        text = quoted.emplace_back("\"" + std::string(text) + "\"");
    }
    return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto found = parse_json_tree({reinterpret_cast<const char*>(data), size});
    if (!found)
        return 0;
    const TreeTexts& tree = found->tree;
    REQUIRE(tree.labels.size() == tree.sizes.size());
    REQUIRE(tree.tags.size() == tree.words.size() && tree.starts.size() == tree.words.size());
    REQUIRE(tree.children.size() == tree.words.size() + tree.labels.size() - 1);
    TreeTexts texts = tree;
    std::deque<std::string> quoted;
    for (auto* column : {&texts.words, &texts.tags, &texts.lemmas, &texts.morphology,
                         &texts.edge_labels, &texts.labels, &texts.node_edge_labels})
        if (!quote(*column, quoted))
            return 0;
    const std::string line = "{" + write_json_tree(texts) + "}";
    const auto again = parse_json_tree(line);
    REQUIRE(again.has_value());
    REQUIRE(again->tree.words == tree.words && again->tree.tags == tree.tags);
    REQUIRE(again->tree.starts == tree.starts && again->tree.ends == tree.ends);
    REQUIRE(again->tree.labels.size() == tree.labels.size());
    return 0;
}
