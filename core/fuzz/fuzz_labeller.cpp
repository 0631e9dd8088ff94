// Head rules and trees in postfix form, as the labeller of functions takes them.
#include <stdexcept>

#include "bytes.hpp"
#include "functions/labeller.hpp"

using namespace crossbranch;

namespace {

constexpr std::size_t label_count = 6, function_count = 3;

HeadPattern pattern(fuzz::Bytes& bytes) {
    HeadPattern found;
    for (std::size_t count = bytes.below(3); count > 0; --count) {
        HeadChoice& choice = found.emplace_back();
        const std::uint8_t odd = bytes.byte();
        choice.labels.resize(odd == 255 ? bytes.below(9) : label_count);
        for (std::uint8_t& label : choice.labels)
            label = bytes.byte() & 1U;
        choice.functions.resize(odd == 254 ? bytes.below(9) : odd % 2 * function_count);
        for (std::uint8_t& function : choice.functions)
            function = bytes.byte() & 1U;
    }
    return found;
}

void label(fuzz::Bytes& bytes) {
    std::vector<HeadRule> rules;
    for (std::size_t count = bytes.below(5); count > 0; --count) {
        HeadRule& rule = rules.emplace_back();
        rule.node = pattern(bytes);
        rule.which = static_cast<Which>(bytes.below(7));
        for (std::size_t size = bytes.below(4); size > 0; --size)
            rule.candidates.push_back(pattern(bytes));
    }
    const FunctionLabeller labeller(
        std::make_shared<HeadRules>(std::move(rules), label_count, function_count),
        std::make_shared<TagTemplates>(std::vector<TagTemplate>{}, child_columns.size()), nullptr,
        1, bytes.below(2) == 1, 0);
    std::vector<std::uint32_t> tokens;
    for (std::size_t cells = token_columns * bytes.below(8); cells > 0; --cells)
        tokens.push_back(static_cast<std::uint32_t>(bytes.below(label_count + 1)));
    std::vector<std::int32_t> codes;
    while (!bytes.is_empty())
        codes.push_back(static_cast<std::int8_t>(bytes.byte()));
    const std::vector<std::size_t> ends = {0, codes.size()};
    const std::vector<std::size_t> token_ends = {0, tokens.size() / token_columns};
    const TreeBatch batch{codes, ends, tokens, token_ends};
    batch.check();
    const Labelled found = labeller.label(batch, 1);
    REQUIRE(found.heads.size() == batch.node_count(0));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size);
    try {
        label(bytes);
    } catch (const std::invalid_argument&) {  // refused
    }
    return 0;
}
