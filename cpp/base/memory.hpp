// Memory: how much the engine's containers hold on this thread, and how much more a call may take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sapper {

// Work stopped at a limit before there was an answer. The message names the limit.
struct LimitReached : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Counts the bytes of all `Vector`s by thread. Only growth within one call is limited, so it does not matter if a
// container is freed by another thread than the one that filled it.
class Memory {
public:
    static std::int64_t held() { return held_; }

    static void take(std::size_t bytes) {
        const auto size = static_cast<std::int64_t>(bytes);
        if (size > ceiling_ - held_) {
            throw LimitReached{"the memory limit of " + std::to_string(limit_ >> 20) + " MiB was reached"};
        }
        held_ += size;
    }

    static void give_back(std::size_t bytes) noexcept { held_ -= static_cast<std::int64_t>(bytes); }

private:
    friend class MemoryLimit;

    static constexpr std::int64_t unlimited = std::numeric_limits<std::int64_t>::max() / 2;

    static inline thread_local std::int64_t held_ = 0;
    static inline thread_local std::int64_t ceiling_ = unlimited;
    static inline thread_local std::int64_t limit_ = unlimited;
};

// Limits the memory that this thread takes while the object lives. A limit inside another one never allows more.
class MemoryLimit {
public:
    explicit MemoryLimit(std::uint64_t bytes) : ceiling_before_{Memory::ceiling_}, limit_before_{Memory::limit_} {
        const auto unlimited = static_cast<std::uint64_t>(Memory::unlimited);
        const auto limit = static_cast<std::int64_t>(bytes < unlimited ? bytes : unlimited);
        const std::int64_t ceiling = Memory::held_ < Memory::unlimited - limit ? Memory::held_ + limit : Memory::unlimited;
        if (ceiling < Memory::ceiling_) {
            Memory::ceiling_ = ceiling;
            Memory::limit_ = limit;
        }
    }
    ~MemoryLimit() {
        Memory::ceiling_ = ceiling_before_;
        Memory::limit_ = limit_before_;
    }
    MemoryLimit(const MemoryLimit&) = delete;
    MemoryLimit& operator=(const MemoryLimit&) = delete;

private:
    std::int64_t ceiling_before_, limit_before_;
};

template <class Value>
struct CountingAllocator {
    using value_type = Value;

    CountingAllocator() = default;
    template <class Other>
    CountingAllocator(const CountingAllocator<Other>&) noexcept {}  // NOLINT: allocators convert implicitly.

    Value* allocate(std::size_t count) {
        if (count > std::numeric_limits<std::size_t>::max() / sizeof(Value)) {
            throw LimitReached{"more memory is needed than there can be"};
        }
        Memory::take(count * sizeof(Value));
        try {
            return std::allocator<Value>{}.allocate(count);
        } catch (...) {
            Memory::give_back(count * sizeof(Value));
            throw;
        }
    }
    void deallocate(Value* values, std::size_t count) noexcept {
        std::allocator<Value>{}.deallocate(values, count);
        Memory::give_back(count * sizeof(Value));
    }
    template <class Other>
    bool operator==(const CountingAllocator<Other>&) const noexcept {
        return true;
    }
};

// A vector whose memory counts towards the limit. Everything that grows with a position is one.
template <class Value>
using Vector = std::vector<Value, CountingAllocator<Value>>;

// Frees the memory of a vector; `clear` keeps it.
template <class Value>
void release(Vector<Value>& values) {
    Vector<Value>{}.swap(values);
}

}  // namespace sapper
