// Contest: which of several moves does best in playouts, and when there is no more to learn from them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "players/playout_means.hpp"

namespace sapper {

// What is expected of a move before it is tried.
struct Entry {
    std::uint32_t cell;
    double promise;
    NumberChances chances;
};

class Contest {
public:
    // What is gained by the right move must be more than this to be worth looking for.
    explicit Contest(double enough) : enough_{enough} {}

    // Moves in a position with so many unknown cells, the most promising first.
    void begin(std::span<const Entry> entries, std::uint32_t unknown);
    // A playout of each entry that is left, in their order, all on the same layout.
    void record(std::span<const Playout> playouts);
    // Gives up entries that are not likely to be much better than the leader.
    void give_up();

    std::size_t size() const { return runners_.size(); }
    std::uint32_t cell(std::size_t index) const { return runners_[index].entry.cell; }
    std::uint32_t leader() const { return runners_[leader_].entry.cell; }

private:
    struct Runner {
        Entry entry;
        std::vector<Playout> playouts;
        PlayoutMeans means;
        bool is_out = false;
    };
    // How much better one is than another, as far as is known.
    struct Belief {
        double mean, deviation;
    };

    Belief compare(const Runner& a, const Runner& b) const;
    void drop_hopeless();

    double enough_;
    double error_ = 1;  // of promises
    double value_ = 0;  // of any, about
    std::vector<Runner> runners_;
    std::size_t leader_ = 0;
};

}  // namespace sapper
