// Loading memory into the cache before it is needed.
#pragma once

namespace crossbranch {

inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__) || defined(__clang__)
    __builtin_prefetch(address);
#endif
}

}  // namespace crossbranch
