#include "trees/discbracket.hpp"

#include "convert.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

nb::list to_list(const std::vector<std::string_view>& texts) {
    nb::list found;
    for (const std::string_view text : texts)
        found.append(nb::str(text.data(), text.size()));
    return found;
}

nb::object parse(nb::str text) {
    const char* start = text.c_str();
    const auto parsed = parse_discbracket({start, std::char_traits<char>::length(start)});
    if (!parsed)
        return nb::none();
    return nb::make_tuple(to_list(parsed->labels), parsed->sizes, parsed->children,
                          to_list(parsed->tags), to_list(parsed->words));
}

}  // namespace

void bind_discbracket(nb::module_& module) {
    module.def("parse_discbracket", &parse, "text"_a,
               nb::sig("def parse_discbracket(text: str) -> tuple[list[str], list[int], list[int], "
                       "list[str], list[str]] | None"),
               R"(Read a tree in disco-dop's brackets.

Returns the labels of the nodes in postorder, the number of children of each, all children one after
the other (a token is its index, the k-th node is ~k), and the tags and words of the tokens. Nothing
is unescaped. Returns None for unusual trees: brackets that do not match, words without an index,
indices that do not start at 0, an index that is missing or occurs twice, empty labels, and a single
tagged word.)");
}

}  // namespace crossbranch::bindings
