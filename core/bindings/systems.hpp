// A transition system for Python.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "transitions/choices.hpp"
#include "transitions/span_oracle.hpp"
#include "transitions/stepper.hpp"
#include "transitions/system.hpp"

namespace crossbranch::bindings {

struct SystemHolder {
    std::string name;
    std::shared_ptr<const System> value;
};

using SharedSystem = std::shared_ptr<SystemHolder>;

// A configuration that keeps its system for Python.
struct HeldConfiguration : Stepper {
    HeldConfiguration(SharedSystem system, std::int32_t token_count)
        : Stepper(system->value, token_count), holder(std::move(system)) {}
    HeldConfiguration(SharedSystem system, const Stepper& stepper)
        : Stepper(stepper), holder(std::move(system)) {}

    SharedSystem holder;
};

// An oracle that keeps its system for Python.
struct HeldOracle : SpanOracle {
    HeldOracle(SharedSystem system, GoldSpans gold, Preference preference)
        : SpanOracle(system->value, std::move(gold), preference), holder(std::move(system)) {}

    // Throws std::invalid_argument if a configuration is one of another system.
    void check(const HeldConfiguration& configuration) const {
        if (configuration.holder->value != holder->value)
            throw std::invalid_argument("the configuration is one of another system");
    }

    SharedSystem holder;
};

// A writer of choices that keeps its system for Python.
struct HeldWriter {
    HeldWriter(SharedSystem system, std::size_t gaps)
        : value(std::make_shared<ChoiceWriter>(system->value, gaps)), holder(std::move(system)) {}

    std::shared_ptr<const ChoiceWriter> value;
    SharedSystem holder;
};

[[nodiscard]] Transition to_transition(int move, std::int32_t argument);

}  // namespace crossbranch::bindings
