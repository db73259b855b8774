// Key table: a hash table of the keys of one layer's states, which are numbered in order of insertion.
#pragma once

#include <bit>
#include <cstdint>

#include "base/memory.hpp"

namespace sapper {

template <class Key>
class KeyTable {
public:
    struct Found {
        std::uint32_t index;
        bool is_new;
    };

    void clear() {
        keys_.clear();
        table_.clear();
    }

    // Returns the index of a key, which is added if it is new.
    Found insert(const Key& key) {
        const std::uint32_t found = find(key);
        if (found != none) {
            return {found, false};
        }
        const auto index = static_cast<std::uint32_t>(keys_.size());
        keys_.push_back(key);
        if (keys_.size() * 2 <= table_.size()) {
            link(index);
        } else if (keys_.size() > max_linear) {
            table_.assign(std::bit_ceil(keys_.size() * 4), none);
            for (std::uint32_t i = 0; i < keys_.size(); ++i) link(i);
        }
        return {index, true};
    }

    // All keys, by index.
    Vector<Key>& keys() { return keys_; }
    std::size_t size() const { return keys_.size(); }

private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::size_t max_linear = 12;  // Up to this many keys, a linear search is faster than hashing.

    std::uint64_t mask() const { return table_.size() - 1; }

    std::uint32_t find(const Key& key) const {
        if (table_.empty()) {
            for (std::size_t i = 0; i < keys_.size(); ++i) {
                if (keys_[i] == key) return static_cast<std::uint32_t>(i);
            }
            return none;
        }
        for (std::uint64_t i = key.hash() & mask(); table_[i] != none; i = (i + 1) & mask()) {
            if (keys_[table_[i]] == key) return table_[i];
        }
        return none;
    }

    void link(std::uint32_t index) {
        std::uint64_t i = keys_[index].hash() & mask();
        while (table_[i] != none) i = (i + 1) & mask();
        table_[i] = index;
    }

    Vector<Key> keys_;
    Vector<std::uint32_t> table_;  // open addressing; empty while there are few keys
};

}  // namespace sapper
