// Contest: compares candidate moves by playouts, and decides when more playouts are not worthwhile.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "players/playout_means.hpp"

namespace sapper {

// A candidate move, and what is known about it without playouts.
struct ContestEntry {
    std::uint32_t cell;
    double score;
    NumberProbabilities probabilities;
};

class Contest {
public:
    // A candidate stays in the contest while its expected gain over the leader is at least `min_gain`.
    explicit Contest(double min_gain) : min_gain_{min_gain} {}

    // Starts a contest. The candidates are sorted by score, best first. `unknown` is the number of unknown cells.
    void start(std::span<const ContestEntry> entries, std::uint32_t unknown);
    // Records one playout of each remaining candidate, in order, all on the same layout.
    void record(std::span<const Playout> playouts);
    // Updates the leader, and drops candidates that are unlikely to be much better.
    void update();

    std::size_t size() const { return contenders_.size(); }
    std::uint32_t cell(std::size_t index) const { return contenders_[index].entry.cell; }
    std::uint32_t leader() const { return contenders_[leader_].entry.cell; }

private:
    struct Contender {
        ContestEntry entry;
        std::vector<Playout> playouts;
        PlayoutMeans means;
        bool is_dropped = false;
    };
    // The posterior of the difference in winning probability between two candidates.
    struct Posterior {
        double mean, deviation;
    };

    Posterior compare(const Contender& a, const Contender& b) const;
    void drop_hopeless();

    double min_gain_;
    double prior_deviation_ = 1;  // standard deviation of the prior
    double leader_value_ = 0;     // winning probability of the leader
    std::vector<Contender> contenders_;
    std::size_t leader_ = 0;
};

}  // namespace sapper
