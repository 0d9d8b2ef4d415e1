// Names with numbers in the order in which people count them.
#pragma once

#include <string>

namespace tailback::base {

/// swp2 before swp10.
struct Natural {
    bool operator()(std::string const& a, std::string const& b) const {
        std::size_t i = 0, j = 0;
        auto const digits = [](std::string const& text, std::size_t at) {
            std::size_t end = at;
            while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
            return end - at;
        };
        while (i < a.size() && j < b.size()) {
            std::size_t const n = digits(a, i), m = digits(b, j);
            if (n > 0 && m > 0) {
                if (n != m) return n < m;
                if (int const order = a.compare(i, n, b, j, m); order != 0) return order < 0;
                i += n, j += m;
            } else if (a[i] != b[j]) {
                return a[i] < b[j];
            } else {
                ++i, ++j;
            }
        }
        return a.size() - i < b.size() - j;
    }
};

}  // namespace tailback::base
