// Memory: the bytes that the engine's containers hold on this thread, and a limit on their growth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sapper {

// Thrown if a limit is reached before there is an answer. The message names the limit.
struct LimitReached : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Counts the bytes of all `Vector`s of a thread. Only growth within one call is limited, so it does not matter if
// another thread frees a container.
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

// Limits how much memory this thread may allocate during the object's lifetime. Nested limits never allow more than the
// outer one.
class MemoryLimit {
public:
    explicit MemoryLimit(std::uint64_t bytes) : ceiling_before_{Memory::ceiling_}, limit_before_{Memory::limit_} {
        const auto unlimited = static_cast<std::uint64_t>(Memory::unlimited);
        const auto limit = static_cast<std::int64_t>(bytes < unlimited ? bytes : unlimited);
        const std::int64_t ceiling =
            Memory::held_ < Memory::unlimited - limit ? Memory::held_ + limit : Memory::unlimited;
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
            throw LimitReached{"the size of an allocation would overflow"};
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

// A vector whose memory counts towards the limit. Use it for everything whose size depends on the position.
template <class Value>
using Vector = std::vector<Value, CountingAllocator<Value>>;

// Frees the memory of a vector, which `clear` would keep.
template <class Value>
void release(Vector<Value>& values) {
    Vector<Value>{}.swap(values);
}

}  // namespace sapper
