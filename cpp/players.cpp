// Makes the players.
#include "players.hpp"

#include <stdexcept>

#include "safest.hpp"

namespace sapper {
namespace {

template <class Kind>
std::unique_ptr<Player> make() {
    return std::make_unique<Kind>();
}

constexpr struct {
    const char* name;
    std::unique_ptr<Player> (*make)();
} players[] = {
    {"safest", make<SafestPlayer>},
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
