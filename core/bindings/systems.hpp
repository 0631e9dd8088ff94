// A transition system for Python.
#pragma once

#include <memory>
#include <string>

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

[[nodiscard]] Transition to_transition(int move, std::int32_t argument);

}  // namespace crossbranch::bindings
