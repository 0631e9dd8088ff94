// Tensors of any names and shapes, and the token encoder that is made of them.
#include <cmath>
#include <stdexcept>

#include "bytes.hpp"
#include "neural/encoder.hpp"

using namespace crossbranch::neural;
using crossbranch::fuzz::Bytes;

namespace {

constexpr const char* names[] = {
    "characters.embedding.weight",
    "characters.lstm.weight_ih_l0",
    "characters.lstm.weight_hh_l0",
    "characters.lstm.bias_ih_l0",
    "characters.lstm.bias_hh_l0",
    "characters.lstm.weight_ih_l0_reverse",
    "characters.lstm.weight_hh_l0_reverse",
    "characters.lstm.bias_ih_l0_reverse",
    "characters.lstm.bias_hh_l0_reverse",
    "characters.convolution.weight",
    "characters.convolution.bias",
    "words.weight",
    "tags.weight",
    "features.first.weight",
    "features.first.bias",
    "features.second.weight",
    "projection.weight",
    "projection.bias",
    "levels.0.lstm.weight_ih_l0",
    "levels.0.lstm.weight_hh_l0",
    "levels.0.lstm.bias_ih_l0",
    "levels.0.lstm.bias_hh_l0",
    "levels.0.lstm.weight_ih_l0_reverse",
    "levels.0.lstm.weight_hh_l0_reverse",
    "levels.0.lstm.bias_ih_l0_reverse",
    "levels.0.lstm.bias_hh_l0_reverse",
    "levels.0.gate.weight",
    "levels.0.gate.bias",
    "tasks.a.weight",
    "tasks.a.bias",
};

std::size_t a_size(Bytes& bytes) {
    const std::uint8_t size = bytes.byte();
    return size == 255 ? std::size_t{1} << bytes.below(64) : size % 33U;
}

// Usually as many numbers as the shape says, if these are few.
Tensor a_tensor(Bytes& bytes) {
    Tensor tensor;
    std::size_t count = 1;
    const std::uint8_t how = bytes.byte();
    for (std::size_t dimensions = how % 4U; dimensions > 0; --dimensions) {
        tensor.shape.push_back(a_size(bytes));
        count *= tensor.shape.back();
    }
    tensor.values.resize(std::min(count, std::size_t{5000}));
    if (how >= 250)
        tensor.values.resize(bytes.byte());
    for (float& value : tensor.values)
        value = how == 249 ? std::nanf("") : static_cast<float>(bytes.byte() - 128) / 64.0F;
    return tensor;
}

void encode(Bytes& bytes) {
    const std::uint8_t kind = bytes.byte();
    Tensors tensors;
    for (std::size_t count = 1 + bytes.below(40); count > 0; --count)
        tensors.add(names[bytes.below(std::size(names))], a_tensor(bytes));
    EncoderDescription description;
    description.residuals = {static_cast<Residual>(kind % 3U)};
    if (kind % 5U == 0)
        description.tasks = {{"a", kind % 7U == 0 ? std::size_t{1} : 0}};
    const Encoder encoder(tensors, description);
    const std::vector<std::uint32_t> sentences = {0, 2, 3};
    std::vector<std::uint32_t> words, tags, forms, characters;
    for (auto* numbers : {&words, &tags, &forms})
        for (int i = 0; i < 3; ++i)
            numbers->push_back(bytes.byte() % 8U);
    for (int i = 0; i < 9; ++i)
        characters.push_back(bytes.byte() % 8U);
    const std::vector<std::uint32_t> starts = {0, 2, 3, 4, 6, 7, 8, 8, 9};
    const std::vector<float> features(3 * encoder.feature_count(), 0.5F);
    const TokenBatch batch{sentences, words, tags, {forms, characters, starts}, features};
    encoder.check(batch);
    EncoderMemory memory;
    encoder.encode(batch, memory);
    for (std::size_t task = 0; task < encoder.tasks().size(); ++task)
        for (const std::uint32_t found : encoder.best_classes(task, memory))
            REQUIRE(found < encoder.class_count(task));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Bytes bytes(data, size);
    try {
        encode(bytes);
    } catch (const std::invalid_argument&) {  // refused
    }
    return 0;
}
