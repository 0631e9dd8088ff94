#include <nanobind/stl/shared_ptr.h>

#include <cmath>
#include <cstring>

#include "bindings/networks.hpp"
#include "neural/halves.hpp"
#include "neural/small_integers.hpp"
#include "neural/span_scorer.hpp"
#include "topics.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace crossbranch::bindings {

namespace {

using namespace neural;

nb::bytes to_bytes(std::span<const float> values) {
    return nb::bytes(values.data(), values.size_bytes());
}

Precision to_precision(const std::string& name) {
    if (name == "float32")
        return Precision::float32;
    if (name == "bfloat16")
        return Precision::bfloat16;
    throw std::invalid_argument("unknown precision " + name + ", expected float32 or bfloat16");
}

Tensors make_tensors(const nb::dict& values, const std::string& precision) {
    Tensors tensors(to_precision(precision));
    for (const auto& [name, value] : values) {
        const auto [shape, data] =
            nb::cast<std::tuple<std::vector<Number>, nb::bytes>>(nb::borrow(value));
        const auto text = nb::cast<std::string>(nb::borrow(name));
        Tensor tensor;
        for (const Number size : shape)
            tensor.shape.push_back(to_index(size, "a size of " + text));
        tensor.values.resize(data.size() / sizeof(float));
        if (data.size() % sizeof(float) != 0)
            throw std::invalid_argument("the tensor " + text + " has " +
                                        std::to_string(data.size()) +
                                        " bytes, expected a multiple of 4");
        if (data.size() > 0)
            std::memcpy(tensor.values.data(), data.data(), data.size());
        tensors.add(text, std::move(tensor));
    }
    return tensors;
}

// The values of another type, one after the other.
template <typename From, typename To, typename Convert>
nb::bytes converted(const nb::bytes& data, Convert convert) {
    std::string result(data.size() / sizeof(From) * sizeof(To), '\0');
    const char* from = static_cast<const char*>(data.data());
    for (std::size_t i = 0; i < data.size() / sizeof(From); ++i) {
        From value;
        std::memcpy(&value, from + i * sizeof(From), sizeof(From));
        const To made = convert(value);
        std::memcpy(result.data() + i * sizeof(To), &made, sizeof(To));
    }
    return nb::bytes(result.data(), result.size());
}

nb::bytes floats_from_halves(const nb::bytes& halves) {
    return converted<std::uint16_t, float>(halves, from_half);
}

nb::bytes halves_from_floats(const nb::bytes& floats) {
    return converted<float, std::uint16_t>(floats, [](float value) {
        const std::uint16_t half = to_half(value);
        if ((half & 0x7c00U) == 0x7c00U)
            throw std::invalid_argument(std::to_string(value) + " is too large for 16 bits");
        return half;
    });
}

// The integers of all rows, and the factor of each row.
nb::tuple integers_from_floats(const nb::bytes& floats, std::size_t rows) {
    const std::size_t count = floats.size() / sizeof(float);
    if (rows == 0 || floats.size() % sizeof(float) != 0 || count % rows != 0)
        throw std::invalid_argument("the numbers cannot be divided into rows");
    std::vector<float> row(count / rows);
    std::vector<float> factors(rows);
    std::string integers(count, '\0');
    for (std::size_t i = 0; i < rows; ++i) {
        std::memcpy(row.data(), floats.c_str() + i * row.size() * sizeof(float),
                    row.size() * sizeof(float));
        auto* found = reinterpret_cast<std::int8_t*>(integers.data()) + i * row.size();
        factors[i] = to_integers(row, found);
        if (!std::isfinite(factors[i]))
            throw std::invalid_argument("a number is not finite");
    }
    return nb::make_tuple(nb::bytes(integers.data(), integers.size()),
                          nb::bytes(factors.data(), factors.size() * sizeof(float)));
}

nb::bytes floats_from_integers(const nb::bytes& integers, const nb::bytes& factors) {
    const std::size_t rows = factors.size() / sizeof(float);
    if (rows == 0 || factors.size() % sizeof(float) != 0 || integers.size() % rows != 0)
        throw std::invalid_argument("the numbers cannot be divided into rows");
    const std::size_t size = integers.size() / rows;
    std::vector<float> floats(integers.size());
    const auto* from = reinterpret_cast<const std::int8_t*>(integers.c_str());
    for (std::size_t i = 0; i < rows; ++i) {
        float factor = 0;
        std::memcpy(&factor, factors.c_str() + i * sizeof(float), sizeof(float));
        for (std::size_t k = i * size; k < (i + 1) * size; ++k)
            floats[k] = factor * static_cast<float>(from[k]);
    }
    return nb::bytes(floats.data(), floats.size() * sizeof(float));
}

// The vectors of the tokens of some sentences, at all levels.
struct EncodedTokens {
    std::shared_ptr<Encoder> encoder;
    EncoderMemory memory;

    [[nodiscard]] const Matrix& level(Number number) const {
        const Number count = static_cast<Number>(memory.levels.size());
        if (number < -count || number >= count)
            throw std::invalid_argument("there is no level " + std::to_string(number));
        return memory.levels[static_cast<std::size_t>(number < 0 ? number + count : number)];
    }
    [[nodiscard]] std::size_t task(const std::string& name) const {
        const auto& tasks = encoder->tasks();
        for (std::size_t i = 0; i < tasks.size(); ++i)
            if (tasks[i].name == name)
                return i;
        throw std::invalid_argument("there is no task " + name);
    }
};

std::shared_ptr<EncodedTokens> encode(const std::shared_ptr<Encoder>& self,
                                      const Buffer<std::int32_t>& lengths, const Numbers& words,
                                      const Numbers& tags, const Numbers& forms,
                                      const Numbers& characters, const Numbers& form_lengths,
                                      const std::optional<Buffer<float>>& features) {
    const TokenArrays tokens(lengths, words, tags, forms, characters, form_lengths, features);
    auto encoded = std::make_shared<EncodedTokens>();
    encoded->encoder = self;
    const nb::gil_scoped_release release;
    self->check(tokens.batch());
    self->encode(tokens.batch(), encoded->memory);
    return encoded;
}

nb::bytes score_task(const EncodedTokens& self, const std::string& name) {
    Matrix scores;
    self.encoder->score_task(self.task(name), self.memory, scores);
    return to_bytes(scores.values());
}

nb::bytes best_classes(const EncodedTokens& self, const std::string& name) {
    const auto best = self.encoder->best_classes(self.task(name), self.memory);
    return nb::bytes(best.data(), best.size() * sizeof(best[0]));
}

void multiply(const PackedMatrix& self, const Buffer<float>& rows, const Target<float>& out) {
    const std::size_t count = rows.size() / self.inputs();
    if (rows.size() != count * self.inputs() || out.size() != count * self.outputs())
        throw std::invalid_argument(std::to_string(rows.size()) + " numbers and " +
                                    std::to_string(out.size()) + " results do not fit a map from " +
                                    std::to_string(self.inputs()) + " to " +
                                    std::to_string(self.outputs()));
    const nb::gil_scoped_release release;
    self.multiply(rows.data(), self.inputs(), count, out.data(), self.outputs());
}

// What the tokens of some sentences give to the first layer of a scorer.
struct PreparedSpans {
    std::shared_ptr<SpanScorer> scorer;
    std::shared_ptr<EncodedTokens> tokens;
    SpanParts parts;
};

std::shared_ptr<PreparedSpans> prepare(const std::shared_ptr<SpanScorer>& self,
                                       const std::shared_ptr<EncodedTokens>& tokens, Number level) {
    auto prepared = std::make_shared<PreparedSpans>();
    prepared->scorer = self;
    prepared->tokens = tokens;
    const Matrix& vectors = tokens->level(level);
    if (vectors.columns() != self->size())
        throw std::invalid_argument("the vectors have " + std::to_string(vectors.columns()) +
                                    " numbers, expected " + std::to_string(self->size()));
    const nb::gil_scoped_release release;
    self->prepare(vectors, prepared->parts);
    return prepared;
}

nb::bytes score(PreparedSpans& self, const Buffer<std::int32_t>& rows) {
    std::vector<float> out(rows.size() / self.scorer->row_size() * self.scorer->outputs());
    {
        const nb::gil_scoped_release release;
        SpanMemory memory;
        self.scorer->score(self.parts, view(rows), out, memory);
    }
    return to_bytes(out);
}

}  // namespace

void bind_neural(nb::module_& module) {
    module.def(
        "kernel_name", [] { return std::string(kernels().name); },
        "The name of the vectors that neural networks use on this machine.");

    module.def("floats_from_halves", &floats_from_halves, "halves"_a,
               "The 32-bit floats of 16-bit floats.");
    module.def("halves_from_floats", &halves_from_floats, "floats"_a,
               "The nearest 16-bit floats. Raises a ValueError for a number that is too large.");
    module.def("integers_from_floats", &integers_from_floats, "floats"_a, "rows"_a,
               nb::sig("def integers_from_floats(floats: bytes, rows: int) -> tuple[bytes, bytes]"),
               "Rows of 32-bit floats as 8-bit integers, and a factor for each row.\n\n"
               "Raises a ValueError for a number that is not finite.");
    module.def("floats_from_integers", &floats_from_integers, "integers"_a, "factors"_a,
               "The 32-bit floats of rows of 8-bit integers with a factor each.");

    nb::class_<Tensors>(module, "Tensors", "The named tensors of a trained network.")
        .def(
            "__init__",
            [](Tensors* self, const nb::dict& tensors, const std::string& precision) {
                new (self) Tensors(make_tensors(tensors, precision));
            },
            "tensors"_a, nb::kw_only(), "precision"_a = "float32",
            nb::sig("def __init__(self, tensors: collections.abc.Mapping[str, "
                    "tuple[collections.abc.Sequence[int], bytes]], *, precision: str = "
                    "'float32') -> None"),
            R"(Take the shape and the 32-bit floats of each tensor, by name.

Args:
    tensors: The tensors.
    precision: The numbers of products. With bfloat16, weights and inputs are rounded to 8 bits if
        the machine can multiply such numbers, which is faster; otherwise this is like float32.)");

    nb::class_<PackedMatrix>(module, "LinearMap", "A linear map: NAME.weight and NAME.bias.")
        .def(
            "__init__",
            [](PackedMatrix* self, const Tensors& tensors, const std::string& name) {
                new (self) PackedMatrix(tensors.linear(name, 0));
            },
            "tensors"_a, "name"_a)
        .def("multiply", &multiply, "rows"_a, "out"_a.noconvert(),
             nb::sig("def multiply(self, rows: typing_extensions.Buffer, out: "
                     "typing_extensions.Buffer) -> None"),
             "Write the result for each row of 32-bit floats.")
        .def_prop_ro("inputs", &PackedMatrix::inputs)
        .def_prop_ro("outputs", &PackedMatrix::outputs);

    nb::class_<EncodedTokens>(module, "EncodedTokens",
                              "The vectors of the tokens of some sentences, at all levels.")
        .def(
            "level",
            [](const EncodedTokens& self, Number i) { return to_bytes(self.level(i).values()); },
            "i"_a, "The vectors of a level, as 32-bit floats; -1 is the last level.")
        .def("score_task", &score_task, "name"_a,
             "The scores of all classes of a task for each token, as 32-bit floats.")
        .def("best_classes", &best_classes, "name"_a,
             "The number of the best class of a task for each token, as 32-bit numbers.");

    nb::class_<Encoder>(module, "NeuralEncoder",
                        "A token encoder: characters, words, tags, features, bi-LSTM layers.")
        .def(nb::new_([](const Tensors& tensors, const std::string& prefix,
                         const std::vector<std::string>& residuals, const TaskLevels& tasks) {
                 return std::make_shared<Encoder>(
                     tensors, EncoderDescription{prefix, to_residuals(residuals), to_tasks(tasks)});
             }),
             "tensors"_a, nb::kw_only(), "prefix"_a = "", "residuals"_a, "tasks"_a = TaskLevels(),
             R"(Take the tensors of an encoder. Raises a ValueError if they do not fit.

Args:
    tensors: The tensors of the whole network.
    prefix: The beginning of the names of the encoder's tensors.
    residuals: For each bi-LSTM layer, how its input is joined with its output: none, add or gated.
    tasks: The name and level of each task that has a linear map. Level 0 is the first layer.)")
        .def("encode", &encode, "lengths"_a, nb::kw_only(), "words"_a = nb::none(),
             "tags"_a = nb::none(), "forms"_a = nb::none(), "characters"_a = nb::none(),
             "form_lengths"_a = nb::none(), "features"_a = nb::none(),
             nb::sig("def encode(self, lengths: typing_extensions.Buffer, *, words: "
                     "typing_extensions.Buffer | None = None, tags: typing_extensions.Buffer | "
                     "None = None, forms: typing_extensions.Buffer | None = None, characters: "
                     "typing_extensions.Buffer | None = None, form_lengths: "
                     "typing_extensions.Buffer | None = None, features: typing_extensions.Buffer "
                     "| None = None) -> EncodedTokens"),
             R"(Encode sentences. All numbers are 32-bit numbers.

Args:
    lengths: The number of tokens of each sentence.
    words: The number of each token's word; 0 is for unknown words.
    tags: The number of each token's tag; 0 is for unknown tags.
    forms: For each token, the number of its form among the different forms of these sentences.
    characters: The characters of all different forms, with marks of their start and stop.
    form_lengths: The number of characters of each form.
    features: For each token, the numbers that are given beforehand, as 32-bit floats.)")
        .def_prop_ro("outputs", &Encoder::outputs, "The size of the vectors of the last level.")
        .def_prop_ro("feature_count", &Encoder::feature_count);

    nb::class_<PreparedSpans>(module, "PreparedSpans",
                              "Sentences for which a scorer is ready to score rows.")
        .def("score", &score, "rows"_a,
             nb::sig("def score(self, rows: typing_extensions.Buffer) -> bytes"),
             R"(Score rows of items x places token indices, counted over all sentences.

The index is -1 for a place that an item does not have. Returns 32-bit floats.)");

    nb::class_<SpanScorer>(module, "SpanScorer",
                           "A feed-forward network over constituents that are named by tokens.")
        .def(nb::new_([](const Tensors& tensors, const std::string& prefix, std::size_t items,
                         std::size_t places, std::size_t size) {
                 return std::make_shared<SpanScorer>(
                     tensors, SpanScorerDescription{prefix, items, places, {}}, size);
             }),
             "tensors"_a, nb::kw_only(), "prefix"_a = "", "items"_a, "places"_a, "size"_a,
             R"(Take the tensors of a scorer. Raises a ValueError if they do not fit.

Args:
    tensors: The tensors of the whole network.
    prefix: The beginning of the names of the scorer's tensors.
    items: The number of constituents in a row.
    places: The number of tokens that name a constituent.
    size: The size of the vectors of tokens.)")
        .def("prepare", &prepare, "tokens"_a, nb::kw_only(), "level"_a = -1,
             "Compute what each token gives to the first layer.")
        .def_prop_ro("outputs", &SpanScorer::outputs, "The number of scores of a row.");
}

}  // namespace crossbranch::bindings
