// The instruction set that the CPU's kernels use: decided once, here.
#pragma once

#include <string>
#include <vector>

namespace tailback::kernels {

/// What some stages have a form of their own for: plain C++; AVX2; AVX-512 (F, BW, DQ, VL).
enum class Isa { portable, avx2, avx512 };

/// Those that this machine has, the best last.
std::vector<Isa> isas_here();
/// The one in use: the best, unless use_isa() chose another.
Isa isa();
inline bool has_avx512() { return isa() == Isa::avx512; }
inline bool has_avx2() { return isa() >= Isa::avx2; }

/// From now on this one, which must be among isas_here(). Not while executors exist.
void use_isa(Isa chosen);
/// By its word: portable, avx2 or avx512. @return what is wrong with the word, empty where nothing is.
std::string use_isa(std::string const& word);
/// `portable`, `avx2`, `avx512`
char const* name_of(Isa isa);

}  // namespace tailback::kernels
