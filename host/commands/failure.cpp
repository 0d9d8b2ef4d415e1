// One message for each kind of failure.
#include "host/commands/messages.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/io/output_file.hpp"
#include "kernels/device_error.hpp"

#include <cstdio>
#include <new>

namespace tailback::commands {

int tell_failure(std::exception_ptr const& failure) {
    try {
        std::rethrow_exception(failure);
    } catch (io::ReaderGone const&) {
        return reader_gone;
    } catch (base::InputError const& error) {
        std::fprintf(stderr, "tailback: %s\n", error.what());
        return bad_input;
    } catch (kernels::DeviceError const& error) {
        std::fprintf(stderr, "tailback: the device failed (%s); --device cpu does without it\n",
                     base::printable(error.what()).c_str());
        return internal_error;
    } catch (std::bad_alloc const&) {
        std::fprintf(stderr, "tailback: out of memory; a smaller study or network may fit\n");
        return internal_error;
    } catch (std::exception const& error) {
        std::fprintf(stderr, "tailback: internal error (%s); please report it with the command line\n",
                     base::printable(error.what()).c_str());
        return internal_error;
    }
}

}  // namespace tailback::commands
