#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "convert.hpp"
#include "linear/packing.hpp"
#include "tagging/tagger.hpp"
#include "tagging/trainer.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

using Parts = std::vector<std::pair<int, int>>;

std::shared_ptr<TagTemplates> make_templates(const std::vector<std::tuple<int, Parts>>& templates,
                                             std::uint32_t column_count) {
    std::vector<TagTemplate> compiled;
    for (const auto& [history, parts] : templates) {
        if (history < 0 || history > 2)
            throw std::invalid_argument("a template looks at up to two tags");
        TagTemplate& made = compiled.emplace_back();
        made.history = static_cast<TagHistory>(history);
        for (const auto& [offset, column] : parts)
            made.parts.push_back({offset, static_cast<std::uint32_t>(column)});
    }
    return std::make_shared<TagTemplates>(std::move(compiled), column_count);
}

nb::bytes tag(const Tagger& self, const Buffer<std::uint32_t>& rows,
              const std::vector<Number>& offsets, std::size_t threads) {
    const std::vector<Index> starts = to_indices(offsets, "an offset");
    std::vector<Tag> tags;
    {
        const nb::gil_scoped_release release;
        tags = self.tag(view(rows), starts, threads);
    }
    return nb::bytes(tags.data(), tags.size() * sizeof(Tag));
}

std::size_t train(TagTrainer& self, const Buffer<std::uint32_t>& rows,
                  const std::vector<Number>& offsets, const Buffer<Tag>& tags,
                  const std::vector<Number>& sources, std::size_t threads) {
    const std::vector<Index> starts = to_indices(offsets, "an offset");
    const std::vector<Index> numbers = to_indices(sources, "a source");
    const nb::gil_scoped_release release;
    return self.train(view(rows), starts, view(tags), threads, numbers);
}

}  // namespace

void bind_tagging(nb::module_& module) {
    nb::class_<TagTemplates>(module, "TagTemplates", "Feature templates of a tagger, compiled.")
        .def(nb::new_(&make_templates), "templates"_a, nb::kw_only(), "column_count"_a,
             R"(Compile templates.

Args:
    templates: For each, the number of tags to the left that it uses, and its parts: pairs (offset,
        column). Templates that use fewer tags come first.
    column_count: The number of columns of the token table.)");

    nb::class_<Tagger>(module, "Tagger", "Beam search for tags with a linear model.")
        .def(
            "__init__",
            [](Tagger* self, std::shared_ptr<TagTemplates> templates, const nb::bytes& weights,
               std::size_t tag_count, std::size_t beam) {
                const std::string_view bytes(static_cast<const char*>(weights.data()),
                                             weights.size());
                new (self) Tagger(std::move(templates),
                                  std::make_shared<Weights>(unpack(bytes, tag_count)), beam);
            },
            "templates"_a, "weights"_a, nb::kw_only(), "tag_count"_a, "beam"_a,
            "Take weights that a trainer has packed. Raises a ValueError if they are damaged.")
        .def("tag", &tag, "rows"_a, "offsets"_a, nb::kw_only(), "threads"_a = 1,
             nb::sig("def tag(self, rows: typing_extensions.Buffer, offsets: "
                     "collections.abc.Sequence[int], *, threads: int = 1) -> bytes"),
             R"(Tag sentences. The result is the same for any number of threads.

Args:
    rows: The token table of all sentences.
    offsets: Sentence i has the tokens offsets[i] up to offsets[i + 1].
    threads: The number of threads.

Returns:
    The numbers of the tags of all tokens, as 16-bit numbers.)");

    nb::class_<TagTrainer>(module, "TagTrainer", "The averaged structured perceptron for tags.")
        .def(
            "__init__",
            [](TagTrainer* self, std::shared_ptr<TagTemplates> templates, std::size_t tag_count,
               std::size_t beam, std::int32_t margin, std::size_t batch, std::size_t sources) {
                const TagTrainerOptions options{beam, margin, batch, sources};
                new (self) TagTrainer(std::move(templates), tag_count, options);
            },
            "templates"_a, nb::kw_only(), "tag_count"_a, "beam"_a, "margin"_a = 0, "batch"_a = 4,
            "sources"_a = 0)
        .def("train", &train, "rows"_a, "offsets"_a, "tags"_a, nb::kw_only(),
             "sources"_a = std::vector<Number>(), "threads"_a = 1,
             nb::sig("def train(self, rows: typing_extensions.Buffer, offsets: "
                     "collections.abc.Sequence[int], tags: typing_extensions.Buffer, *, sources: "
                     "collections.abc.Sequence[int] = [], threads: int = 1) -> int"),
             R"(Learn from sentences in this order.

The sentences of a batch see the same weights. So the result depends on the size of batches, but not
on the number of threads.

Args:
    rows: The token table of all sentences.
    offsets: Sentence i has the tokens offsets[i] up to offsets[i + 1].
    tags: The number of the tag of each token, as 16-bit numbers.
    sources: The number of the source of each sentence, if the trainer has sources.
    threads: The number of threads.

Returns:
    The number of sentences that changed the weights.)")
        .def(
            "average",
            [](const TagTrainer& self, double prune, std::uint32_t scale, std::size_t source,
               const std::vector<const TagTrainer*>& others) {
                std::string bytes;
                {
                    const nb::gil_scoped_release release;
                    bytes = pack(self.average(prune, source, others), scale);
                }
                return nb::bytes(bytes.data(), bytes.size());
            },
            nb::kw_only(), "prune"_a = 0.0, "scale"_a = 8, "source"_a = 0,
            "others"_a = std::vector<const TagTrainer*>(),
            R"(The averaged weights so far, packed.

Args:
    prune: Weights that are smaller than this are left out.
    scale: Weights are multiplied by this and rounded.
    source: The source that the weights are for.
    others: Trainers of the same tags; the weights are the mean of all.)");
}

}  // namespace crossbranch::bindings
