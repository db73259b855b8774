// Creates players by name.
#include "players/players.hpp"

#include <stdexcept>

#include "players/safest.hpp"
#include "players/strong.hpp"

namespace sapper {
namespace {

using Made = std::unique_ptr<Player>;

Made safest() { return std::make_unique<SafestPlayer>(); }
Made strong(const Effort& effort) { return std::make_unique<StrongPlayer>(effort); }

struct Named {
    const char* name;
    Made (*make)();
};

constexpr Named players[] = {
    {"safest", [] { return safest(); }},
    {"strong-fast", [] { return strong(Effort::fast()); }},
    {"strong", [] { return strong(Effort::normal()); }},
    {"strong-high", [] { return strong(Effort::high()); }},
};

}  // namespace

std::vector<std::string> player_names() {
    std::vector<std::string> names;
    for (const auto& player : players) {
        names.emplace_back(player.name);
    }
    return names;
}

std::unique_ptr<Player> make_player(std::string_view name) {
    for (const auto& player : players) {
        if (player.name == name) {
            return player.make();
        }
    }
    throw std::invalid_argument("unknown player: " + std::string{name});
}

}  // namespace sapper
