#include "topologies/families/galois_field.hpp"

namespace tailback::topologies {

std::uint32_t GaloisField::prime_of(std::uint32_t q) {
    if (q < 2) return 0;
    std::uint32_t p = 2;
    while (std::uint64_t{p} * p <= q && q % p != 0) ++p;
    if (q % p != 0) p = q;
    for (; q % p == 0; q /= p) {
    }
    return q == 1 ? p : 0;
}

std::uint32_t GaloisField::add(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t sum = 0;
    for (std::uint32_t unit = 1; unit < q_; unit *= p_, a /= p_, b /= p_) sum += (a % p_ + b % p_) % p_ * unit;
    return sum;
}

std::uint32_t GaloisField::subtract(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t difference = 0;
    for (std::uint32_t unit = 1; unit < q_; unit *= p_, a /= p_, b /= p_)
        difference += (a % p_ + p_ - b % p_) % p_ * unit;
    return difference;
}

/// Takes powers of x modulo x^k = low(x): when they run through all of the field but 0, x is primitive.
bool GaloisField::try_polynomial(std::uint32_t low) {
    power_.assign(q_ - 1, 0);
    log_.assign(q_, 0);
    std::uint32_t element = 1;
    for (std::uint32_t e = 0; e < q_ - 1; ++e) {
        if (e > 0 && element == 1) return false;
        power_[e] = element;
        log_[element] = e;
        std::uint32_t const carry = element / top_;
        std::uint32_t next = element % top_ * p_;
        for (std::uint32_t c = 0; c < carry; ++c) next = add(next, low);
        element = next;
        if (element == 0) return false;
    }
    return element == 1;
}

GaloisField::GaloisField(std::uint32_t q) : q_(q), p_(prime_of(q)), top_(q / p_) {
    for (std::uint32_t low = 1; low < q_; ++low)
        if (try_polynomial(low)) return;
}

}  // namespace tailback::topologies
