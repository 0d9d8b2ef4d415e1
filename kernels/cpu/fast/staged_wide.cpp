// Stages for more than 65,536 seats.
#include "kernels/cpu/fast/staged_executor.hpp"

namespace tailback {

template std::unique_ptr<Executor> make_staged_executor<std::uint32_t>(Problem const&, unsigned);

}  // namespace tailback
