#include "kernels/cpu/machine/isa.hpp"

#include "kernels/cpu/machine/x86_vectors.hpp"

#include <algorithm>

namespace tailback::kernels {
namespace {

#ifdef TAILBACK_AVX512
bool machine_has_avx2() { return __builtin_cpu_supports("avx2"); }
bool machine_has_avx512() {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#else
bool machine_has_avx2() { return false; }
bool machine_has_avx512() { return false; }
#endif

Isa& chosen_isa() {
    static Isa chosen = isas_here().back();
    return chosen;
}

}  // namespace

std::vector<Isa> isas_here() {
    std::vector<Isa> here = {Isa::portable};
    if (machine_has_avx2()) {
        here.push_back(Isa::avx2);
        if (machine_has_avx512()) here.push_back(Isa::avx512);
    }
    return here;
}

Isa isa() { return chosen_isa(); }

void use_isa(Isa chosen) { chosen_isa() = chosen; }

std::string use_isa(std::string const& word) {
    std::vector<Isa> const here = isas_here();
    for (Isa const candidate : {Isa::portable, Isa::avx2, Isa::avx512}) {
        if (word != name_of(candidate)) continue;
        if (std::find(here.begin(), here.end(), candidate) == here.end())
            return "this machine has no " + word + " instructions";
        use_isa(candidate);
        return {};
    }
    return "there is no instruction set " + word;
}

char const* name_of(Isa isa) {
    static char const* const names[] = {"portable", "avx2", "avx512"};
    return names[static_cast<int>(isa)];
}

}  // namespace tailback::kernels
