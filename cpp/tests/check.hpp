// A minimal test framework: CHECK prints and counts false conditions.
#pragma once

#include <cstdio>

namespace check {

inline int passed = 0;
inline int failed = 0;

inline void expect(bool holds, const char* condition, const char* file, int line) {
    ++(holds ? passed : failed);
    if (!holds) {
        std::printf("%s:%d: failed: %s\n", file, line, condition);
    }
}

inline int report() {
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 && passed > 0 ? 0 : 1;
}

}  // namespace check

#define CHECK(condition) check::expect(static_cast<bool>(condition), #condition, __FILE__, __LINE__)

#define CHECK_THROWS(expression)                                          \
    do {                                                                  \
        bool thrown = false;                                              \
        try {                                                             \
            static_cast<void>(expression);                                \
        } catch (const std::invalid_argument&) {                          \
            thrown = true;                                                \
        }                                                                 \
        check::expect(thrown, #expression " throws", __FILE__, __LINE__); \
    } while (false)
