// A transition system: its transitions, when they are legal, and what each of them does.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "transitions/configuration.hpp"
#include "transitions/forest.hpp"
#include "transitions/labels.hpp"
#include "transitions/transition.hpp"

namespace crossbranch {

using Legal = std::vector<TransitionRange>;

struct SystemOptions {
    std::int32_t unary_limit = 3;     // SWAP: unary reductions in a row, without that to the root
    bool repeats_unaries = false;     // SWAP: whether X may have X as its only child
    bool swaps_nonterminals = false;  // SWAP: whether more than single tokens can be swapped
    bool is_continuous = false;       // GAP, SWAP: whether the system has neither of them
};

class System {
  public:
    virtual ~System() = default;

    // Replaces `legal` by the transitions that are legal, in ascending order.
    virtual void find_legal(const Forest& forest, const Configuration& from,
                            Legal& legal) const = 0;

    // The configuration after a transition, which must be legal.
    [[nodiscard]] virtual Configuration apply(Forest& forest, const Configuration& from,
                                              TransitionId transition) const = 0;

    [[nodiscard]] virtual bool is_final(const Forest& forest, const Configuration& at) const = 0;

    // Whether the only item is a root with all tokens. Nothing but FINISH can be missing then.
    [[nodiscard]] virtual bool is_whole(const Forest& forest, const Configuration& at) const {
        return is_final(forest, at);
    }

    // Queue item i from the front; no_vertex if there is none.
    [[nodiscard]] virtual Vertex queue_item(const Forest& forest, const Configuration& at,
                                            std::int32_t i) const = 0;

    // All transitions but those of the open move, if there is one.
    [[nodiscard]] const std::vector<Transition>& transitions() const { return transitions_; }
    [[nodiscard]] Transition transition(TransitionId id) const {
        const TransitionId listed = first_open();
        return id < listed ? transitions_[static_cast<std::size_t>(id)]
                           : Transition{*open_move_, id - listed};
    }

    // A move whose argument has no limit: a position or an amount. The number of the transition
    // with argument i is first_open() + i, after all others.
    [[nodiscard]] std::optional<Move> open_move() const { return open_move_; }
    [[nodiscard]] TransitionId first_open() const {
        return static_cast<TransitionId>(transitions_.size());
    }
    // How many numbers the transitions have in a configuration with this many items on the stack.
    [[nodiscard]] std::size_t id_count(std::int32_t stack_size) const {
        return transitions_.size() + (open_move_ ? static_cast<std::size_t>(stack_size) : 0);
    }
    [[nodiscard]] TransitionId find(Transition wanted) const;  // -1 if there is none
    [[nodiscard]] const Labels& labels() const { return labels_; }
    [[nodiscard]] TransitionId idle() const { return idle_; }

  protected:
    System(Labels labels, std::vector<Transition> transitions);

    // After this, the inventory must not change.
    void settle();
    void require(Transition transition) { transitions_.push_back(transition); }
    // Adds the first label of a kind, unless the move has one of that kind.
    void require_some(Move move, LabelKind kind);
    // Adds amounts from `first` to the largest one seen, or to `least` if that is larger.
    void require_amounts(Move move, std::int32_t first, std::int32_t least);
    // Drops transitions that were given, of this move and of at least this amount.
    void drop(Move move, std::int32_t least);
    // Adds the reductions without which systems of binary trees would get stuck.
    void require_reductions();
    // Before settle(). Transitions of this move that were given are dropped: there are all of them.
    void open(Move move);

    [[nodiscard]] TransitionRange range(Move move) const;
    [[nodiscard]] TransitionRange range(Move move, LabelKind kind) const;
    [[nodiscard]] TransitionRange range(Transition transition) const;

    // Whether an item has the label of a root.
    [[nodiscard]] bool is_root(const Forest& forest, Vertex item) const {
        const Label label = forest.node(item).label;
        return label != no_label && labels().kind(label) == LabelKind::root;
    }

    // A reduction of one or two items to a label.
    [[nodiscard]] Vertex reduce(Forest& forest, const Transition& transition, Vertex left,
                                Vertex right) const;

  private:
    Labels labels_;
    std::vector<Transition> transitions_;  // sorted by move, kind of label, label
    std::array<std::array<TransitionRange, label_kind_count>, move_count> ranges_{};
    TransitionId idle_ = -1;
    std::optional<Move> open_move_;
};

// Adds a range unless it is empty.
inline void allow(Legal& legal, TransitionRange range) {
    if (range.begin < range.end)
        legal.push_back(range);
}

// Makes "gap", "cgap", "swap", "cswap", "ml-gap", "ml-gap-lex", "ml-cgap" or "stack-free". Throws
// std::invalid_argument for other names, and for impossible labels or transitions.
[[nodiscard]] std::shared_ptr<const System> make_system(std::string_view name, Labels labels,
                                                        std::vector<Transition> transitions,
                                                        const SystemOptions& options);

}  // namespace crossbranch
