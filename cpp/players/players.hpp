// All players by name. Add new players here.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "players/player.hpp"

namespace sapper {

std::vector<std::string> player_names();

// Throws std::invalid_argument if there is no player of this name.
std::unique_ptr<Player> make_player(std::string_view name);

}  // namespace sapper
