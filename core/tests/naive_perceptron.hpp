// The perceptron as papers tell it, for comparison with the one that is fast.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>

#include "linear/perceptron.hpp"
#include "scores.hpp"

namespace walks {

struct Sentence {
    std::vector<std::uint32_t> rows;
    std::vector<TransitionId> derivation;
};

inline Sentence random_sentence(const std::shared_ptr<const System>& system,
                                std::mt19937_64& random, std::size_t size) {
    Sentence made{random_rows(random, size, 3), {}};
    Walk walk(system, static_cast<std::int32_t>(size));
    while (!walk.is_final()) {
        const auto legal = walk.legal();
        made.derivation.push_back(legal[draw(random, legal.size())]);
        walk.at = system->apply(walk.forest, walk.at, made.derivation.back());
    }
    return made;
}

// It shares nothing and keeps nothing.
class NaivePerceptron {
  public:
    NaivePerceptron(std::shared_ptr<const System> system,
                    std::shared_ptr<const Templates> templates, const PerceptronOptions& options)
        : system_(std::move(system)), templates_(std::move(templates)), options_(options) {}

    void learn(const Sentence& sentence) {
        rows_ = sentence.rows;
        const auto size = static_cast<std::int32_t>(sentence.rows.size() / 3);
        const Item start{Walk(system_, size), 0, {}};
        if (options_.rule == UpdateRule::max_violation)
            learn_max_violation(sentence, start);
        else
            learn_early(sentence, start);
        for (const auto& [key, weight] : weights_)
            sums_[key] += static_cast<double>(weight);
        ++time_;
    }

    [[nodiscard]] bool agrees(const Weights& average) const {
        return std::ranges::all_of(sums_, [&](const auto& known) {
            const auto& [key, sum] = known;
            const auto scores = scores_of(average, {key.first}, system_->transitions().size());
            const double mean = sum / time_;
            return std::abs(scores[static_cast<std::size_t>(key.second)] -
                            mean * average.scale()) <= 0.5 + 1e-6;
        });
    }

  private:
    using Key = std::pair<Feature, TransitionId>;
    struct Step {
        std::vector<Feature> features;
        TransitionId transition;
    };
    struct Item {
        Walk walk;
        std::int64_t score;
        std::vector<Step> steps;
    };
    using Items = std::vector<Item>;

    [[nodiscard]] std::vector<Feature> features(const Walk& walk) const {
        return features_of(*templates_, system_->labels().count(), rows_,
                           templates_->items(*system_, walk.forest, walk.at), walk.forest);
    }

    [[nodiscard]] std::int64_t score(const std::vector<Feature>& features, TransitionId id) const {
        std::int64_t sum = 0;
        for (const Feature feature : features)
            if (const auto found = weights_.find({feature, id}); found != weights_.end())
                sum += found->second;
        return sum;
    }

    [[nodiscard]] Item extend(Item item, TransitionId id) const {
        Step step{features(item.walk), id};
        item.score += score(step.features, id);
        item.steps.push_back(std::move(step));
        item.walk.at = system_->apply(item.walk.forest, item.walk.at, id);
        return item;
    }

    [[nodiscard]] Items advance(const Items& beam) const {
        Items next;
        for (const Item& item : beam)
            for (const TransitionId id : item.walk.legal())
                next.push_back(extend(item, id));
        std::ranges::stable_sort(next, std::ranges::greater{}, &Item::score);
        if (next.size() > options_.beam)
            next.erase(next.begin() + static_cast<std::ptrdiff_t>(options_.beam), next.end());
        return next;
    }

    [[nodiscard]] bool is_done(const Items& beam) const {
        if (options_.stop == Stop::first)
            return beam[0].walk.is_whole();
        return std::ranges::all_of(beam, [](const Item& item) { return item.walk.is_final(); });
    }
    static bool is_same(const Item& one, const Item& other) {
        return std::ranges::equal(one.steps, other.steps, {}, &Step::transition, &Step::transition);
    }

    [[nodiscard]] TransitionId right(const Sentence& sentence, std::size_t step) const {
        return step < sentence.derivation.size() ? sentence.derivation[step] : system_->idle();
    }

    void learn_early(const Sentence& sentence, const Item& start) {
        Items beam = {start};
        Item gold = start;
        std::vector<std::pair<Item, Item>> lessons;
        for (std::size_t step = 0; !is_done(beam); ++step) {
            gold = extend(gold, right(sentence, step));
            beam = advance(beam);
            if (std::ranges::any_of(beam, [&](const Item& item) { return is_same(item, gold); }))
                continue;
            lessons.emplace_back(gold, beam[0]);
            if (options_.rule == UpdateRule::early)
                break;
            beam = {gold};
        }
        if (!is_same(beam[0], gold) && (lessons.empty() || options_.rule == UpdateRule::restart))
            lessons.emplace_back(gold, beam[0]);
        for (const auto& [good, bad] : lessons)
            compare(good, bad);
    }

    void learn_max_violation(const Sentence& sentence, const Item& start) {
        Items beam = {start};
        Item gold = start;
        std::vector<std::pair<Item, Item>> worst;
        const std::size_t least = options_.stop == Stop::all ? sentence.derivation.size() : 0;
        for (std::size_t step = 0; !is_done(beam) || step < least; ++step) {
            gold = extend(gold, right(sentence, step));
            beam = advance(beam);
            const std::int64_t violation = beam[0].score - gold.score;
            if (!is_same(beam[0], gold) && violation >= 0 &&
                (worst.empty() || violation >= worst[0].second.score - worst[0].first.score))
                worst = {{gold, beam[0]}};
        }
        if (!is_same(beam[0], gold) && !worst.empty())
            compare(worst[0].first, worst[0].second);
    }

    // What both have in common cancels out.
    void compare(const Item& gold, const Item& predicted) {
        for (const Step& step : gold.steps)
            add(step, 1);
        for (const Step& step : predicted.steps)
            add(step, -1);
    }

    void add(const Step& step, std::int32_t sign) {
        const auto& [move, amount] = system_->transition(step.transition);
        const bool is_important = (move == Move::gap || move == Move::swap) && amount > 0;
        for (const Feature feature : step.features)
            weights_[{feature, step.transition}] +=
                is_important ? sign * options_.importance : sign;
    }

    std::shared_ptr<const System> system_;
    std::shared_ptr<const Templates> templates_;
    PerceptronOptions options_;
    std::vector<std::uint32_t> rows_;
    std::map<Key, std::int64_t> weights_;
    std::map<Key, double> sums_;
    double time_ = 0;
};

}  // namespace walks
