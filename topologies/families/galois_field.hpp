// Finite fields of any prime-power order, as tables of logarithms.
#pragma once

#include <cstdint>
#include <vector>

namespace tailback::topologies {

/// GF(q), q = p^k: an element is a number below q whose digits in base p are the coefficients of a polynomial.
class GaloisField {
public:
    /// True when q is a power of a prime, q >= 2.
    static bool exists(std::uint32_t q) { return prime_of(q) != 0; }
    /// `q` for which `exists` holds, at most 2^16.
    explicit GaloisField(std::uint32_t q);

    std::uint32_t order() const { return q_; }
    std::uint32_t add(std::uint32_t a, std::uint32_t b) const;
    std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const;
    std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
        return a == 0 || b == 0 ? 0 : power_[(log_[a] + log_[b]) % (q_ - 1)];
    }
    /// xi^e for a primitive element xi.
    std::uint32_t power_of_primitive(std::uint32_t e) const { return power_[e % (q_ - 1)]; }

private:
    static std::uint32_t prime_of(std::uint32_t q);  // 0 = no prime power
    bool try_polynomial(std::uint32_t low_coefficients);

    std::uint32_t q_, p_, top_;  // top_ = q / p
    std::vector<std::uint32_t> power_, log_;
};

}  // namespace tailback::topologies
