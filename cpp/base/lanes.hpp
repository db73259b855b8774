// Lanes: vectors of 32 bytes, for arithmetic on many cells at once.
//
// GCC and Clang compile these to vector instructions. Functions marked SAPPER_VECTORS are compiled twice, for AVX2 and
// for any processor, where the loader can choose between the two.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SAPPER_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define SAPPER_VECTORS
#endif

namespace sapper {

inline constexpr std::ptrdiff_t lane_count = 32;

#if defined(__GNUC__)

// A comparison gives 255 in the lanes where it holds and 0 elsewhere.
typedef std::uint8_t Lanes __attribute__((vector_size(32), aligned(1), may_alias));

#define SAPPER_LOAD(from) (*reinterpret_cast<const ::sapper::Lanes*>(from))
#define SAPPER_STORE(to, lanes) (*reinterpret_cast<::sapper::Lanes*>(to) = (lanes))
#define SAPPER_MASK(comparison) (reinterpret_cast<::sapper::Lanes>(comparison))

#else

struct Lanes {
    std::uint8_t at[32];
};

#define SAPPER_LANES_OPERATOR(symbol, expression)                  \
    inline Lanes operator symbol(const Lanes& a, const Lanes& b) { \
        Lanes out;                                                 \
        for (std::size_t i = 0; i < 32; ++i) {                     \
            out.at[i] = static_cast<std::uint8_t>(expression);     \
        }                                                          \
        return out;                                                \
    }
SAPPER_LANES_OPERATOR(+, a.at[i] + b.at[i])
SAPPER_LANES_OPERATOR(-, a.at[i] - b.at[i])
SAPPER_LANES_OPERATOR(&, a.at[i] & b.at[i])
SAPPER_LANES_OPERATOR(|, a.at[i] | b.at[i])
SAPPER_LANES_OPERATOR(^, a.at[i] ^ b.at[i])
SAPPER_LANES_OPERATOR(==, a.at[i] == b.at[i] ? 255 : 0)
SAPPER_LANES_OPERATOR(!=, a.at[i] != b.at[i] ? 255 : 0)
SAPPER_LANES_OPERATOR(>, a.at[i] > b.at[i] ? 255 : 0)
#undef SAPPER_LANES_OPERATOR

#define SAPPER_LOAD(from) (*reinterpret_cast<const ::sapper::Lanes*>(from))
#define SAPPER_STORE(to, lanes) (*reinterpret_cast<::sapper::Lanes*>(to) = (lanes))
#define SAPPER_MASK(comparison) (comparison)

#endif

}  // namespace sapper
