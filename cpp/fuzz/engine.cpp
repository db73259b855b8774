// Fuzz target: turns any bytes into a position, runs the engine on it, and aborts if an invariant is violated.
//
// main.cpp drives it with any compiler. With Clang it is a coverage-guided libFuzzer target:
//   clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -Icpp
//       cpp/fuzz/engine.cpp $(find cpp/base cpp/counting -name '*.cpp') -o /tmp/fuzz_engine_clang
//   /tmp/fuzz_engine_clang -max_total_time=60 NEW_INPUTS tests/data/corpus
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <vector>

#include "counting/analyser.hpp"
#include "counting/tracker.hpp"

using namespace sapper;

namespace {

// Positions with at most this many hidden cells are also solved by brute force.
constexpr std::uint32_t max_brute_force = 12;

#define REQUIRE(condition) require(static_cast<bool>(condition), #condition, __LINE__)

void require(bool holds, const char* condition, int line) {
    if (!holds) {
        std::fprintf(stderr, "%s:%d: violated: %s\n", __FILE__, line, condition);
        std::abort();
    }
}

// Decoding -----------------------------------------------------------------------------------------------

struct Board {
    std::uint32_t height, width, mines;
    bool trust_flags;
    std::vector<std::uint8_t> codes;

    Position position() const { return {height, width, mines, codes, trust_flags}; }
    bool is_hidden(std::size_t cell) const { return codes[cell] == hidden_code || codes[cell] == flag_code; }
    bool is_trusted_flag(std::size_t cell) const { return trust_flags && codes[cell] == flag_code; }
};

// Mostly 1 to 24 cells; the last quarter of the byte values encodes longer sides, up to 198.
std::uint32_t side(std::uint8_t byte, bool may_be_long) {
    return byte >= 192 && may_be_long ? 9 + (byte - 192u) * 3 : 1 + byte % 24u;
}

// The bytes are height, width, mines (two bytes, low byte first), whether to trust flags, and then a code per cell.
// Missing cells are hidden. tests/support/make_corpus.py writes the same format.
Board decode(const std::uint8_t* data, std::size_t size) {
    const auto byte = [&](std::size_t at) -> std::uint8_t { return at < size ? data[at] : 0; };
    Board board{side(byte(0), true), 0, 0, byte(4) % 2 == 1, {}};
    board.width = side(byte(1), board.height <= 24);
    const std::uint32_t cells = board.height * board.width;
    board.mines = (byte(2) + 256u * byte(3)) % (cells + 1);
    board.codes.assign(cells, hidden_code);
    for (std::size_t cell = 0; cell < cells && cell + 5 < size; ++cell) {
        board.codes[cell] = data[cell + 5] % (ignored_code + 1);
    }
    return board;
}

// The result of a call, or nothing if it reached its limit. No other exception is allowed.
template <class Call>
auto within_limit(Call call) -> std::optional<std::decay_t<decltype(call(std::declval<Budget&>()))>> {
    Budget budget{3600, 20'000};
    try {
        return call(budget);
    } catch (const LimitReached&) {
        return std::nullopt;
    }
}

std::optional<Findings> analyse(Analyser& analyser, const Board& board) {
    return within_limit([&](Budget& budget) {
        Budget spare{3600, 100'000};
        return analyser.analyse(board.position(), budget, &spare);
    });
}

// Lets an analyser work on another position, of which it must not remember anything: the same one upside down, with a
// wrong number at the end, so that the contradiction is usually found halfway.
void analyse_another(Analyser& analyser, const Board& board) {
    Board other = board;
    std::reverse(other.codes.begin(), other.codes.end());
    const auto last =
        std::find_if(other.codes.rbegin(), other.codes.rend(), [](std::uint8_t code) { return code < hidden_code; });
    if (last != other.codes.rend()) {
        *last = static_cast<std::uint8_t>(8 - *last);
    }
    analyse(analyser, other);
}

// Brute force --------------------------------------------------------------------------------------------

bool are_adjacent(std::uint32_t a, std::uint32_t b, std::uint32_t width) {
    const int rows = static_cast<int>(a / width) - static_cast<int>(b / width);
    const int columns = static_cast<int>(a % width) - static_cast<int>(b % width);
    return a != b && std::abs(rows) <= 1 && std::abs(columns) <= 1;
}

struct BruteForce {
    std::uint32_t layouts = 0;
    std::vector<std::uint32_t> mines;  // per cell: the number of layouts in which it is a mine
    // Per cell: the number of layouts in which it is safe and shows each number.
    std::vector<std::array<std::uint32_t, 9>> shows;
};

// Enumerates all layouts of the hidden cells.
BruteForce brute_force(const Board& board) {
    const auto cells = static_cast<std::uint32_t>(board.codes.size());
    std::vector<std::uint32_t> hidden, around(cells, 0);
    std::uint32_t trusted = 0;
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
        if (board.is_hidden(cell)) {
            trusted |= std::uint32_t{board.is_trusted_flag(cell)} << hidden.size();
            hidden.push_back(cell);
        }
    }
    for (std::uint32_t cell = 0; cell < cells; ++cell) {
        for (std::size_t i = 0; i < hidden.size(); ++i) {
            if (are_adjacent(cell, hidden[i], board.width)) around[cell] |= 1u << i;
        }
    }
    BruteForce truth{0, std::vector<std::uint32_t>(cells), std::vector<std::array<std::uint32_t, 9>>(cells)};
    const auto number = [&](std::uint32_t layout, std::uint32_t cell) {
        return static_cast<std::uint32_t>(std::popcount(layout & around[cell]));
    };
    for (std::uint32_t layout = 0; layout < 1u << hidden.size(); ++layout) {
        bool fits = static_cast<std::uint32_t>(std::popcount(layout)) == board.mines && (layout & trusted) == trusted;
        for (std::uint32_t cell = 0; fits && cell < cells; ++cell) {
            fits = board.codes[cell] >= hidden_code || number(layout, cell) == board.codes[cell];
        }
        if (!fits) continue;
        ++truth.layouts;
        for (std::size_t i = 0; i < hidden.size(); ++i) {
            if (layout >> i & 1) {
                ++truth.mines[hidden[i]];
            } else {
                ++truth.shows[hidden[i]][number(layout, hidden[i])];
            }
        }
    }
    return truth;
}

double share(std::uint32_t part, std::uint32_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

// Invariants ---------------------------------------------------------------------------------------------

template <class Value>
bool same_bytes(const Vector<Value>& a, const Vector<Value>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0;
}

void check_equal(const Findings& found, const Findings& again) {
    REQUIRE(found.possible == again.possible);
    REQUIRE(found.exact == again.exact);
    if (found.possible) {
        REQUIRE(same_bytes(found.risk, again.risk));
        REQUIRE(same_bytes(found.certain, again.certain));
    }
}

void check_cells(const Board& board, const Findings& found) {
    REQUIRE(found.risk.size() == board.codes.size());
    REQUIRE(found.certain.size() == board.codes.size());
    double mines = 0;
    for (std::size_t cell = 0; cell < board.codes.size(); ++cell) {
        const double risk = found.risk[cell];
        const Certainty certain = found.certain[cell];
        if (!board.is_hidden(cell)) {
            REQUIRE(std::isnan(risk));
            REQUIRE(certain == Certainty::none);
            continue;
        }
        REQUIRE(risk >= 0 && risk <= 1);
        REQUIRE(certain != Certainty::safe || risk == 0);
        REQUIRE(certain != Certainty::mine || risk == 1);
        REQUIRE(!board.is_trusted_flag(cell) || certain == Certainty::mine);
        // The converse holds only for safe cells: a risk below one may round to one.
        REQUIRE(risk != 0 || certain == Certainty::safe || !found.exact);
        mines += risk;
    }
    REQUIRE(!found.exact || std::abs(mines - board.mines) <= 1e-6 * std::max(1.0, mines));
}

std::uint64_t binomial(std::int64_t n, std::int64_t k) {
    std::uint64_t value = 1;
    for (std::int64_t i = 1; i <= k; ++i) {
        value = value * static_cast<std::uint64_t>(n - k + i) / static_cast<std::uint64_t>(i);
    }
    return value;
}

// Counting modulo primes is exact, whereas weights are doubles. A number of layouts that is a multiple of both primes
// would be mistaken for zero, but that is very unlikely.
void check_layout_count(const LayoutCount& counted, const Findings& found, const BruteForce* truth) {
    bool possible = false;
    std::uint64_t layouts = 0;
    for (const auto& ways : counted.ways) {
        layouts = 0;
        for (std::size_t i = 0; i < ways.size(); ++i) {
            const std::int64_t rest = counted.mines_left - counted.low - static_cast<std::int64_t>(i);
            if (ways[i] == 0 || rest < 0 || rest > counted.free) continue;
            possible = true;
            if (truth) layouts += ways[i] * binomial(counted.free, rest);
        }
    }
    REQUIRE(found.possible == possible);
    REQUIRE(!truth || layouts == truth->layouts);
}

void check_possible(Analyser& analyser, const Board& board, const Findings& found, const BruteForce* truth) {
    const auto possible =
        within_limit([&](Budget& budget) { return analyser.is_possible(board.position(), false, budget); });
    REQUIRE(!possible || !found.exact || *possible == found.possible);
    const auto with_any =
        within_limit([&](Budget& budget) { return analyser.is_possible(board.position(), true, budget); });
    REQUIRE(!with_any || !found.possible || *with_any);
    constexpr std::uint64_t primes[] = {2305843009213693951, 2305843009213693921};
    const auto counted = within_limit([&](Budget& budget) { return analyser.count(board.position(), primes, budget); });
    if (counted && found.exact) {
        check_layout_count(*counted, found, truth);
    }
}

Board with_lower_half_hidden(Board board) {
    for (std::size_t cell = board.codes.size() / 2; cell < board.codes.size(); ++cell) {
        if (!board.is_hidden(cell)) board.codes[cell] = hidden_code;
    }
    return board;
}

// A tracker that sees the position first with its lower half hidden, and then as it is, finds no cell that is not
// certain. It finds all certain cells unless the mine count is needed.
void check_tracker(const Board& board, const Findings& found) {
    if (!found.exact || std::count(board.codes.begin(), board.codes.end(), ignored_code) > 0) {
        return;
    }
    const Board before = with_lower_half_hidden(board);
    Tracker tracker;
    Tracker::Outcome outcome{};
    std::vector<Certainty> known(board.codes.size(), Certainty::none);
    for (const Board* each : {&before, &board}) {
        const auto followed = within_limit([&](Budget& budget) { return tracker.update(each->position(), budget); });
        if (!followed) return;
        outcome = *followed;
        REQUIRE(!found.possible || outcome != Tracker::Outcome::impossible);
        for (const std::uint32_t cell : tracker.new_safe()) known[cell] = Certainty::safe;
        for (const std::uint32_t cell : tracker.new_mines()) known[cell] = Certainty::mine;
    }
    REQUIRE(found.possible || outcome != Tracker::Outcome::complete);
    for (std::size_t cell = 0; found.possible && cell < board.codes.size(); ++cell) {
        if (board.is_hidden(cell)) {
            REQUIRE(known[cell] == Certainty::none || known[cell] == found.certain[cell]);
            REQUIRE(known[cell] == found.certain[cell] || outcome != Tracker::Outcome::complete);
        } else {
            REQUIRE(known[cell] != Certainty::mine);
        }
    }
}

// Checks a few hidden cells, spread over the board.
void check_number_probabilities(Analyser& analyser, const Board& board, const Findings& found,
                                const BruteForce* truth) {
    std::vector<std::uint32_t> hidden;
    for (std::uint32_t cell = 0; cell < board.codes.size(); ++cell) {
        if (board.is_hidden(cell)) hidden.push_back(cell);
    }
    const std::size_t step = hidden.size() / 3 + 1;
    for (std::size_t i = 0; i < hidden.size(); i += step) {
        const std::uint32_t cell = hidden[i];
        const auto chances =
            within_limit([&](Budget& budget) { return analyser.number_probabilities(board.position(), cell, budget); });
        if (!chances) continue;
        double sum = 0;
        for (std::size_t number = 0; number < 9; ++number) {
            const double chance = (*chances)[number];
            REQUIRE(chance >= 0 && chance <= 1);
            sum += chance;
            if (truth && truth->layouts > truth->mines[cell]) {
                const std::uint32_t safe = truth->layouts - truth->mines[cell];
                REQUIRE(std::abs(chance - share(truth->shows[cell][number], safe)) < 1e-12);
            }
        }
        REQUIRE(sum == 0 || std::abs(sum - 1) < 1e-9);
        REQUIRE(!found.exact || (sum == 0) == (found.certain[cell] == Certainty::mine));
    }
}

void check_against_brute_force(const Board& board, const Findings& found, const BruteForce& truth) {
    REQUIRE(found.exact);
    REQUIRE(found.possible == (truth.layouts > 0));
    if (!found.possible) return;
    for (std::size_t cell = 0; cell < board.codes.size(); ++cell) {
        if (!board.is_hidden(cell)) continue;
        REQUIRE(std::abs(found.risk[cell] - share(truth.mines[cell], truth.layouts)) < 1e-12);
        REQUIRE((found.certain[cell] == Certainty::safe) == (truth.mines[cell] == 0));
        REQUIRE((found.certain[cell] == Certainty::mine) == (truth.mines[cell] == truth.layouts));
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Board board = decode(data, size);
    Analyser fresh, used;
    const auto found = analyse(fresh, board);
    analyse_another(used, board);
    const auto again = analyse(used, board);
    REQUIRE(found.has_value() == again.has_value());
    if (!found) {
        return 0;
    }
    check_equal(*found, *again);
    std::optional<BruteForce> truth;
    std::uint32_t hidden = 0;
    for (std::size_t cell = 0; cell < board.codes.size(); ++cell) hidden += board.is_hidden(cell);
    if (hidden <= max_brute_force) {
        truth = brute_force(board);
        check_against_brute_force(board, *found, *truth);
    }
    const BruteForce* known = truth ? &*truth : nullptr;
    check_possible(used, board, *found, known);
    check_tracker(board, *found);
    if (found->possible) {
        check_cells(board, *found);
        check_number_probabilities(used, board, *found, known);
    }
    return 0;
}
