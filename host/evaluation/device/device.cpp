#include "host/evaluation/device/device.hpp"

#include "host/base/error.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "kernels/device_error.hpp"
#include "kernels/executor.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <type_traits>

namespace tailback::evaluation {
namespace {

/// Packs on a device for as long as it does what it is asked, and then on the CPU.
class YieldingPacker final : public kernels::RoutePacker {
public:
    explicit YieldingPacker(kernels::PackProblem const& problem) : problem_(problem) {
        try {
            packer_ = kernels::make_cuda_route_packer(problem);
        } catch (kernels::DeviceError const&) {
            packer_ = kernels::make_cpu_route_packer(problem);
        }
    }
    kernels::PairSums look(std::uint32_t step) override {
        return yielding([&] { return packer_->look(step); });
    }
    kernels::PairSums pack_rows(std::byte* rows, std::uint32_t width, bool slots32) override {
        return yielding([&] { return packer_->pack_rows(rows, width, slots32); });
    }
    void pack_steps(std::uint32_t* steps) override {
        yielding([&] { packer_->pack_steps(steps); });
    }
    std::shared_ptr<kernels::DeviceRows const> on_device() const override { return packer_->on_device(); }

private:
    /// `work` starts anew on the CPU, which never throws DeviceError.
    template <class Work>
    std::invoke_result_t<Work> yielding(Work&& work) {
        try {
            return work();
        } catch (kernels::DeviceError const&) {
            packer_ = kernels::make_cpu_route_packer(problem_);
        }
        return work();
    }
    kernels::PackProblem problem_;
    std::unique_ptr<kernels::RoutePacker> packer_;
};

/// Tries devices until one can be used. @throws InputError where none can and `cuda` was asked for
ChosenDevice usable_device(DeviceChoice choice) {
    kernels::CudaDevices const found = kernels::use_cuda_device();
    if (!found.names.empty()) return {found.names.front(), ""};
    if (choice == DeviceChoice::cuda)
        throw base::InputError({}, found.refused.empty() ? "there is no CUDA device" : "no CUDA device can be used",
                               found.reason, "use --device cpu or --device auto");
    if (found.refused.empty()) return {};
    return {"", fmt::format("no CUDA device is used ({})", fmt::join(found.refused, "; "))};
}

std::unique_ptr<kernels::RoutePacker> make_automatic_packer(kernels::PackProblem const& problem) {
    Work const work{rate_of(WorkKind::packing),
                    double(problem.view.group_count) * double(problem.view.destination_count)};
    if (chosen_device(DeviceChoice::automatic, work, kernels::threads_to_use(0)).cuda.empty())
        return kernels::make_cpu_route_packer(problem);
    return std::make_unique<YieldingPacker>(problem);
}

}  // namespace

void check_device(DeviceChoice choice) {
    if (choice == DeviceChoice::cuda) usable_device(choice);
}

void choose_device(DeviceChoice choice, Processes const& processes) {
    if (choice != DeviceChoice::cpu) kernels::prefer_cuda_device(processes.local_rank());
}

ChosenDevice chosen_device(DeviceChoice choice, Work const& work, unsigned threads) {
    if (choice == DeviceChoice::cpu) return {};
    if (choice == DeviceChoice::cuda) return usable_device(choice);
    Advice const advice = advise(work.rate, work.core_seconds(), threads);
    if (advice.cuda) return usable_device(choice);
    if (advice.against.empty() || !kernels::lists_cuda_device()) return {};
    return {"", fmt::format("on the CPU: {} (--device cuda asks for the GPU all the same)", advice.against)};
}

std::string note_of_failure(std::exception const& error) {
    return fmt::format("no CUDA device is used ({})", error.what());
}

kernels::MakeRoutePacker route_packer_on(DeviceChoice choice) {
    switch (choice) {
        case DeviceChoice::automatic: return make_automatic_packer;
        case DeviceChoice::cuda: return kernels::make_cuda_route_packer;
        case DeviceChoice::cpu: break;
    }
    return kernels::make_cpu_route_packer;
}

}  // namespace tailback::evaluation
