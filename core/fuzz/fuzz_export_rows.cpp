// Rows of NeGra export: what is a tree can be written, and is the same tree when it is read again.
#include "bytes.hpp"
#include "trees/export_rows.hpp"

using namespace crossbranch;

namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    fuzz::Bytes bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    while (!bytes.is_empty())
        lines.push_back(bytes.until('\n'));
    return lines;
}

void check(std::string_view text, std::size_t columns) {
    const auto tree = parse_export_rows(lines_of(text), columns);
    if (!tree)
        return;
    REQUIRE(tree->labels.size() == tree->sizes.size());
    REQUIRE(tree->children.size() == tree->words.size() + tree->labels.size() - 1);
    const std::string written = write_export_rows(*tree, columns == 6);
    const auto again = parse_export_rows(lines_of(written), columns);
    REQUIRE(again.has_value());
    REQUIRE(again->children == tree->children && again->sizes == tree->sizes);
    REQUIRE(again->words == tree->words && again->labels == tree->labels);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    check(text, 6);
    check(text, 5);
    return 0;
}
