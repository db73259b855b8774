// Keys of sweep states: how many mines each pending number still needs, four bits each.
#pragma once

#include <array>
#include <cstdint>

namespace sapper {

// Sixteen slots in each of `Words` 64-bit words. Each pending number has a slot.
template <std::size_t Words>
struct Key {
    std::array<std::uint64_t, Words> words{};

    static constexpr std::size_t slots = Words * 16;

    unsigned get(std::size_t slot) const { return words[slot / 16] >> (slot % 16 * 4) & 15; }
    void add(std::size_t slot, std::uint64_t amount) { words[slot / 16] += amount << (slot % 16 * 4); }
    void subtract(std::size_t slot, std::uint64_t amount) { words[slot / 16] -= amount << (slot % 16 * 4); }
    bool operator==(const Key& other) const {
        if constexpr (Words == 1) {
            return words[0] == other.words[0];  // The common case, compiled without a call to memcmp.
        } else {
            return words == other.words;
        }
    }

    std::uint64_t hash() const {
        std::uint64_t mixed = 0;
        for (const std::uint64_t word : words) {
            mixed = (mixed ^ word) * 0x9E3779B97F4A7C15;
            mixed ^= mixed >> 29;
        }
        return mixed * 0xBF58476D1CE4E5B9 >> 32;
    }
};

}  // namespace sapper
