#include "check.hpp"

int main() {
    for (const check::Test& test : check::tests()) {
        const int before = check::failures;
        try {
            test.run();
        } catch (const std::exception& error) {
            ++check::failures;
            std::cerr << "thrown: " << error.what() << "\n";
        }
        std::cout << (check::failures == before ? "passed " : "FAILED ") << test.name << "\n";
    }
    return check::failures == 0 && !check::tests().empty() ? 0 : 1;
}
