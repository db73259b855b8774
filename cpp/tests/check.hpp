// A test is a function that calls CHECK; a false one is printed and counted.
#pragma once

#include <cstdio>

namespace check {

inline int passed = 0;
inline int failed = 0;

inline void that(bool holds, const char* claim, const char* file, int line) {
    ++(holds ? passed : failed);
    if (!holds) {
        std::printf("%s:%d: does not hold: %s\n", file, line, claim);
    }
}

inline int report() {
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace check

#define CHECK(claim) check::that(static_cast<bool>(claim), #claim, __FILE__, __LINE__)

#define CHECK_THROWS(expression)                                             \
    do {                                                                     \
        bool thrown = false;                                                 \
        try {                                                                \
            static_cast<void>(expression);                                   \
        } catch (const std::invalid_argument&) {                             \
            thrown = true;                                                   \
        }                                                                    \
        check::that(thrown, #expression " throws", __FILE__, __LINE__);      \
    } while (false)
