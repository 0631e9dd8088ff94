// Vectors of word forms that were computed before, for many threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace crossbranch::neural {

// Keeps the vectors of up to 2 x `capacity` forms. When the young half is full, it becomes the old
// half, and the forms of the old half that were not asked for since are forgotten.
class FormCache {
  public:
    FormCache(std::size_t width, std::size_t capacity) : width_(width), capacity_(capacity) {}

    // Copies the vector of a form to `out`. False if the form is not known.
    [[nodiscard]] bool find(std::string_view form, float* out) {
        const std::lock_guard lock(guard_);
        if (const auto found = young_.find(form); found != young_.end()) {
            std::copy_n(found->second.data(), width_, out);
            return true;
        }
        const auto found = old_.find(form);
        if (found == old_.end())
            return false;
        std::copy_n(found->second.data(), width_, out);
        make_room();
        // If the old half was just replaced, the form is gone from it.
        if (const auto again = old_.find(form); again != old_.end())
            young_.insert(old_.extract(again));
        return true;
    }

    void add(std::string_view form, const float* vector) {
        const std::lock_guard lock(guard_);
        if (young_.find(form) != young_.end())
            return;  // another thread was faster
        make_room();
        young_.emplace(std::string(form), std::vector<float>(vector, vector + width_));
    }

    [[nodiscard]] std::size_t size() {
        const std::lock_guard lock(guard_);
        return young_.size() + old_.size();
    }

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view form) const {
            return std::hash<std::string_view>()(form);
        }
    };
    using Forms = std::unordered_map<std::string, std::vector<float>, Hash, std::equal_to<>>;

    void make_room() {
        if (young_.size() < capacity_)
            return;
        old_ = std::move(young_);
        young_ = Forms();
    }

    std::size_t width_, capacity_;
    std::mutex guard_;
    Forms young_, old_;
};

}  // namespace crossbranch::neural
