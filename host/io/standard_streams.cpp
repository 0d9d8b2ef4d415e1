// Closed standard descriptors get /dev/null the wrong way round: using them stays an error.
#include "host/io/standard_streams.hpp"

#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace tailback::io {

void secure_standard_streams() {
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit is an error of `write`, EFBIG
    for (int descriptor = 0; descriptor <= 2; ++descriptor)
        if (::fcntl(descriptor, F_GETFD) < 0) (void)!::open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

}  // namespace tailback::io
