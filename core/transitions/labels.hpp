// Labels by number, and the kind of each.
#pragma once

#include <cstdint>
#include <vector>

namespace crossbranch {

using Label = std::int32_t;

inline constexpr Label no_label = -1;
inline constexpr Label candidate_label = -2;  // of items that are joined, but not yet a constituent

enum class LabelKind : std::uint8_t {
    plain,
    temporary,  // made by binarization
    root        // of a whole tree: the axiom in the papers
};
inline constexpr std::size_t label_kind_count = 3;

struct Labels {
    std::vector<LabelKind> kinds;
    // The label behind a temporary label. Of a root, the plain label with the same name, if there
    // is one. Other labels: themselves.
    std::vector<Label> bases;

    [[nodiscard]] LabelKind kind(Label label) const {
        return kinds[static_cast<std::size_t>(label)];
    }
    [[nodiscard]] Label base(Label label) const { return bases[static_cast<std::size_t>(label)]; }
    [[nodiscard]] bool is_temporary(Label label) const {
        return kind(label) == LabelKind::temporary;
    }
    [[nodiscard]] Label count() const { return static_cast<Label>(kinds.size()); }
};

}  // namespace crossbranch
