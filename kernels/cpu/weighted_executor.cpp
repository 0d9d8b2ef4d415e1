#include "kernels/cpu/weighted_executor.hpp"

#include "kernels/cpu/body_executor.hpp"
#include "kernels/cpu/fast/weighted_rows.hpp"

namespace tailback::kernels {

std::unique_ptr<Executor> make_weighted_executor(Problem const& problem, unsigned threads, CpuVariant variant) {
    std::unique_ptr<Executor> executor;
    if (variant == CpuVariant::fastest) executor = make_weighted_rows_executor(problem, threads);
    return executor ? std::move(executor) : make_body_executor<std::uint64_t>(problem, threads);
}

}  // namespace tailback::kernels
