#include "transitions/batch.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace crossbranch {

namespace {

constexpr std::int32_t nothing = -1;

void check_size(const char* name, std::size_t found, std::size_t expected) {
    if (found != expected)
        throw std::invalid_argument(std::string(name) + " has " + std::to_string(found) +
                                    " numbers, expected " + std::to_string(expected));
}

// `target` has room for one item, and all its numbers are `nothing`.
void write_item(const Forest& forest, Vertex vertex, std::span<std::int32_t> target) {
    if (vertex == no_vertex)
        return;
    const ForestNode& node = forest.node(vertex);
    target[0] = vertex;
    target[1] = node.label;
    target[2] = node.head();
    target[3] = static_cast<std::int32_t>(node.block_count);
    const auto room = static_cast<std::uint32_t>((target.size() - 4) / 2);
    const std::uint32_t written = std::min(room, node.block_count);
    for (std::uint32_t i = 0; i < written; ++i) {
        const bool is_last = i + 1 == written;
        const auto [start, stop] = forest.block(node, is_last ? node.block_count - 1 : i);
        target[4 + 2 * i] = start;
        target[5 + 2 * i] = stop;
    }
    if (written == 1)
        target[4] = node.first();
}

}  // namespace

Batch::Batch(const std::shared_ptr<const System>& system,
             std::span<const std::int32_t> token_counts)
    : system_(system) {
    steppers_.reserve(token_counts.size());
    for (const std::int32_t token_count : token_counts)
        steppers_.emplace_back(system, token_count);
}

void Batch::write_legal(std::span<std::uint8_t> mask) {
    const std::size_t width = transition_count();
    check_size("the mask", mask.size(), size() * width);
    std::ranges::fill(mask, std::uint8_t{0});
    for (std::size_t i = 0; i < size(); ++i) {
        const auto row = mask.subspan(i * width, width);
        for (const auto& [begin, end] : steppers_[i].legal())
            std::fill(row.begin() + begin, row.begin() + end, std::uint8_t{1});
    }
}

void Batch::write_final(std::span<std::uint8_t> is_final) const {
    check_size("the array", is_final.size(), size());
    std::ranges::transform(steppers_, is_final.begin(), [](const Stepper& one) {
        return static_cast<std::uint8_t>(one.is_final());
    });
}

bool Batch::is_done() const {
    return std::ranges::all_of(steppers_, &Stepper::is_final);
}

void Batch::apply(std::span<const TransitionId> chosen) {
    check_size("the choice", chosen.size(), size());
    std::vector<std::size_t> open;
    open.reserve(size());
    for (std::size_t i = 0; i < size(); ++i) {
        if (steppers_[i].is_final())
            continue;
        if (!steppers_[i].is_legal(chosen[i]))
            throw std::invalid_argument("configuration " + std::to_string(i) + ": transition " +
                                        std::to_string(chosen[i]) + " is not legal here");
        open.push_back(i);
    }
    for (const std::size_t i : open)
        steppers_[i].apply_legal(chosen[i]);
}

void Batch::write_items(const ItemWidths& widths, std::span<std::int32_t> items) const {
    if (widths.blocks < 1)
        throw std::invalid_argument("an item has room for at least one block");
    const std::size_t item_size = widths.item_size();
    check_size("the array", items.size(), size() * widths.item_count() * item_size);
    std::ranges::fill(items, nothing);
    std::size_t start = 0;
    for (const Stepper& one : steppers_) {
        const auto write = [&](Vertex vertex) {
            write_item(one.forest(), vertex, items.subspan(start, item_size));
            start += item_size;
        };
        write(one.at().focus);
        CellId cell = one.at().stack;
        for (std::size_t i = 0; i < widths.stack; ++i) {
            write(cell == no_cell ? no_vertex : one.forest().cell(cell).vertex);
            cell = cell == no_cell ? no_cell : one.forest().cell(cell).below;
        }
        if (widths.aside > 0) {
            const std::vector<Vertex> aside = one.items(one.at().aside);
            for (std::size_t i = 0; i < widths.aside; ++i)
                write(i < aside.size() ? aside[aside.size() - 1 - i] : no_vertex);
        }
        for (std::size_t i = 0; i < widths.queue; ++i)
            write(one.queue_item(static_cast<std::int32_t>(i)));
    }
}

Batch Batch::select(std::span<const std::int32_t> numbers) const {
    Batch selected(system_);
    selected.steppers_.reserve(numbers.size());
    for (const std::int32_t number : numbers) {
        if (number < 0 || static_cast<std::size_t>(number) >= size())
            throw std::invalid_argument("there is no configuration " + std::to_string(number) +
                                        " among " + std::to_string(size()));
        selected.steppers_.push_back(steppers_[static_cast<std::size_t>(number)]);
    }
    return selected;
}

std::int32_t Batch::deepest_stack() const {
    std::int32_t deepest = 0;
    for (const Stepper& one : steppers_)
        deepest = std::max(deepest, one.stack_size());
    return deepest;
}

std::vector<TreeCodes> Batch::codes() const {
    std::vector<TreeCodes> found(size());
    for (std::size_t i = 0; i < size(); ++i)
        if (steppers_[i].is_final())
            found[i] = steppers_[i].codes();
    return found;
}

}  // namespace crossbranch
