// Bytes of a fuzzer, taken apart from the front: numbers and texts of any kind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

namespace crossbranch::fuzz {

class Bytes {
  public:
    Bytes(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}

    [[nodiscard]] bool is_empty() const { return size_ == 0; }

    // 0 after the end.
    std::uint8_t byte() {
        if (size_ == 0)
            return 0;
        --size_;
        return *data_++;
    }
    // A number below `count`, which is at most 256.
    std::size_t below(std::size_t count) { return byte() % count; }
    std::uint32_t word() {
        std::uint32_t number = 0;
        for (int i = 0; i < 4; ++i)
            number = number << 8U | byte();
        return number;
    }
    // The text up to a byte, which is taken, too.
    std::string_view until(char end) {
        const std::string_view all = rest();
        const std::size_t stop = all.find(end);
        const std::size_t taken = stop == std::string_view::npos ? all.size() : stop;
        const std::size_t gone = taken == all.size() ? taken : taken + 1;
        data_ += gone;
        size_ -= gone;
        return all.substr(0, taken);
    }
    [[nodiscard]] std::string_view rest() const {
        return {reinterpret_cast<const char*>(data_), size_};
    }

  private:
    const std::uint8_t* data_;
    std::size_t size_;
};

// What must hold for everything that was read. Unlike assert, it is checked in every build.
inline void require(bool holds, const char* what) {
    if (holds)
        return;
    std::fprintf(stderr, "this does not hold: %s\n", what);
    std::abort();
}

}  // namespace crossbranch::fuzz

#define REQUIRE(...) crossbranch::fuzz::require(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__)

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
