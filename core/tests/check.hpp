// The few checks that the core's unit tests need; a failed one is reported and the test goes on.
#pragma once

#include <exception>
#include <iostream>
#include <string_view>
#include <vector>

namespace check {

struct Test {
    const char* name;
    void (*run)();
};

inline std::vector<Test>& tests() {
    static std::vector<Test> all;
    return all;
}

struct Register {
    Register(const char* name, void (*run)()) { tests().push_back({name, run}); }
};

inline int failures = 0;

inline void that(bool holds, const char* text, const char* file, int line) {
    if (holds)
        return;
    ++failures;
    std::cerr << file << ":" << line << ": failed: " << text << "\n";
}

// Whether the call throws an Error whose message contains the text.
template <typename Error, typename Call>
bool throws(Call call, std::string_view text) {
    try {
        call();
    } catch (const Error& error) {
        if (std::string_view(error.what()).find(text) != std::string_view::npos)
            return true;
        std::cerr << "thrown: " << error.what() << "\n";
    }
    return false;
}

}  // namespace check

#define TEST(name)                                               \
    static void name();                                          \
    static const check::Register name##_registered(#name, name); \
    static void name()

#define CHECK(...) check::that(static_cast<bool>(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)
