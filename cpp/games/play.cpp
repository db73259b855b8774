// Plays games to the end.
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

// The assumed winning probability after surviving a guess. Any value keeps the expected luck at zero; this one gives
// the least variance on expert boards.
constexpr double value_after_guess = 0.5;

}  // namespace

void GameState::start(const BoardSize& size, std::span<const std::uint8_t> minefield) {
    const auto mines = std::count(minefield.begin(), minefield.end(), std::uint8_t{1});
    if (minefield.size() != std::size_t{size.height} * size.width || mines != size.mines) {
        throw std::invalid_argument("the minefield does not match the size or the mine count of the board");
    }
    size_ = size;
    left_ = static_cast<std::uint32_t>(minefield.size()) - size.mines;
    codes_.assign(minefield.size(), hidden_code);
    numbers_ = count_around(size.height, size.width, minefield);
    for (std::uint32_t cell = 0; cell < minefield.size(); ++cell) {
        if (minefield[cell]) numbers_[cell] = hidden_code;
    }
}

void GameState::start(const BoardSize& size, std::span<const std::uint8_t> minefield,
                      std::span<const std::uint8_t> codes) {
    start(size, minefield);
    if (codes.size() != codes_.size()) {
        throw std::invalid_argument("the codes do not match the size of the board");
    }
    for (std::size_t cell = 0; cell < codes.size(); ++cell) {
        if (!is_hidden(codes[cell]) && numbers_[cell] != hidden_code) {
            codes_[cell] = numbers_[cell];
            --left_;
        }
    }
}

bool GameState::open(std::uint32_t cell) {
    if (numbers_[cell] == hidden_code) {
        return false;
    }
    to_open_.assign(1, cell);
    while (!to_open_.empty()) {
        const std::uint32_t next = to_open_.back();
        to_open_.pop_back();
        if (codes_[next] != hidden_code) {
            continue;
        }
        codes_[next] = numbers_[next];
        --left_;
        if (numbers_[next] == 0) {
            visit_around(next, size_.height, size_.width, [&](std::uint32_t near) {
                if (codes_[near] == hidden_code) to_open_.push_back(near);
            });
        }
    }
    return true;
}

Played GameRunner::play(const BoardSize& size, std::span<const std::uint8_t> minefield, std::uint32_t first,
                        const DecisionLimits& limits, const std::function<bool()>& interrupted) {
    Played played;
    const double start = thread_seconds();
    double before = start;
    board_.start(size, minefield);
    bool alive = board_.left() == 0 || open(first, played);
    while (alive && board_.left() > 0) {
        Budget budget{limits.seconds, limits.states, interrupted};
        const MemoryLimit limit{limits.memory};
        const Decision& decision = player_->decide(board_.position(), budget);
        ++played.decisions;
        if (std::isnan(played.solved)) {
            played.solved = decision.win_chance;
        }
        const std::uint32_t left = board_.left();
        alive = open_all(decision, played);
        if (alive && board_.left() == left) {
            throw std::logic_error("the player opened no cell");
        }
        const double now = thread_seconds();
        times_.add(now - before);
        before = now;
    }
    played.won = alive;
    played.left = board_.left();
    played.seconds = before - start;
    return played;
}

// Opens a cell that may be a mine. If it is, records that and returns false.
bool GameRunner::open(std::uint32_t cell, Played& played) {
    if (board_.open(cell)) {
        return true;
    }
    played.lost_at = cell;
    return false;
}

// Opens the chosen cells. Returns false if one is a mine.
bool GameRunner::open_all(const Decision& decision, Played& played) {
    if (decision.safe.empty()) {
        ++played.guesses;
        played.survival *= 1 - decision.risk;
        if (!decision.cell) {
            throw std::logic_error("the player opened no cell");
        }
        const bool survived = open(*decision.cell, played);
        if (decision.exact && std::isnan(played.solved)) {
            played.luck += value_after_guess * (survived ? decision.risk : decision.risk - 1);
        }
        return survived;
    }
    for (const std::uint32_t cell : decision.safe) {
        if (!board_.open(cell)) {
            throw std::logic_error("the player claimed that a mine is safe");
        }
    }
    return true;
}

Arena::Arena(std::string_view player, std::uint32_t workers, const DecisionLimits& limits) : limits_{limits} {
    if (workers == 0) {
        throw std::invalid_argument("an arena needs at least one worker");
    }
    for (std::uint32_t worker = 0; worker < workers; ++worker) {
        workers_.emplace_back(make_player(player));
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
    const auto work = [&](GameRunner& worker) {
        try {
            for (std::size_t game = next++; game < games && !stop; game = next++) {
                played[game] = worker.play(size, minefields(game), first, limits_, [&] { return stop.load(); });
            }
        } catch (const Interrupted&) {
            // Another thread failed or the caller interrupted; that is reported elsewhere.
        } catch (...) {
            stop = true;
            throw;
        }
    };
    std::vector<std::future<void>> futures;
    for (GameRunner& worker : workers_) {
        futures.push_back(std::async(std::launch::async, work, std::ref(worker)));
    }
    bool stopped = false;
    for (const auto& each : futures) {
        while (each.wait_for(std::chrono::milliseconds{50}) != std::future_status::ready) {
            if (!stopped && interrupted && interrupted()) {
                stop = stopped = true;
            }
        }
    }
    if (stopped) {
        throw Interrupted{};
    }
    for (auto& each : futures) {
        each.get();
    }
    return played;
}

Times Arena::times() const {
    Times all;
    for (const GameRunner& worker : workers_) {
        all.add(worker.times());
    }
    return all;
}

}  // namespace sapper
