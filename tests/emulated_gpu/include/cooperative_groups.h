#pragma once

#include <cuda_runtime.h>

namespace cooperative_groups {

class cluster_group {
public:
    unsigned num_blocks() const { return emulated_gpu::blocks_of_cluster(); }
    unsigned block_rank() const { return emulated_gpu::block_of_cluster(); }
    void sync() const { emulated_gpu::meet_cluster(); }
    template <class T>
    T* map_shared_rank(T* own, unsigned rank) const {
        return static_cast<T*>(emulated_gpu::shared_of(const_cast<std::remove_const_t<T>*>(own), rank));
    }
};

inline cluster_group this_cluster() { return {}; }

}  // namespace cooperative_groups
