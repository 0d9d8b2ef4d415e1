// Stages for up to 65,536 seats.
#include "kernels/cpu/fast/staged_executor.hpp"

namespace tailback {

template std::unique_ptr<Executor> make_staged_executor<std::uint16_t>(Problem const&, unsigned);

}  // namespace tailback
