// Runs a harness without libFuzzer: all files of a corpus, and changes of them, the same every
// time.
//
// Usage: fuzz_NAME [-runs=N] [-seed=N] FILE_OR_FOLDER...
// If an input crashes, it is in the file `crash` of the working folder.
#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "bytes.hpp"

namespace {

using Input = std::vector<std::uint8_t>;
constexpr std::size_t longest = 4096;

Input read(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void add(const std::filesystem::path& path, std::vector<Input>& corpus) {
    if (!std::filesystem::is_directory(path)) {
        corpus.push_back(read(path));
        return;
    }
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path))
        if (entry.is_regular_file())
            files.push_back(entry.path());
    std::ranges::sort(files);
    for (const auto& file : files)
        corpus.push_back(read(file));
}

class Mutator {
  public:
    explicit Mutator(std::uint64_t seed) : random_(seed) {}

    Input next(const std::vector<Input>& corpus) {
        Input input = corpus[below(corpus.size())];
        for (std::size_t count = 1 + below(5); count > 0; --count)
            change(input, corpus[below(corpus.size())]);
        input.resize(std::min(input.size(), longest));
        return input;
    }

  private:
    std::size_t below(std::size_t count) { return random_() % count; }
    std::uint8_t any_byte() { return static_cast<std::uint8_t>(random_()); }
    static auto at(Input& input, std::size_t place) {
        return input.begin() + static_cast<std::ptrdiff_t>(place);
    }

    void change(Input& input, const Input& other) {
        static constexpr std::uint8_t interesting[] = {0,    1,    0x7f, 0x80, 0xff,
                                                       '\t', '\n', ' ',  '('};
        const std::size_t start = below(input.size() + 1);
        const std::size_t stop = std::min(input.size(), start + 1 + below(20));
        switch (below(7)) {
            case 0:
                if (start < input.size())
                    input[start] ^= static_cast<std::uint8_t>(1U << below(8));
                break;
            case 1:
                if (start < input.size())
                    input[start] = any_byte();
                break;
            case 2:
                input.insert(at(input, start), interesting[below(std::size(interesting))]);
                break;
            case 3:
                input.erase(at(input, start), at(input, stop));
                break;
            case 4: {
                const Input block(at(input, start), at(input, stop));
                const std::size_t place = below(input.size() + 1);
                input.insert(at(input, place), block.begin(), block.end());
                break;
            }
            case 5:
                if (start < input.size())
                    input[start] = interesting[below(std::size(interesting))];
                break;
            default:  // the beginning of one input and the end of another
                if (!other.empty()) {
                    const std::size_t place = below(other.size());
                    input.resize(start);
                    input.insert(input.end(), other.begin() + static_cast<std::ptrdiff_t>(place),
                                 other.end());
                }
        }
    }

    std::mt19937_64 random_;
};

std::uint64_t number_of(std::string_view text) {
    std::uint64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

const Input* present = nullptr;

void keep() {
    std::ofstream("crash", std::ios::binary)
        .write(reinterpret_cast<const char*>(present->data()),
               static_cast<std::streamsize>(present->size()));
}

void run(const Input& input) {
    present = &input;
    LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

// Sanitizers have it; without them, only what is aborted is kept.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*callback)());

int main(int count, char** arguments) {
    if (__sanitizer_set_death_callback != nullptr)
        __sanitizer_set_death_callback(keep);
    std::signal(SIGABRT, [](int) { keep(); });
    std::uint64_t runs = 0;
    std::uint64_t seed = 1;
    std::vector<Input> corpus;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument.starts_with("-runs="))
            runs = number_of(argument.substr(6));
        else if (argument.starts_with("-seed="))
            seed = number_of(argument.substr(6));
        else
            add(argument, corpus);
    }
    if (corpus.empty())
        corpus.emplace_back();
    for (const Input& input : corpus)
        run(input);
    Mutator mutator(seed);
    for (std::uint64_t i = 0; i < runs; ++i)
        run(mutator.next(corpus));
    std::cout << corpus.size() << " files and " << runs << " changed inputs\n";
}
