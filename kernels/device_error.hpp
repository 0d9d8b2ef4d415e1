// What a device cannot do, and the CPU can.
#pragma once

#include <stdexcept>

namespace tailback::kernels {

/// A device that does not do what it is asked: its memory is full, a kernel has broken it, it is gone. Whoever catches
/// this can go on with the CPU.
class DeviceError : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

}  // namespace tailback::kernels
