// Answers questions about a position by counting its layouts.
#include "counting/analyser.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sapper {

const Findings& Analyser::analyse(const Position& position, Budget& budget, Budget* spare) {
    findings_.possible = false;
    findings_.exact = true;
    if (!counter_.load(position, budget)) {
        return findings_;
    }
    return analyse_loaded(position, budget, spare);
}

const Findings* Analyser::find_safe(const Position& position, std::vector<std::uint32_t>& safe, Budget& budget,
                                    Budget* spare) {
    findings_.possible = false;
    findings_.exact = true;
    const std::size_t before = safe.size();
    if (!counter_.settle(position, budget)) {
        return nullptr;
    }
    counter_.grid().find_safe(safe);
    if (safe.size() > before) {
        return nullptr;
    }
    counter_.find_frontier();
    const Findings& findings = analyse_loaded(position, budget, spare);
    if (findings.possible) {
        for (std::uint32_t cell = 0; cell < findings.certain.size(); ++cell) {
            if (findings.certain[cell] == Certainty::safe) safe.push_back(cell);
        }
    }
    return &findings;
}

const Findings& Analyser::analyse_loaded(const Position& position, Budget& budget, Budget* spare) {
    try {
        count_risks(position, budget);
    } catch (const LimitReached&) {
        if (!spare) throw;
        counter_.release_memory();
        estimate_risks(position, *spare);
        estimator_.release_memory();
    }
    return findings_;
}

// Computes the total weight of the loaded position's layouts. Returns false if there is none.
bool Analyser::compute_total(Budget& budget) {
    const std::int64_t mines_left = counter_.grid().mines_left();
    if (mines_left < 0 || mines_left > counter_.grid().unknown_count()) {
        return false;
    }
    return counter_.sweep(budget) && counter_.compute_total(budget);
}

void Analyser::count_risks(const Position& position, Budget& budget) {
    if (!compute_total(budget) || (counter_.is_large() && !counter_.find_certain(budget))) {
        return;
    }
    if (!(counter_.total() > 0 && std::isfinite(counter_.total()))) {
        throw LimitReached{"the weights of the layouts are too small or too large to compare"};
    }
    findings_.log_layouts = counter_.log_layouts();
    counter_.compute_box_weights(budget);
    if (!counter_.is_large()) {
        counter_.find_certain(budget);
    }
    const std::size_t boxes = counter_.frontier().boxes().size();
    box_risk_.resize(boxes);
    box_certain_.resize(boxes);
    for (std::size_t box = 0; box < boxes; ++box) {
        box_risk_[box] = counter_.risk_of_box(box);
        box_certain_[box] = counter_.certain_of_box(box);
    }
    write_findings(position, counter_.free_risk(), counter_.certain_of_free());
    findings_.possible = true;
}

void Analyser::estimate_risks(const Position& position, Budget& budget) {
    estimator_.estimate(counter_.grid(), counter_.frontier(), budget);
    const std::size_t boxes = counter_.frontier().boxes().size();
    box_risk_.resize(boxes);
    for (std::size_t box = 0; box < boxes; ++box) box_risk_[box] = estimator_.risk_of_box(box);
    box_certain_.assign(boxes, Certainty::none);
    write_findings(position, estimator_.free_risk(), Certainty::none);
    findings_.possible = true;
    findings_.exact = false;
}

void Analyser::write_findings(const Position& position, double free_risk, Certainty free_certain) {
    const Grid& grid = counter_.grid();
    const std::size_t cells = position.codes.size();
    findings_.risk.resize(cells);
    findings_.certain.resize(cells);
    constexpr double opened = std::numeric_limits<double>::quiet_NaN();
    std::size_t cell = 0;
    for (std::uint32_t row = 0; row < position.height; ++row) {
        std::uint32_t place = grid.begin() + row * grid.stride();
        for (std::uint32_t column = 0; column < position.width; ++column, ++cell, ++place) {
            const bool unknown = grid.unknown()[place], mine = grid.mine()[place];
            const bool is_open = !is_hidden(position.codes[cell]);
            findings_.risk[cell] = unknown ? free_risk : mine ? 1.0 : is_open ? opened : 0.0;
            findings_.certain[cell] = unknown   ? free_certain
                                      : mine    ? Certainty::mine
                                      : is_open ? Certainty::none
                                                : Certainty::safe;
        }
    }
    for (const FrontierCell& each : counter_.frontier().cells()) {
        const std::size_t index = grid.cell_at(each.place);
        findings_.risk[index] = box_risk_[each.box];
        findings_.certain[index] = box_certain_[each.box];
    }
}

bool Analyser::is_possible(const Position& position, bool any_mines, Budget& budget) {
    if (!counter_.load(position, budget)) {
        return false;
    }
    if (any_mines) {
        return counter_.sweep(budget);
    }
    return compute_total(budget) && (!counter_.is_large() || counter_.find_certain(budget));
}

double Analyser::log_layouts(const Position& position, Budget& budget) {
    if (counter_.load(position, budget) && compute_total(budget) && counter_.total() > 0) {
        return counter_.log_layouts();
    }
    return -std::numeric_limits<double>::infinity();
}

std::array<double, 9> Analyser::number_probabilities(const Position& position, std::uint32_t cell, Budget& budget) {
    if (position.trust_flags && position.codes[cell] == flag_code) {
        return {};  // A trusted flag is a mine.
    }
    codes_.assign(position.codes.begin(), position.codes.end());
    Position after = position;
    after.codes = codes_;
    std::array<double, 9> logarithms;
    for (std::uint8_t number = 0; number < 9; ++number) {
        codes_[cell] = number;
        logarithms[number] = log_layouts(after, budget);
    }
    std::array<double, 9> probabilities{};
    const double largest = *std::max_element(logarithms.begin(), logarithms.end());
    if (largest > -std::numeric_limits<double>::infinity()) {
        double total = 0;
        for (std::size_t number = 0; number < 9; ++number) {
            total += probabilities[number] = std::exp(logarithms[number] - largest);
        }
        for (double& probability : probabilities) probability /= total;
    }
    return probabilities;
}

std::vector<double> Analyser::log_layouts_with_zero(const Position& position, std::span<const std::uint32_t> cells,
                                                    Budget& budget) {
    codes_.assign(position.codes.begin(), position.codes.end());
    Position after = position;
    after.codes = codes_;
    std::vector<double> found;
    for (const std::uint32_t cell : cells) {
        const std::uint8_t code = codes_[cell];
        if (position.trust_flags && code == flag_code) {
            found.push_back(-std::numeric_limits<double>::infinity());
            continue;
        }
        codes_[cell] = 0;
        found.push_back(log_layouts(after, budget));
        codes_[cell] = code;
    }
    return found;
}

double Analyser::safety(const Position& position, std::span<const std::uint32_t> cells, Budget& budget) {
    const double all = log_layouts(position, budget);
    codes_.assign(position.codes.begin(), position.codes.end());
    for (const std::uint32_t cell : cells) {
        if (position.trust_flags && codes_[cell] == flag_code) {
            return 0;
        }
        codes_[cell] = ignored_code;
    }
    Position after = position;
    after.codes = codes_;
    return std::min(std::exp(log_layouts(after, budget) - all), 1.0);
}

std::size_t Analyser::frontier_size(const Position& position, Budget& budget) {
    return counter_.load(position, budget) ? counter_.frontier().cells().size() : 0;
}

LayoutCount Analyser::count(const Position& position, std::span<const std::uint64_t> primes, Budget& budget) {
    LayoutCount result;
    if (!is_possible(position, true, budget)) {
        return result;
    }
    result.free = counter_.free_cells();
    result.mines_left = counter_.grid().mines_left();
    for (const std::uint64_t prime : primes) {
        const Remainders kind{prime};
        remainders_.forward(counter_.structure(), kind, budget);
        remainders_.combine(counter_.structure(), kind, budget);
        result.low = remainders_.low();
        const auto combined = remainders_.combined();
        result.ways.emplace_back(combined.begin(), combined.end());
    }
    return result;
}

}  // namespace sapper
