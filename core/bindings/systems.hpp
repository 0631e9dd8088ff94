// A transition system as Python holds it.
#pragma once

#include <memory>
#include <string>

#include "transitions/system.hpp"

namespace crossbranch::bindings {

struct SystemHolder {
    std::string name;
    std::shared_ptr<const System> value;
};

using SharedSystem = std::shared_ptr<SystemHolder>;

[[nodiscard]] Transition to_transition(int move, std::int32_t argument);

}  // namespace crossbranch::bindings
