// Trees in disco-dop's brackets: what is read can be written, and is the same when it is read
// again.
#include "bytes.hpp"
#include "trees/discbracket.hpp"

using namespace crossbranch;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    auto tree = parse_discbracket({reinterpret_cast<const char*>(data), size});
    if (!tree)
        return 0;
    REQUIRE(tree->labels.size() == tree->sizes.size());
    REQUIRE(tree->children.size() == tree->words.size() + tree->labels.size() - 1);
    for (std::string_view& tag : tree->tags)
        tag = tag.empty() ? empty_text : tag;
    const std::string written = write_discbracket(*tree);
    const auto again = parse_discbracket(written);
    REQUIRE(again.has_value());
    REQUIRE(again->children == tree->children && again->sizes == tree->sizes);
    REQUIRE(again->words == tree->words && again->labels == tree->labels);
    return 0;
}
