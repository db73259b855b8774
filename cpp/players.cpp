// Makes the players.
#include "players.hpp"

#include <stdexcept>

#include "safest.hpp"
#include "strong.hpp"

namespace sapper {
namespace {

struct Named {
    const char* name;
    std::unique_ptr<Player> (*make)();
};

constexpr Named players[] = {
    {"safest", []() -> std::unique_ptr<Player> { return std::make_unique<SafestPlayer>(); }},
    {"strong", []() -> std::unique_ptr<Player> { return std::make_unique<StrongPlayer>(Effort{}); }},
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
    throw std::invalid_argument("there is no player " + std::string{name});
}

}  // namespace sapper
