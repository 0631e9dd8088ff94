#include <atomic>
#include <cstdlib>
#include <new>

#include "check.hpp"
#include "linear/beam_parser.hpp"
#include "scores.hpp"

using namespace crossbranch;
using namespace walks;

namespace {

// Memory in use through `new`, and the most there was.
std::atomic<std::size_t> in_use = 0;
std::atomic<std::size_t> most = 0;
constexpr std::size_t header = alignof(std::max_align_t);

void* allocate(std::size_t size) {
    auto* memory = static_cast<char*>(std::malloc(size + header));
    if (memory == nullptr)
        throw std::bad_alloc();
    *reinterpret_cast<std::size_t*>(memory) = size;
    in_use += size;
    most = std::max<std::size_t>(most, in_use);
    return memory + header;
}

void release(void* memory) {
    if (memory == nullptr)
        return;
    char* start = static_cast<char*>(memory) - header;
    in_use -= *reinterpret_cast<std::size_t*>(start);
    std::free(start);
}

constexpr std::size_t megabyte = std::size_t{1} << 20U;

// Many labels, so that scores are by far the largest part of a search.
std::shared_ptr<const System> large_system(std::string_view name) {
    Labels labels;
    std::vector<Transition> transitions;
    for (Label label = 0; label < 100; ++label) {
        labels.kinds.push_back(label == 99 ? LabelKind::root : LabelKind::plain);
        labels.bases.push_back(label);
        for (const Move move : {Move::left, Move::right})
            transitions.push_back({move, label});
    }
    return make_system(name, labels, transitions, {});
}

}  // namespace

void* operator new(std::size_t size) {
    return allocate(size);
}
void operator delete(void* memory) noexcept {
    release(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    release(memory);
}

TEST(memory_stays_bounded_in_long_sentences) {
    std::mt19937_64 random(1);
    const auto system = large_system("cgap");
    const auto templates = some_templates("cgap");
    LearnedWeights learned;
    learn_at_random(learned, *system, *templates, {random_rows(random, 10, 3)}, random, 2);
    const Weights weights = learned.average(2, 0, system->transitions().size());
    Beam<Weights> beam(*system, *templates, weights);
    const std::size_t before = in_use;
    most = before;
    constexpr std::size_t count = 2'000;
    beam.reset(random_rows(random, count, 3), 4);
    std::size_t steps = 0;
    for (; !beam.is_done(); ++steps)
        beam.advance();
    CHECK(steps == 4 * count - 2);
    // All scores would take more than 100 MB; 1 MB is kept, which a vector may double.
    CHECK(most - before < 24 * megabyte);
    const TreeCodes codes = encode(beam.forest(), beam.item(beam.first()).at.focus);
    CHECK(std::ranges::count_if(codes, [](std::int32_t code) { return code < 0; }) == count - 1);
}

TEST(a_short_sentence_after_a_long_one) {
    std::mt19937_64 random(2);
    const auto system = small_system("gap");
    const auto templates = some_templates("gap");
    const auto rows = random_rows(random, 6, 3);
    LearnedWeights weights;
    learn_at_random(weights, *system, *templates, {rows}, random);
    const auto parse = [&](Beam<LearnedWeights>& beam) {
        beam.reset(rows, 3);
        while (!beam.is_done())
            beam.advance();
        return encode(beam.forest(), beam.item(beam.first()).at.focus);
    };
    Beam<LearnedWeights> fresh(*system, *templates, weights);
    Beam<LearnedWeights> used(*system, *templates, weights);
    used.reset(random_rows(random, 1'000, 3), 2);
    while (!used.is_done())
        used.advance();
    CHECK(parse(used) == parse(fresh));
}
