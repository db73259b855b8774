// From a position to its chances.
#include "analysis.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sapper {
namespace {

constexpr std::uint32_t sample_size = 2048;      // states followed in a layer
constexpr std::uint64_t sampled_states = 4'000'000;  // in all layers: some hundred MiB
constexpr int most_samples = 8;
constexpr int most_rounds = 60;  // of balancing
constexpr double least_risk = 1.0 / (2 * sample_size);  // A share of nothing is still some chance.

// The logarithm of n!, by Stirling's series: std::lgamma sets a global variable, and threads would race.
double log_factorial(std::int64_t n) {
    if (n < 16) {
        double product = 1;
        for (std::int64_t factor = 2; factor <= n; ++factor) product *= static_cast<double>(factor);
        return std::log(product);
    }
    const double x = static_cast<double>(n), square = 1 / (x * x);
    const double series = (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680))) / x;
    return (x + 0.5) * std::log(x) - x + 0.5 * std::log(2 * std::numbers::pi) + series;
}

double log_choose(std::int64_t n, std::int64_t k) {
    return log_factorial(n) - log_factorial(k) - log_factorial(n - k);
}

// The density whose odds are larger by this power of e, or a whole one if it is more.
double with_odds_changed(double density, double power) {
    const double odds = density / (1 - density) * std::exp(std::clamp(power, -1.0, 1.0));
    return odds / (1 + odds);
}

template <class Value>
Certain certain(Value mine, Value none) {
    return mine == 0 ? Certain::safe : none == 0 ? Certain::mine : Certain::no;
}

}  // namespace

const Findings& Analyser::analyse(const Position& position, Budget& budget, Budget& spare) {
    if (!grid_.load(position)) {
        findings_.possible = false;
        findings_.exact = true;
        return findings_;
    }
    return analyse_loaded(position, budget, &spare);
}

const Findings& Analyser::analyse_settled(const Position& position, Budget& budget, Budget* spare) {
    grid_.mark();
    return analyse_loaded(position, budget, spare);
}

const Findings& Analyser::analyse_loaded(const Position& position, Budget& budget, Budget* spare) {
    findings_.possible = false;
    findings_.exact = true;
    try {
        find(position, budget);
    } catch (const LimitReached&) {
        if (!spare) throw;
        estimate(position, *spare);
    }
    return findings_;
}

void Analyser::find(const Position& position, Budget& budget) {
    if (!lay_out(budget)) {
        return;
    }
    const Outside outside = weigh_outside();
    free_certain_ = certain(outside.mine, outside.none);
    may_be_mine_.resize(frontier_.boxes().size());
    may_be_none_.resize(frontier_.boxes().size());
    if (is_large() ? !find_certain(budget) : outside.total == 0) {
        return;
    }
    if (!(outside.total > 0 && std::isfinite(outside.total))) {
        throw LimitReached{"the layouts are too far from what is likely to be weighed"};
    }
    findings_.possible = true;
    findings_.log_layouts = log_layouts(outside);
    with_mine_.resize(frontier_.boxes().size());
    with_none_.resize(frontier_.boxes().size());
    const Chances kind{density_, !is_large()};
    chances_.split(structure_, kind, outside_, budget);
    chances_.backward(structure_, kind, with_mine_, with_none_, budget);
    if (!is_large()) {
        for (std::size_t box = 0; box < frontier_.boxes().size(); ++box) {
            may_be_mine_[box] = with_mine_[box] > 0;
            may_be_none_[box] = with_none_[box] > 0;
        }
    }
    write(position, free_ == 0 ? 0 : outside.mine / (outside.mine + outside.none));
}

bool Analyser::find_settled(const Position& position, std::vector<std::uint32_t>& safe) {
    if (!grid_.load_settled(position)) {
        return false;
    }
    grid_.find_safe(safe);
    return true;
}

// Follows samples of the layouts, as if each unknown cell had the same chance of being a mine by itself:
// that which makes the expected number of mines right. What single numbers settle is certain as ever, but
// nothing else is: that no layout of a sample has a mine on a cell proves nothing. If no sample comes to an
// end, the chances are those that balance the numbers.
void Analyser::estimate(const Position& position, Budget& budget) {
    const std::size_t boxes = frontier_.boxes().size();
    const double unknown = grid_.unknown_count();
    free_ = std::int64_t{grid_.unknown_count()} - static_cast<std::int64_t>(frontier_.cells().size());
    const double density = static_cast<double>(grid_.mines_left()) / unknown;
    std::vector<double> risk(boxes);
    double free_risk = balance(risk, budget);
    std::vector<double> sampled(boxes, 0);
    double sampled_free = 0;
    int samples = 0;
    std::uint32_t size = sample_size;
    try {
        for (std::uint64_t seed = 1; samples < most_samples; ++seed) {
            // A sample that came to no end is tried again with more states, as far as memory goes.
            const auto most = static_cast<std::uint32_t>(sampled_states / (boxes + 1));
            const Sampling sampling{std::min(size, most), std::clamp(density, 1e-6, 1 - 1e-6), seed};
            if (!structure_.sample(frontier_, sampling, budget)) {
                if (size > most) break;
                size *= 2;
                continue;
            }
            weigh_sample(sampling.density, budget);
            for (std::size_t box = 0; box < boxes; ++box) {
                sampled[box] += with_mine_[box] / (with_mine_[box] + with_none_[box]);
            }
            sampled_free += density_;
            ++samples;
        }
    } catch (const LimitReached&) {
    }
    if (samples > 0) {
        free_risk = sampled_free / samples;
        for (std::size_t box = 0; box < boxes; ++box) risk[box] = sampled[box] / samples;
    }
    with_mine_.resize(boxes);
    with_none_.resize(boxes);
    for (std::size_t box = 0; box < boxes; ++box) {
        with_mine_[box] = std::clamp(risk[box], least_risk, 1 - least_risk);
        with_none_[box] = 1 - with_mine_[box];
    }
    may_be_mine_.assign(boxes, 1);
    may_be_none_.assign(boxes, 1);
    free_certain_ = Certain::no;
    findings_.possible = true;
    findings_.exact = false;
    write(position, free_risk);
}

// Finds a risk for each box. Every cell is taken by itself; the odds around each number, and on the whole
// board, are changed in turn until as many mines are expected there as there must be. Of all chances that
// do so these assume the least (iterative scaling). Ends early if the budget does. Returns the risk of a
// free cell.
double Analyser::balance(std::vector<double>& risk, Budget& budget) const {
    const auto boxes = frontier_.boxes();
    const auto within = [](double chance) { return std::clamp(chance, least_risk, 1 - least_risk); };
    const double free = static_cast<double>(free_);
    double free_risk = within(static_cast<double>(grid_.mines_left()) / grid_.unknown_count());
    std::fill(risk.begin(), risk.end(), free_risk);
    try {
        for (int round = 0; round < most_rounds; ++round) {
            double expected = free * free_risk, variance = free * free_risk * (1 - free_risk);
            for (std::size_t box = 0; box < boxes.size(); ++box) {
                expected += boxes[box].size * risk[box];
                variance += boxes[box].size * risk[box] * (1 - risk[box]);
            }
            const double power = (static_cast<double>(grid_.mines_left()) - expected) / variance;
            free_risk = within(with_odds_changed(free_risk, power));
            for (double& chance : risk) chance = within(with_odds_changed(chance, power));
            for (const Number& number : frontier_.numbers()) {
                const std::span around{number.boxes.data(), number.box_count};
                expected = variance = 0;
                for (const std::uint32_t box : around) {
                    expected += boxes[box].size * risk[box];
                    variance += boxes[box].size * risk[box] * (1 - risk[box]);
                }
                for (const std::uint32_t box : around) {
                    risk[box] = within(with_odds_changed(risk[box], (number.need - expected) / variance));
                }
                budget.work(around.size());
            }
        }
    } catch (const LimitReached&) {
    }
    return free_risk;
}

// Finds the density with which the sample holds as many mines as there are, by Newton's method.
void Analyser::weigh_sample(double density, Budget& budget) {
    density_ = density;
    with_mine_.resize(frontier_.boxes().size());
    with_none_.resize(frontier_.boxes().size());
    for (int tries = 0; tries < 8; ++tries) {
        const Chances kind{density_, false};
        chances_.forward(structure_, kind, budget);
        chances_.split_freely(structure_);
        chances_.backward(structure_, kind, with_mine_, with_none_, budget);
        const double free = static_cast<double>(free_);
        double expected = free * density_, variance = free * density_ * (1 - density_);
        for (std::size_t box = 0; box < frontier_.boxes().size(); ++box) {
            const double risk = with_mine_[box] / (with_mine_[box] + with_none_[box]);
            expected += frontier_.boxes()[box].size * risk;
            variance += frontier_.boxes()[box].size * risk * (1 - risk);
        }
        const double missing = static_cast<double>(grid_.mines_left()) - expected;
        if (std::abs(missing) < 1e-3 || variance < 1e-9) {
            return;
        }
        density_ = with_odds_changed(density_, missing / variance);
    }
}

// Goes forward from the grid to what all components together weigh. Returns false if there is no layout.
bool Analyser::lay_out(Budget& budget, bool mark_toss_ups) {
    if (grid_.mines_left() < 0 || grid_.mines_left() > grid_.unknown_count()) {
        return false;
    }
    frontier_.build(grid_);
    if (!structure_.build(frontier_, budget)) {
        return false;
    }
    toss_ups_.clear();
    if (mark_toss_ups) {
        find_toss_ups();
    }
    free_ = std::int64_t{grid_.unknown_count()} - static_cast<std::int64_t>(frontier_.cells().size());
    const auto [least, most] = structure_.mines();
    if (grid_.mines_left() < least || grid_.mines_left() > most + free_) {
        return false;
    }
    const double unknown = grid_.unknown_count();
    density_ = unknown == 0 ? 0.5 : static_cast<double>(grid_.mines_left()) / unknown;
    for (int tries = is_large() ? 60 : 1; tries > 0; --tries) {
        const Chances kind{density_, !is_large(), toss_ups_};
        chances_.forward(structure_, kind, budget);
        chances_.join(structure_, kind, budget);
        if (tries > 1) {
            const double better = better_density();
            if (better == density_) {
                break;
            }
            density_ = better;
        }
    }
    return true;
}

// Any density gives all layouts the same weight. But only with the right one do the components, left to
// themselves, hold about as many mines as there must be, so that nothing is lost at the ends of series:
// one step of Newton's method towards it, in the logarithm of the odds, unless it is near enough.
double Analyser::better_density() const {
    const auto together = chances_.together();
    double total = 0, mean = 0, square = 0;
    for (std::size_t i = 0; i < together.size(); ++i) {
        const double mines = static_cast<double>(i);
        total += together[i];
        mean += together[i] * mines;
        square += together[i] * mines * mines;
    }
    if (total == 0) {
        return density_;
    }
    mean /= total;
    const double free = static_cast<double>(free_);
    const double variance = square / total - mean * mean + free * density_ * (1 - density_);
    const double missing = static_cast<double>(grid_.mines_left() - chances_.low()) - mean - free * density_;
    const bool near = std::abs(missing) < 0.5 + std::sqrt(std::max(variance, 0.0));
    if (near || !(variance > 1e-9) || density_ <= 0 || density_ >= 1) {
        return density_;
    }
    return with_odds_changed(density_, missing / variance);
}

// Weighs the ways to lay the free cells, for each number of mines that the components use together: the
// number of layouts is a binomial coefficient, and each weighs what its mines and other cells weigh.
Analyser::Outside Analyser::weigh_outside() {
    const auto together = chances_.together();
    const std::int64_t low = chances_.low(), mines_left = grid_.mines_left();
    const std::int64_t high = low + static_cast<std::int64_t>(together.size()) - 1;
    outside_.assign(together.size(), 0);
    // So many mines must be in the components for the free cells to hold the rest.
    const std::int64_t least = std::max(low, mines_left - free_), most = std::min(high, mines_left);
    Outside result;
    if (least > most) {
        return result;
    }
    const double odds = density_ > 0 && density_ < 1 ? density_ / (1 - density_) : 1;
    const double expected = static_cast<double>(free_) * density_;
    const std::int64_t middle =
        std::clamp(mines_left - static_cast<std::int64_t>(std::llround(expected)), least, most);
    const auto at = [&](std::int64_t mines) -> double& {
        return outside_[static_cast<std::size_t>(mines - low)];
    };
    at(middle) = 1;
    for (std::int64_t mines = middle; mines < most; ++mines) {
        at(mines + 1) = at(mines) * static_cast<double>(mines_left - mines) /
                        (static_cast<double>(free_ - mines_left + mines + 1) * odds);
    }
    for (std::int64_t mines = middle; mines > least; --mines) {
        at(mines - 1) = at(mines) * static_cast<double>(free_ - mines_left + mines) * odds /
                        static_cast<double>(mines_left - mines + 1);
    }
    for (std::int64_t mines = least; mines <= most; ++mines) {
        const double weight = at(mines) * together[static_cast<std::size_t>(mines - low)];
        result.total += weight;
        result.mine += weight * static_cast<double>(mines_left - mines);
        result.none += weight * static_cast<double>(free_ - mines_left + mines);
    }
    result.middle = middle;
    return result;
}

// The logarithm of the number of layouts: undoes what makes them weights.
double Analyser::log_layouts(const Outside& outside) const {
    if (density_ <= 0 || density_ >= 1) {
        return 0;  // No mines are left, or nothing else: there is one layout.
    }
    const double cells = static_cast<double>(frontier_.cells().size());
    return std::log(outside.total) + chances_.log_scale() +
           log_choose(free_, grid_.mines_left() - outside.middle) - cells * std::log1p(-density_) -
           static_cast<double>(outside.middle) * std::log(density_ / (1 - density_));
}

// On large boards weights may be too small to tell from nothing. Whether a cell can be a mine, and
// whether it can be none, is found by following possibilities instead, where nothing gets lost. Returns
// whether there is a layout at all.
bool Analyser::find_certain(Budget& budget) {
    const Possibilities kind;
    possibilities_.forward(structure_, kind, budget);
    const auto [least, most] = structure_.mines();
    const std::int64_t mines_left = grid_.mines_left();
    if (most <= mines_left && mines_left - least <= free_) {
        possibilities_.split_freely(structure_);  // The free cells can take up any difference.
        free_certain_ = certain(mines_left > least, mines_left - most < free_);
    } else {
        possibilities_.join(structure_, kind, budget);
        may_outside_.assign(possibilities_.together().size(), 0);
        bool may_be = false, may_mine = false, may_none = false;
        for (std::size_t i = 0; i < may_outside_.size(); ++i) {
            const std::int64_t rest = mines_left - possibilities_.low() - static_cast<std::int64_t>(i);
            may_outside_[i] = rest >= 0 && rest <= free_;
            if (may_outside_[i] && possibilities_.together()[i]) {
                may_be = true;
                may_mine = may_mine || rest > 0;
                may_none = may_none || rest < free_;
            }
        }
        if (!may_be) {
            return false;
        }
        free_certain_ = certain(may_mine, may_none);
        possibilities_.split(structure_, kind, may_outside_, budget);
    }
    possibilities_.backward(structure_, kind, may_be_mine_, may_be_none_, budget);
    return true;
}

void Analyser::write(const Position& position, double free_risk) {
    const std::size_t cells = position.codes.size();
    findings_.risk.resize(cells);
    findings_.certain.resize(cells);
    constexpr double opened = std::numeric_limits<double>::quiet_NaN();
    std::size_t cell = 0;
    for (std::uint32_t row = 0; row < position.height; ++row) {
        std::uint32_t place = grid_.begin() + row * grid_.stride();
        for (std::uint32_t column = 0; column < position.width; ++column, ++cell, ++place) {
            const bool unknown = grid_.unknown()[place], mine = grid_.mine()[place];
            const std::uint8_t code = position.codes[cell];
            const bool is_open = !is_hidden(code);
            findings_.risk[cell] = unknown ? free_risk : mine ? 1.0 : is_open ? opened : 0.0;
            findings_.certain[cell] = unknown   ? free_certain_
                                      : mine    ? Certain::mine
                                      : is_open ? Certain::no
                                                : Certain::safe;
        }
    }
    for (const FrontierCell& each : frontier_.cells()) {
        const double mine = with_mine_[each.box], none = with_none_[each.box];
        const std::size_t index = grid_.cell_at(each.place);
        findings_.risk[index] = mine / (mine + none);
        findings_.certain[index] = certain(may_be_mine_[each.box], may_be_none_[each.box]);
    }
}

bool Analyser::is_possible(const Position& position, bool any_mines, Budget& budget) {
    if (!any_mines) {
        if (!grid_.load(position) || !lay_out(budget)) {
            return false;
        }
        may_be_mine_.resize(frontier_.boxes().size());
        may_be_none_.resize(frontier_.boxes().size());
        return is_large() ? find_certain(budget) : weigh_outside().total > 0;
    }
    if (!grid_.load(position)) {
        return false;
    }
    frontier_.build(grid_);
    return structure_.build(frontier_, budget);
}

double Analyser::log_layouts(const Position& position, Budget& budget) {
    if (grid_.load(position) && lay_out(budget)) {
        const Outside outside = weigh_outside();
        if (outside.total > 0) {
            return log_layouts(outside);
        }
    }
    return -std::numeric_limits<double>::infinity();
}

std::array<double, 9> Analyser::shows(const Position& position, std::uint32_t cell, Budget& budget) {
    if (position.trust_flags && position.codes[cell] == flag_code) {
        return {};  // It is a mine.
    }
    codes_.assign(position.codes.begin(), position.codes.end());
    Position after = position;
    after.codes = codes_;
    std::array<double, 9> logarithms;
    for (std::uint8_t number = 0; number < 9; ++number) {
        codes_[cell] = number;
        logarithms[number] = log_layouts(after, budget);
    }
    std::array<double, 9> chances{};
    const double largest = *std::max_element(logarithms.begin(), logarithms.end());
    if (largest > -std::numeric_limits<double>::infinity()) {
        double total = 0;
        for (std::size_t number = 0; number < 9; ++number) {
            total += chances[number] = std::exp(logarithms[number] - largest);
        }
        for (double& chance : chances) chance /= total;
    }
    return chances;
}

double Analyser::safety(const Position& position, std::span<const std::uint32_t> cells, Budget& budget) {
    const double all = log_layouts(position, budget);
    codes_.assign(position.codes.begin(), position.codes.end());
    for (const std::uint32_t cell : cells) {
        if (position.trust_flags && codes_[cell] == flag_code) {
            return 0;
        }
        codes_[cell] = mute_code;
    }
    Position after = position;
    after.codes = codes_;
    return std::min(std::exp(log_layouts(after, budget) - all), 1.0);
}

std::size_t Analyser::frontier_size(const Position& position) {
    if (!grid_.load(position)) {
        return 0;
    }
    frontier_.build(grid_);
    return frontier_.cells().size();
}

Analyser::Counted Analyser::count(const Position& position, std::span<const std::uint64_t> primes,
                                  Budget& budget) {
    Counted counted;
    if (!is_possible(position, true, budget)) {
        return counted;
    }
    counted.free = std::int64_t{grid_.unknown_count()} - static_cast<std::int64_t>(frontier_.cells().size());
    counted.mines_left = grid_.mines_left();
    for (const std::uint64_t prime : primes) {
        const Remainders kind{prime};
        remainders_.forward(structure_, kind, budget);
        remainders_.join(structure_, kind, budget);
        counted.low = remainders_.low();
        const auto together = remainders_.together();
        counted.ways.emplace_back(together.begin(), together.end());
    }
    return counted;
}

}  // namespace sapper
