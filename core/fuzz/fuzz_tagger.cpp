// Templates and weights of taggers, and templates of parsers: refused, or of use.
#include <stdexcept>

#include "bytes.hpp"
#include "linear/packing.hpp"
#include "tagging/tagger.hpp"

using namespace crossbranch;

namespace {

void make_templates(fuzz::Bytes& bytes) {
    std::vector<Template> all;
    for (std::size_t count = bytes.below(40); count > 0; --count) {
        Template& atoms = all.emplace_back();
        for (std::size_t size = bytes.below(20); size > 0; --size)
            atoms.push_back({static_cast<std::uint8_t>(bytes.below(13)), bytes.byte(),
                             static_cast<std::uint8_t>(bytes.below(5)),
                             static_cast<std::uint8_t>(bytes.below(9))});
    }
    const std::uint32_t columns = bytes.byte() % 9U;
    const Templates made(all, columns, static_cast<int>(bytes.below(4)) - 1, bytes.below(2) == 1);
    for (const TemplateGroup& group : made.groups()) {
        REQUIRE(group.values.size() <= Templates::most_values);
        REQUIRE(group.sizes.size() == group.seeds.size());
    }
}

void tag(fuzz::Bytes& bytes) {
    std::vector<TagTemplate> all;
    for (std::size_t count = bytes.below(8); count > 0; --count) {
        TagTemplate& one = all.emplace_back();
        one.history = static_cast<TagHistory>(bytes.below(3));
        for (std::size_t size = bytes.below(4); size > 0; --size)
            one.parts.push_back({static_cast<std::int32_t>(bytes.below(12)) - 6,
                                 static_cast<std::uint32_t>(bytes.below(5))});
    }
    const std::uint32_t columns = bytes.byte() % 5U;
    const auto templates = std::make_shared<TagTemplates>(all, columns);
    const std::size_t beam = bytes.below(9);
    std::vector<std::size_t> offsets;
    for (std::size_t count = bytes.below(6); count > 0; --count)
        offsets.push_back(bytes.below(12));
    std::vector<std::uint32_t> rows;
    for (std::size_t count = bytes.below(60); count > 0; --count)
        rows.push_back(bytes.byte());
    const std::size_t tags = 1 + bytes.below(20);
    const Tagger tagger(templates, std::make_shared<Weights>(unpack(bytes.rest(), tags)), beam);
    check_sentences(rows.size(), columns, offsets);
    for (const Tag found : tagger.tag(rows, offsets, 1))
        REQUIRE(found < tags);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    fuzz::Bytes bytes(data, size);
    try {
        if (bytes.below(3) == 0)
            make_templates(bytes);
        else
            tag(bytes);
    } catch (const std::invalid_argument&) {  // refused
    }
    return 0;
}
