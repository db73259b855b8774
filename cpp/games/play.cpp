// Plays games to their end.
#include "games/play.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <future>
#include <stdexcept>

#include "players/players.hpp"

namespace sapper {
namespace {

// What is at stake in a guess: the chance to win a game that goes on. Any value leaves no luck on the average, and this
// one the least on expert boards.
constexpr double stake = 0.5;

}  // namespace

void Table::lay(const BoardSize& size, std::span<const std::uint8_t> minefield) {
    const auto mines = std::count(minefield.begin(), minefield.end(), std::uint8_t{1});
    if (minefield.size() != std::size_t{size.height} * size.width || mines != size.mines) {
        throw std::invalid_argument("the minefield does not fit the size of the board");
    }
    size_ = size;
    left_ = static_cast<std::uint32_t>(minefield.size()) - size.mines;
    codes_.assign(minefield.size(), hidden_code);
    numbers_ = count_around(size.height, size.width, minefield);
    for (std::uint32_t cell = 0; cell < minefield.size(); ++cell) {
        if (minefield[cell]) numbers_[cell] = hidden_code;
    }
}

void Table::lay(const BoardSize& size, std::span<const std::uint8_t> minefield,
                std::span<const std::uint8_t> codes) {
    lay(size, minefield);
    if (codes.size() != codes_.size()) {
        throw std::invalid_argument("the codes do not fit the size of the board");
    }
    for (std::size_t cell = 0; cell < codes.size(); ++cell) {
        if (!is_hidden(codes[cell]) && numbers_[cell] != hidden_code) {
            codes_[cell] = numbers_[cell];
            --left_;
        }
    }
}

bool Table::open(std::uint32_t cell) {
    if (numbers_[cell] == hidden_code) {
        return false;
    }
    waiting_.assign(1, cell);
    while (!waiting_.empty()) {
        const std::uint32_t next = waiting_.back();
        waiting_.pop_back();
        if (codes_[next] != hidden_code) {
            continue;
        }
        codes_[next] = numbers_[next];
        --left_;
        if (numbers_[next] == 0) {
            visit_around(next, size_.height, size_.width, [&](std::uint32_t near) {
                if (codes_[near] == hidden_code) waiting_.push_back(near);
            });
        }
    }
    return true;
}

Played Seat::play(const BoardSize& size, std::span<const std::uint8_t> minefield, std::uint32_t first,
                  const Allowance& allowance, const std::function<bool()>& interrupted) {
    Played played;
    const double start = thread_seconds();
    double before = start;
    table_.lay(size, minefield);
    bool alive = table_.left() == 0 || open(first, played);
    while (alive && table_.left() > 0) {
        Budget budget{allowance.seconds, allowance.states, interrupted};
        const MemoryLimit limit{allowance.memory};
        const Decision& decision = player_->decide(table_.position(), budget);
        ++played.decisions;
        if (std::isnan(played.solved)) {
            played.solved = decision.win_chance;
        }
        const std::uint32_t left = table_.left();
        alive = open_all(decision, played);
        if (alive && table_.left() == left) {
            throw std::logic_error("a player opened nothing");
        }
        const double now = thread_seconds();
        times_.add(now - before);
        before = now;
    }
    played.won = alive;
    played.left = table_.left();
    played.seconds = before - start;
    return played;
}

// Opens a cell that may be a mine. Returns false if it is, and notes it.
bool Seat::open(std::uint32_t cell, Played& played) {
    if (table_.open(cell)) {
        return true;
    }
    played.lost_at = cell;
    return false;
}

// Does what was decided. Returns false if that opened a mine.
bool Seat::open_all(const Decision& decision, Played& played) {
    if (decision.safe.empty()) {
        ++played.guesses;
        played.survival *= 1 - decision.risk;
        if (!decision.cell) {
            throw std::logic_error("a player opened nothing");
        }
        const bool survived = open(*decision.cell, played);
        if (decision.exact && std::isnan(played.solved)) {
            played.luck += stake * (survived ? decision.risk : decision.risk - 1);
        }
        return survived;
    }
    for (const std::uint32_t cell : decision.safe) {
        if (!table_.open(cell)) {
            throw std::logic_error("a player called a mine safe");
        }
    }
    return true;
}

Arena::Arena(std::string_view player, std::uint32_t seats, const Allowance& allowance) : allowance_{allowance} {
    if (seats == 0) {
        throw std::invalid_argument("an arena has at least one seat");
    }
    for (std::uint32_t seat = 0; seat < seats; ++seat) {
        seats_.emplace_back(make_player(player));
    }
}

std::vector<Played> Arena::play(const BoardSize& size, std::uint32_t first, std::size_t games,
                                const Minefields& minefields, const std::function<bool()>& interrupted) {
    if (first >= std::uint64_t{size.height} * size.width) {
        throw std::invalid_argument("the first click is not on the board");
    }
    std::vector<Played> played(games);
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> stop = false;
    const auto work = [&](Seat& seat) {
        try {
            for (std::size_t game = next++; game < games && !stop; game = next++) {
                played[game] = seat.play(size, minefields(game), first, allowance_, [&] { return stop.load(); });
            }
        } catch (const Interrupted&) {
            // Another thread said so, and says why.
        } catch (...) {
            stop = true;
            throw;
        }
    };
    std::vector<std::future<void>> working;
    for (Seat& seat : seats_) {
        working.push_back(std::async(std::launch::async, work, std::ref(seat)));
    }
    bool stopped = false;
    for (const auto& each : working) {
        while (each.wait_for(std::chrono::milliseconds{50}) != std::future_status::ready) {
            if (!stopped && interrupted && interrupted()) {
                stop = stopped = true;
            }
        }
    }
    if (stopped) {
        throw Interrupted{};
    }
    for (auto& each : working) {
        each.get();
    }
    return played;
}

Times Arena::times() const {
    Times all;
    for (const Seat& seat : seats_) {
        all.add(seat.times());
    }
    return all;
}

}  // namespace sapper
