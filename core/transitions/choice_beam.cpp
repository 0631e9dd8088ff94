#include "transitions/choice_beam.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace crossbranch {

ChoiceBeam::ChoiceBeam(std::shared_ptr<const ChoiceWriter> writer,
                       std::span<const std::int32_t> token_counts, std::size_t beam, bool is_traced)
    : writer_(std::move(writer)),
      beam_(beam),
      is_traced_(is_traced),
      sentences_(token_counts.size()) {
    if (beam < 1)
        throw std::invalid_argument("a beam has at least one place");
    std::int32_t start = 0;
    for (std::size_t i = 0; i < token_counts.size(); ++i) {
        if (token_counts[i] < 1)
            throw std::invalid_argument("a sentence has at least one token");
        sentences_[i].forest.reset(token_counts[i]);
        sentences_[i].beam.resize(1);
        sentences_[i].start = start;
        start += token_counts[i];
    }
}

bool ChoiceBeam::settle(Sentence& sentence, Hypothesis& one, Legal& legal) const {
    const CandidateSystem& system = writer_->system();
    while (!system.is_final(sentence.forest, one.at)) {
        system.find_legal(sentence.forest, one.at, legal);
        const TransitionId forced = only(legal);
        if (forced < 0)
            return true;
        one.at = system.apply(sentence.forest, one.at, forced);
        if (is_traced_)
            one.step = remember(sentence, one.step, {forced, {{forced, 0.0}}});
        if (beam_ > 1)
            return false;
    }
    return false;
}

const Choices& ChoiceBeam::choices() {
    if (!pending_.empty())  // they wait for their scores
        return choices_;
    const auto is_open = [&](const Sentence& sentence) {
        return std::ranges::any_of(sentence.beam, [&](const Hypothesis& one) {
            return !writer_->system().is_final(sentence.forest, one.at);
        });
    };
    Legal legal;
    do {
        choices_ = {};
        pending_.clear();
        for (std::size_t i = 0; i < size(); ++i) {
            Sentence& sentence = sentences_[i];
            for (std::size_t k = 0; k < sentence.beam.size(); ++k) {
                if (!settle(sentence, sentence.beam[k], legal))
                    continue;
                const Configuration& at = sentence.beam[k].at;
                const bool is_label = CandidateSystem::is_labelling(at);
                const std::size_t first = is_label                    ? choices_.label_count()
                                          : writer_->has_candidates() ? choices_.transitions.size()
                                                                      : choices_.structure_count();
                writer_->add(sentence.forest, at, legal, sentence.start, pending_.size(), choices_);
                pending_.push_back({i, k, first, is_label, legal});
            }
        }
    } while (pending_.empty() && std::ranges::any_of(sentences_, is_open));
    return choices_;
}

void ChoiceBeam::check(std::span<const float> structure, std::span<const float> labels) const {
    const std::size_t expected = writer_->has_candidates()
                                     ? choices_.transitions.size()
                                     : choices_.structure_count() * writer_->moves().size();
    if (structure.size() != expected)
        throw std::invalid_argument("there are " + std::to_string(structure.size()) +
                                    " scores of structure, expected " + std::to_string(expected));
    const std::size_t outputs = choices_.label_count() * writer_->output_count();
    if (labels.size() != outputs)
        throw std::invalid_argument("there are " + std::to_string(labels.size()) +
                                    " scores of labels, expected " + std::to_string(outputs));
}

void ChoiceBeam::rate(const Pending& at, std::span<const float> structure,
                      std::span<const float> labels, std::vector<Option>& options) const {
    const std::size_t begin = options.size();
    const auto add = [&](TransitionId id, float score) {
        options.push_back({at.hypothesis, id, static_cast<double>(score)});
    };
    const CandidateSystem& system = writer_->system();
    const auto& moves = writer_->moves();
    if (!at.is_label && !writer_->has_candidates()) {
        for (std::size_t m = 0; m < moves.size(); ++m)
            if (choices_.legal[at.first * moves.size() + m] != 0)
                add(moves[m], structure[at.first * moves.size() + m]);
    } else {
        std::size_t row = at.first;
        for (const auto& [first, last] : at.legal)
            for (TransitionId id = first; id < last; ++id) {
                if (!at.is_label) {
                    add(id, structure[row++]);
                    continue;
                }
                const Transition taken = system.transition(id);
                const auto output =
                    taken.move == Move::label ? static_cast<std::size_t>(taken.argument) + 1 : 0;
                add(id, labels[at.first * writer_->output_count() + output]);
            }
    }
    const std::span<Option> mine(options.begin() + static_cast<std::ptrdiff_t>(begin),
                                 options.end());
    double highest = mine[0].score;
    for (const Option& option : mine)
        highest = std::max(highest, option.score);
    double sum = 0;
    for (const Option& option : mine)
        sum += std::exp(option.score - highest);
    const double shift =
        sentences_[at.sentence].beam[at.hypothesis].score - highest - std::log(sum);
    for (Option& option : mine)
        option.score += shift;
}

std::int32_t ChoiceBeam::remember(Sentence& sentence, std::int32_t before, TracedStep step) {
    sentence.past.push_back({before, std::move(step)});
    return static_cast<std::int32_t>(sentence.past.size()) - 1;
}

void ChoiceBeam::keep(Sentence& sentence, std::vector<Option>& options) const {
    const auto is_better = [](const Option& one, const Option& other) {
        return one.score > other.score;
    };
    const std::vector<Option> all = is_traced_ ? options : std::vector<Option>{};
    if (beam_ == 1) {  // of equal ones, the first
        options = {*std::ranges::min_element(options, is_better)};
    } else if (options.size() > beam_) {
        std::ranges::stable_sort(options, is_better);
        options.resize(beam_);
    }
    std::vector<Hypothesis> next;
    next.reserve(options.size());
    for (const Option& option : options) {
        Hypothesis one = sentence.beam[option.hypothesis];
        if (is_traced_ && option.transition >= 0) {
            TracedStep step{option.transition, {}};
            for (const Option& other : all)
                if (other.hypothesis == option.hypothesis)
                    step.legal.emplace_back(other.transition, other.score - one.score);
            one.step = remember(sentence, one.step, std::move(step));
        }
        one.score = option.score;
        if (option.transition >= 0)
            one.at = writer_->system().apply(sentence.forest, one.at, option.transition);
        next.push_back(one);
    }
    sentence.beam = std::move(next);
}

void ChoiceBeam::advance(std::span<const float> structure, std::span<const float> labels) {
    check(structure, labels);
    std::vector<Option> options;
    for (auto one = pending_.begin(); one != pending_.end();) {
        const std::size_t number = one->sentence;
        Sentence& sentence = sentences_[number];
        std::vector<bool> has_choice(sentence.beam.size(), false);
        options.clear();
        for (; one != pending_.end() && one->sentence == number; ++one) {
            has_choice[one->hypothesis] = true;
            rate(*one, structure, labels, options);
        }
        for (std::size_t k = 0; k < sentence.beam.size(); ++k)
            if (!has_choice[k])
                options.push_back({k, -1, sentence.beam[k].score});
        keep(sentence, options);
        if (beam_ == 1)
            sentence.taken.push_back(options[0].transition);
    }
    pending_.clear();
    choices_ = {};
}

void ChoiceBeam::explore(std::span<const float> structure, std::span<const float> labels,
                         std::span<const SpanOracle* const> oracles, double chance,
                         std::mt19937_64& random) {
    check(structure, labels);
    if (beam_ != 1 || oracles.size() != size())
        throw std::invalid_argument("exploring needs a beam of 1, and an oracle for each sentence");
    std::uniform_real_distribution<double> draw(0, 1);
    std::vector<Option> options;
    for (const Pending& at : pending_) {
        Sentence& sentence = sentences_[at.sentence];
        const double before = sentence.beam[0].score;
        options.clear();
        rate(at, structure, labels, options);
        if (!at.is_label) {
            const bool follows = draw(random) >= chance;
            const TransitionId right =
                follows ? oracles[at.sentence]->best(sentence.forest, sentence.beam[0].at) : -1;
            double rest = draw(random);
            const auto chosen = std::ranges::find_if(options, [&](const Option& option) {
                if (follows)
                    return option.transition == right;
                rest -= std::exp(option.score - before);
                return rest < 0;
            });
            if (chosen != options.end())  // rounding may leave a small rest: then the last one
                options = {*chosen};
            else
                options = {options.back()};
        }
        keep(sentence, options);
        sentence.taken.push_back(options[0].transition);
    }
    pending_.clear();
    choices_ = {};
}

std::vector<std::vector<TransitionId>> ChoiceBeam::taken() const {
    std::vector<std::vector<TransitionId>> found;
    for (const Sentence& sentence : sentences_)
        found.push_back(sentence.taken);
    return found;
}

std::vector<const ChoiceBeam::Hypothesis*> ChoiceBeam::finished(const Sentence& sentence) const {
    std::vector<const Hypothesis*> best;
    for (const Hypothesis& one : sentence.beam)
        if (writer_->system().is_final(sentence.forest, one.at))
            best.push_back(&one);
    std::ranges::stable_sort(best, [](const Hypothesis* one, const Hypothesis* other) {
        return one->score > other->score;
    });
    return best;
}

std::vector<std::vector<FoundTree>> ChoiceBeam::trees() const {
    std::vector<std::vector<FoundTree>> found(size());
    for (std::size_t i = 0; i < size(); ++i)
        for (const Hypothesis* one : finished(sentences_[i]))
            found[i].push_back({one->score, encode(sentences_[i].forest, one->at.focus)});
    return found;
}

std::vector<Trace> ChoiceBeam::traces() const {
    std::vector<Trace> found(size());
    for (std::size_t i = 0; i < size(); ++i) {
        const std::vector<const Hypothesis*> best = finished(sentences_[i]);
        std::int32_t at = best.empty() ? -1 : best[0]->step;
        while (at >= 0) {
            const PastStep& past = sentences_[i].past[static_cast<std::size_t>(at)];
            found[i].push_back(past.step);
            at = past.before;
        }
        std::ranges::reverse(found[i]);
    }
    return found;
}

}  // namespace crossbranch
