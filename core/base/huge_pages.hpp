// Memory for large tables that are read at random positions.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace crossbranch {

// Asks for huge pages, because looking up many small pages takes longer than reading them.
template <typename Value>
struct HugePages {
    using value_type = Value;

    HugePages() = default;
    template <typename Other>
    explicit HugePages(const HugePages<Other>&) {}

    [[nodiscard]] Value* allocate(std::size_t count) {
#if defined(__linux__)
        if (const std::size_t size = count * sizeof(Value); size >= page) {
            const std::size_t whole = (size + page - 1) / page * page;
            void* memory = std::aligned_alloc(page, whole);
            if (memory == nullptr)
                throw std::bad_alloc();
            madvise(memory, whole, MADV_HUGEPAGE);  // if it fails, everything still works
            return static_cast<Value*>(memory);
        }
#endif
        void* memory = std::malloc(count * sizeof(Value));
        if (memory == nullptr)
            throw std::bad_alloc();
        return static_cast<Value*>(memory);
    }

    void deallocate(Value* memory, std::size_t) { std::free(memory); }

    template <typename Other>
    bool operator==(const HugePages<Other>&) const {
        return true;
    }

  private:
    static constexpr std::size_t page = std::size_t{2} << 20U;
};

template <typename Value>
using Table = std::vector<Value, HugePages<Value>>;

}  // namespace crossbranch
