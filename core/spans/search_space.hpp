// The search spaces of span charts (Corro 2020): which discontinuous trees they contain.
#pragma once

namespace crossbranch::spans {

// What a rule of figure 3 costs decides in which spaces it is.
enum class Rules {
    continuous,  // (a): no discontinuous constituents
    cubic,       // (a), (b), (c), as (a), (n), (o) of figure 4
    quartic,     // (a), (b), (c)
    quintic,     // also (e), (f), (g), (h); ill-nested: (i)
    sextic,      // also (d); ill-nested: (j), (k), (l)
};

struct SearchSpace {
    Rules rules = Rules::cubic;
    bool ill_nested = false;  // has an effect from quintic on

    [[nodiscard]] bool has_gaps() const { return rules >= Rules::quartic; }
    // Discontinuous constituents that have discontinuous children. Only then is a discontinuous
    // item without a label of use: it is part of a larger constituent.
    [[nodiscard]] bool nests_gaps() const { return rules >= Rules::quintic; }
    [[nodiscard]] bool joins_two_gaps() const { return rules >= Rules::sextic; }
};

}  // namespace crossbranch::spans
