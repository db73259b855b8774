// The kinds of values that a sweep can carry: weights (doubles), possibilities (one bit) and counts modulo a prime.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace sapper {

inline constexpr std::array<std::array<std::uint8_t, 9>, 9> choose = [] {
    std::array<std::array<std::uint8_t, 9>, 9> table{};
    for (std::size_t n = 0; n < 9; ++n) {
        table[n][0] = 1;
        for (std::size_t k = 1; k <= n; ++k) {
            table[n][k] = static_cast<std::uint8_t>(table[n - 1][k - 1] + (k < n ? table[n - 1][k] : 0));
        }
    }
    return table;
}();

// Weights of layouts if every unknown cell were a mine independently, with the same probability (the density). All
// layouts with the same number of mines have the same weight, and the weights of all layouts sum to at most one.
class Weights {
public:
    using Value = double;

    // With `keep_all`, no value is dropped as negligible. This is safe on small boards, where no value can underflow
    // (see `exact_cells`).
    //
    // In the boxes marked in `halved_boxes`, layouts with exactly one mine have half their weight. Players use this for
    // toss-ups: see players/outlook.hpp.
    explicit Weights(double density, bool keep_all = true, std::span<const std::uint8_t> halved_boxes = {})
        : keep_all_{keep_all}, halved_boxes_{halved_boxes} {
        std::array<double, 9> mines{1}, others{1};
        for (std::size_t i = 1; i < 9; ++i) {
            mines[i] = mines[i - 1] * density;
            others[i] = others[i - 1] * (1 - density);
        }
        for (std::size_t size = 0; size < 9; ++size) {
            for (std::size_t k = 0; k <= size; ++k) {
                weights_[size][k] = choose[size][k] * mines[k] * others[size - k];
            }
        }
    }

    static constexpr Value zero() { return 0; }
    static constexpr Value one() { return 1; }
    Value weight(std::size_t size, std::size_t mines, std::size_t box) const {
        return weights_[size][mines] * (mines == 1 && is_halved(box) ? 0.5 : 1.0);
    }
    // The weight times the share of the box's cells that are mines, or safe.
    Value mine_weight(std::size_t size, std::size_t mines, std::size_t box) const {
        if (mines == 1 && is_halved(box)) {
            return 0;
        }
        return weights_[size][mines] * static_cast<double>(mines) / static_cast<double>(size);
    }
    Value safe_weight(std::size_t size, std::size_t mines, std::size_t) const {
        return weights_[size][mines] * static_cast<double>(size - mines) / static_cast<double>(size);
    }
    static void add_product(Value& sum, Value a, Value b) { sum += a * b; }

    // Divides all values by the largest one if they are close to underflow or overflow, and returns the divisor. On
    // small boards values cannot overflow, and scaling down could make the smallest ones vanish.
    Value rescale(std::span<Value> values) const {
        const Value largest = values.empty() ? 1 : *std::max_element(values.begin(), values.end());
        if (largest == 0 || (largest > 1e-60 && (keep_all_ || largest < 1e60))) {
            return 1;
        }
        for (Value& value : values) value /= largest;
        return largest;
    }

    // Returns the range of a series that remains after dropping values at its ends that are negligible next to the
    // largest.
    std::pair<std::size_t, std::size_t> significant_range(std::span<const Value> values) const {
        std::size_t first = 0, last = values.size();
        if (!keep_all_) {
            const Value smallest_kept = *std::max_element(values.begin(), values.end()) * 1e-60;
            while (last - first > 1 && values[first] < smallest_kept) ++first;
            while (last - first > 1 && values[last - 1] < smallest_kept) --last;
        }
        return {first, last};
    }

private:
    bool is_halved(std::size_t box) const { return !halved_boxes_.empty() && halved_boxes_[box]; }

    bool keep_all_;
    std::span<const std::uint8_t> halved_boxes_;
    std::array<std::array<double, 9>, 9> weights_{};
};

// Whether any layout exists: 1 or 0.
class Possibilities {
public:
    using Value = std::uint8_t;

    static constexpr Value zero() { return 0; }
    static constexpr Value one() { return 1; }
    static Value weight(std::size_t, std::size_t, std::size_t) { return 1; }
    static Value mine_weight(std::size_t, std::size_t mines, std::size_t) { return mines != 0; }
    static Value safe_weight(std::size_t size, std::size_t mines, std::size_t) { return mines != size; }
    static void add_product(Value& sum, Value a, Value b) { sum = static_cast<Value>(sum | (a & b)); }
    static double rescale(std::span<Value>) { return 1; }
    static std::pair<std::size_t, std::size_t> significant_range(std::span<const Value> values) {
        return {0, values.size()};
    }
};

// Exact counts, modulo a prime below 2^62.
class Remainders {
public:
    using Value = std::uint64_t;

    explicit Remainders(std::uint64_t prime) : prime_{prime} {}

    static constexpr Value zero() { return 0; }
    static constexpr Value one() { return 1; }
    Value weight(std::size_t size, std::size_t mines, std::size_t) const { return choose[size][mines]; }
    Value mine_weight(std::size_t size, std::size_t mines, std::size_t) const {
        return mines == 0 ? 0 : choose[size - 1][mines - 1];
    }
    Value safe_weight(std::size_t size, std::size_t mines, std::size_t) const {
        return mines == size ? 0 : choose[size - 1][mines];
    }
    void add_product(Value& sum, Value a, Value b) const {
        __extension__ using Wide = unsigned __int128;
        sum = static_cast<Value>((static_cast<Wide>(a) * b + sum) % prime_);
    }
    static double rescale(std::span<Value>) { return 1; }
    static std::pair<std::size_t, std::size_t> significant_range(std::span<const Value> values) {
        return {0, values.size()};
    }

private:
    std::uint64_t prime_;
};

}  // namespace sapper
