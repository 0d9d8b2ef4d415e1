#pragma once

#include <thrust/device_vector.h>

namespace thrust {

/// To the host; waits for the default stream alone.
template <class T, class Out>
Out copy(device_ptr<T> first, device_ptr<T> last, Out out) {
    if (last - first > 0) emulated_gpu::copy(&*out, first.at, static_cast<std::size_t>(last - first) * sizeof(T));
    return out + (last - first);
}

}  // namespace thrust
