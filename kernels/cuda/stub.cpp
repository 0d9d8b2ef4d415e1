// Stands in for the CUDA executor in a build without nvcc, and says so.
#ifndef TAILBACK_HAS_CUDA

#include "kernels/audit_executor.hpp"
#include "kernels/device_error.hpp"
#include "kernels/executor.hpp"
#include "kernels/route_packer.hpp"

namespace tailback::kernels {

CudaDevices find_cuda_devices() { return {{}, {}, "this program was built without CUDA"}; }

CudaDevices use_cuda_device() { return find_cuda_devices(); }

bool lists_cuda_device() { return false; }

void prefer_cuda_device(unsigned) {}

std::unique_ptr<Executor> make_cuda_executor(Problem const&, std::optional<CudaTeamKind>, ShapeWishes const&,
                                             DivisionView const*) {
    throw DeviceError(find_cuda_devices().reason);
}

std::unique_ptr<RoutePacker> make_cuda_route_packer(PackProblem const&) {
    throw DeviceError(find_cuda_devices().reason);
}

void audit_on_cuda(AuditView const&, AuditTables const&, std::span<AuditDestination const>, std::span<AuditTally>,
                   AuditSums&) {
    throw DeviceError(find_cuda_devices().reason);
}

}  // namespace tailback::kernels

#endif
