#include "grammar/parser.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "grammar/deduction.hpp"
#include "grammar/k_best.hpp"
#include "grammar/recorder.hpp"

namespace crossbranch::grammar {
namespace {

constexpr double widening = 3;
constexpr double first_slack = 1;
constexpr double much_greed = 1.25;

// Writes a derivation in preorder, without recursion.
std::vector<std::int64_t> steps_of(KBest* lists, std::span<const Item> items, ItemNumber root,
                                   std::size_t rank) {
    std::vector<std::int64_t> steps;
    std::vector<std::pair<ItemNumber, std::size_t>> stack{{root, rank}};
    while (!stack.empty()) {
        const auto [item, place] = stack.back();
        stack.pop_back();
        const KBest::Derivation found = lists && lists->has(item, place)
                                            ? lists->derivation(item, place)
                                            : KBest::Derivation{0, items[item].way, 0, 0};
        if (found.way.rule == no_rule) {
            steps.push_back(~static_cast<std::int64_t>(found.way.first));
            continue;
        }
        steps.push_back(found.way.rule);
        if (found.way.second != no_item)
            stack.emplace_back(found.way.second, found.second_rank);
        stack.emplace_back(found.way.first, found.first_rank);
    }
    return steps;
}

// Runs one search, and collects its derivations.
template <typename Ends>
class Run {
  public:
    Run(const Task& task, const ParseOptions& options)
        : task_(task), k_best_(options.k_best), search_(task) {
        if (!options.taken)
            return;
        recorder_.emplace(search_, task.grammar, *options.taken);
        search_.on_taken = [this](ItemNumber number) { recorder_->take(number); };
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    Parsed parse() {
        Parsed found;
        found.ending = search_.advance(-infinite);
        if (recorder_)
            recorder_->finish();
        if (k_best_ > 1 && found.ending == Ending::found)
            found = list();
        else if (search_.goal() != no_item)  // it may be on the agenda when a limit is reached
            found.derivations.push_back({search_.items()[search_.goal()].cost,
                                         steps_of(nullptr, search_.items(), search_.goal(), 0)});
        found.items = search_.items().size();
        found.taken = static_cast<std::size_t>(
            std::ranges::count_if(search_.items(), [](const Item& one) { return one.is_done; }));
        return found;
    }

  private:
    // A derivation that is not in the chart has an item on the agenda, and costs at least what the
    // priority of this item says. So a list is right if its last derivation costs no more.
    Parsed list() {
        const double best = search_.items()[search_.goal()].cost;
        for (double slack = first_slack;; slack *= 2) {
            Parsed found;
            found.ending = search_.advance(best + slack);
            KBest lists(task_.grammar, task_.axioms, search_.items(), search_.edges());
            std::size_t count = 0;
            while (count < k_best_ && lists.has(search_.goal(), count))
                ++count;
            const double limit = task_.estimates ? task_.estimates->limit() : infinite;
            const double bound = std::min(search_.next_priority(), limit);
            const bool is_right =
                bound == infinite ||
                (count == k_best_ && lists.cost(search_.goal(), count - 1) <= bound);
            const bool is_over = bound == limit;
            if (!is_right && !is_over && found.ending == Ending::found)
                continue;
            for (std::size_t rank = 0; rank < count; ++rank)
                found.derivations.push_back(
                    {lists.cost(search_.goal(), rank),
                     steps_of(&lists, search_.items(), search_.goal(), rank)});
            if (!is_right && found.ending == Ending::found)
                found.ending = Ending::exhausted;
            return found;
        }
    }

    const Task& task_;
    std::size_t k_best_;
    Deduction<Ends> search_;
    std::optional<Recorder<Ends>> recorder_;
};

Parsed search(const Task& task, const ParseOptions& options) {
    const std::size_t ends = 2 * task.grammar.largest_fan_out;
    if (ends <= ShortEnds::size && task.token_count <= 0xff)
        return Run<ShortEnds>(task, options).parse();
    if (ends <= LongEnds::size && task.token_count <= 0xffff)
        return Run<LongEnds>(task, options).parse();
    return Run<AnyEnds>(task, options).parse();
}

void check(const Grammar& grammar, std::span<const Axiom> axioms, std::size_t token_count) {
    for (const Axiom& axiom : axioms)
        if (axiom.symbol >= grammar.fan_outs.size() || grammar.fan_outs[axiom.symbol] != 1 ||
            axiom.token >= token_count || !(axiom.cost >= 0) || axiom.cost == infinite)
            throw std::invalid_argument("not a symbol with fan-out 1 and a cost for a token");
}

// Each derivation has one axiom for each token. So what the cheapest ones cost is the same for all,
// and the search need not know it: it would only make lower bounds worse.
std::vector<double> least_costs(std::span<const Axiom> axioms, std::size_t token_count) {
    std::vector<double> least(token_count, infinite);
    for (const Axiom& axiom : axioms)
        least[axiom.token] = std::min(least[axiom.token], axiom.cost);
    return least;
}

}  // namespace

Parser::Parser(Grammar grammar)
    : grammar_(std::move(grammar)), index_(grammar_), blocks_(grammar_) {}

Parsed Parser::parse(std::span<const Axiom> axioms, std::size_t token_count,
                     const ParseOptions& options) const {
    if (options.k_best == 0)
        throw std::invalid_argument("the number of derivations must be at least 1");
    check(grammar_, axioms, token_count);
    if (token_count == 0)
        return {};
    const std::vector<double> least = least_costs(axioms, token_count);
    std::vector<Axiom> relative(axioms.begin(), axioms.end());
    for (Axiom& axiom : relative)
        axiom.cost -= least[axiom.token];
    Parsed found = parse_relative(relative, token_count, options);
    for (Derivation& derivation : found.derivations)
        derivation.cost += std::accumulate(least.begin(), least.end(), 0.0);
    if (options.taken)
        add_costs(*options.taken, least);
    return found;
}

std::vector<SymbolBlock> Parser::blocks(std::span<const Axiom> axioms, std::size_t token_count,
                                        double margin) const {
    check(grammar_, axioms, token_count);
    std::vector<SymbolBlock> found;
    if (token_count == 0)
        return found;
    BlockChart chart(blocks_, axioms, token_count);
    chart.look_outside(margin);
    for (Symbol symbol = 0; symbol < grammar_.fan_outs.size(); ++symbol)
        for (std::size_t block = 0; block < grammar_.fan_outs[symbol]; ++block)
            for (std::size_t start = 0; start < token_count; ++start)
                for (std::size_t stop = start + 1; stop <= token_count; ++stop)
                    if (chart.outside(blocks_.of(symbol, block), start, stop) < infinite)
                        found.push_back({symbol, block, start, stop});
    return found;
}

Parsed Parser::parse_relative(std::span<const Axiom> axioms, std::size_t token_count,
                              const ParseOptions& options) const {
    Task task{grammar_, index_, axioms, token_count};
    task.keeps_edges = options.k_best > 1;
    task.limits = options.limits;
    if (options.estimates == Estimates::none)
        return search(task, options);
    if (options.estimates == Estimates::lengths) {
        const LengthEstimates lengths(grammar_, axioms, token_count);
        task.lengths = &lengths;
        return search(task, options);
    }
    BlockChart chart(blocks_, axioms, token_count);
    task.blocks = &blocks_;
    task.estimates = &chart;
    for (double margin = options.margin;; margin *= widening) {
        if (margin > 1000)
            margin = infinite;
        chart.look_outside(margin);
        Parsed found = search(task, options);
        found.margin = margin;
        if (found.ending == Ending::too_many_items && found.derivations.empty()) {
            task.greed = much_greed;
            task.keeps_edges = false;
            ParseOptions one = options;
            one.k_best = 1;
            found.derivations = search(task, one).derivations;
        }
        if (found.ending != Ending::exhausted || margin == infinite || chart.best() == infinite)
            return found;
    }
}

}  // namespace crossbranch::grammar
