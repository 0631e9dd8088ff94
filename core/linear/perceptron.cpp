#include "linear/perceptron.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/parallel.hpp"

namespace crossbranch {

Perceptron::Perceptron(std::shared_ptr<const System> system,
                       std::shared_ptr<const Templates> templates, const PerceptronOptions& options)
    : system_(std::move(system)),
      templates_(std::move(templates)),
      options_(options),
      weights_(options.min_update) {
    if (options.beam < 1 || options.importance < 1)
        throw std::invalid_argument("a beam has at least one item, and importance is at least 1");
}

void Perceptron::add(std::vector<std::uint32_t> rows, std::vector<TransitionId> derivation) {
    const std::size_t columns = templates_->column_count();
    if (rows.empty() || rows.size() % columns != 0)
        throw std::invalid_argument("a token table has " + std::to_string(columns) + " columns");
    Forest forest;
    forest.reset(static_cast<std::int32_t>(rows.size() / columns));
    Configuration at;
    Legal legal;
    for (const TransitionId id : derivation) {
        system_->find_legal(forest, at, legal);
        if (std::ranges::none_of(
                legal, [&](const TransitionRange& r) { return r.begin <= id && id < r.end; }))
            throw std::invalid_argument("a derivation has a transition that is not legal");
        at = system_->apply(forest, at, id);
    }
    if (!system_->is_final(forest, at))
        throw std::invalid_argument("a derivation does not end in a tree");
    sentences_.push_back({std::move(rows), std::move(derivation)});
}

TrainingCounts Perceptron::train(std::span<const std::uint32_t> order, std::size_t batch,
                                 std::size_t threads) {
    for (const std::uint32_t number : order)
        if (number >= sentences_.size())
            throw std::invalid_argument("there is no sentence " + std::to_string(number));
    batch = std::clamp<std::size_t>(batch, 1, std::max<std::size_t>(order.size(), 1));
    threads = std::clamp<std::size_t>(threads, 1, batch);
    while (searches_.size() < threads)
        searches_.push_back(
            std::make_unique<Search>(*system_, *templates_, weights_, options_.stop));
    lessons_.resize(std::max(lessons_.size(), batch));
    TrainingCounts counts;
    for (std::size_t start = 0; start < order.size(); start += batch) {
        const auto numbers = order.subspan(start, std::min(batch, order.size() - start));
        for_each_piece(numbers.size(), threads, [&](std::size_t worker, std::size_t piece) {
            learn(sentences_[numbers[piece]], *searches_[worker], lessons_[piece]);
        });
        for (std::size_t piece = 0; piece < numbers.size(); ++piece) {
            const Lesson& lesson = lessons_[piece];
            ++time_;
            for (const auto& [feature, transition, amount, is_first] : lesson.changes)
                weights_.update(feature, transition, amount, time_, is_first);
            counts.updates += lesson.changes.empty() ? 0 : 1;
            counts.transitions += lesson.steps;
        }
        counts.sentences += numbers.size();
    }
    return counts;
}

void Perceptron::learn(const Sentence& sentence, Search& search, Lesson& lesson) const {
    lesson.changes.clear();
    lesson.steps = 0;
    search.reset(sentence.rows, options_.beam);
    if (options_.rule == UpdateRule::max_violation)
        learn_max_violation(sentence, search, lesson);
    else
        learn_early(sentence, search, lesson);
}

void Perceptron::learn_early(const Sentence& sentence, Search& search, Lesson& lesson) const {
    std::int32_t gold = search.first();
    for (; !search.is_done(); ++lesson.steps) {
        const TransitionId right = lesson.steps < sentence.derivation.size()
                                       ? sentence.derivation[lesson.steps]
                                       : system_->idle();
        search.advance(right);
        const auto items = search.current();
        const auto found = std::ranges::find(items, true, &BeamItem::is_gold);
        if (found == items.end()) {
            const std::int32_t predicted = search.first();
            gold = search.follow_alone(gold, right);
            compare(gold, predicted, search, lesson);
            if (options_.rule == UpdateRule::early)
                return;
            search.restart(gold);
        } else {
            gold = search.first() + static_cast<std::int32_t>(found - items.begin());
        }
    }
    if (gold != search.first())
        compare(gold, search.first(), search, lesson);
}

void Perceptron::learn_max_violation(const Sentence& sentence, Search& search,
                                     Lesson& lesson) const {
    std::int32_t gold = search.first();
    std::int32_t worst_gold = gold;
    std::int32_t worst_predicted = gold;
    std::int64_t worst = -1;
    const auto is_over = [&] {
        return search.is_done() &&
               (options_.stop == Stop::first || lesson.steps >= sentence.derivation.size());
    };
    for (; !is_over(); ++lesson.steps) {
        const TransitionId right = lesson.steps < sentence.derivation.size()
                                       ? sentence.derivation[lesson.steps]
                                       : system_->idle();
        const bool was_on_beam = gold >= search.first();
        search.advance(right);
        const auto items = search.current();
        const auto found = std::ranges::find(items, true, &BeamItem::is_gold);
        gold = was_on_beam && found != items.end()
                   ? search.first() + static_cast<std::int32_t>(found - items.begin())
                   : search.follow_alone(gold, right);
        const std::int64_t violation = search.item(search.first()).score - search.item(gold).score;
        if (gold != search.first() && violation >= worst) {
            worst = violation;
            worst_gold = gold;
            worst_predicted = search.first();
        }
    }
    if (gold != search.first() && worst >= 0)
        compare(worst_gold, worst_predicted, search, lesson);
}

// Rewards the right transitions and punishes the predicted ones, from their first difference on.
void Perceptron::compare(std::int32_t gold, std::int32_t predicted, const Search& search,
                         Lesson& lesson) const {
    std::int32_t one = gold;
    std::int32_t two = predicted;
    while (one != two) {
        one = search.item(one).parent;
        two = search.item(two).parent;
    }
    const auto start = std::ssize(lesson.changes);
    collect(one, gold, 1, search, lesson);
    collect(one, predicted, -1, search, lesson);
    add_up(lesson.changes, start);
}

void Perceptron::add_up(std::vector<Change>& changes, std::ptrdiff_t start) {
    const auto begin = changes.begin() + start;
    const auto weight = [](const Change& change) {
        return std::pair(change.feature, change.transition);
    };
    std::sort(begin, changes.end(),
              [&](const Change& one, const Change& other) { return weight(one) < weight(other); });
    auto kept = begin;
    for (auto next = begin; next != changes.end();) {
        Change sum = *next++;
        for (; next != changes.end() && weight(*next) == weight(sum); ++next)
            sum.amount += next->amount;
        if (sum.amount == 0)
            continue;
        sum.is_first = kept == begin || std::prev(kept)->feature != sum.feature;
        *kept++ = sum;
    }
    changes.erase(kept, changes.end());
}

void Perceptron::collect(std::int32_t from, std::int32_t to, std::int32_t sign,
                         const Search& search, Lesson& lesson) const {
    std::vector<Feature> features;
    for (std::int32_t i = to; i != from; i = search.item(i).parent) {
        const TransitionId transition = search.item(i).transition;
        const auto& [move, argument] = system_->transition(transition);
        const bool is_important = (move == Move::gap || move == Move::swap) && argument > 0;
        const std::int32_t amount = is_important ? sign * options_.importance : sign;
        features.clear();
        search.extract(search.item(i).parent, features);
        for (const Feature feature : features)
            lesson.changes.push_back({feature, transition, amount});
    }
}

Weights Perceptron::average(double prune, std::span<const Perceptron* const> others) const {
    constexpr double finest = 16;  // more makes files larger and hardly changes any tree
    std::vector<Voter> voters{{&weights_, std::max<std::int64_t>(time_, 1)}};
    for (const Perceptron* other : others) {
        if (!std::ranges::equal(other->system_->transitions(), system_->transitions()))
            throw std::invalid_argument("trainers of different systems have no mean");
        voters.push_back({&other->weights_, std::max<std::int64_t>(other->time_, 1)});
    }
    return LearnedWeights::mean(voters, prune, system_->transitions().size(), finest);
}

std::string Perceptron::state() const {
    std::string bytes(sizeof time_, '\0');
    std::memcpy(bytes.data(), &time_, sizeof time_);
    return bytes + weights_.state();
}

void Perceptron::restore(std::string_view state) {
    if (state.size() < sizeof time_)
        throw std::invalid_argument("the state of a training ends too early");
    std::int64_t time = 0;
    std::memcpy(&time, state.data(), sizeof time);
    if (time < 0)
        throw std::invalid_argument("the state of a training has a negative time");
    weights_.restore(state.substr(sizeof time), system_->transitions().size());
    time_ = time;
}

}  // namespace crossbranch
