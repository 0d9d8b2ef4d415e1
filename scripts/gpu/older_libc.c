/* What Debian 12's static libraries take from its C library (2.36), for programs that are to run with older ones
   as well: libstdc++ for std::random_device, libexpat for its hash tables. Linked by scripts/gpu-carry. */
#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

void arc4random_buf(void* out, size_t bytes) {
    char* at = out;
    while (bytes > 0) {
        ssize_t const got = getrandom(at, bytes, 0);
        if (got < 0) continue; /* a signal came between */
        at += got;
        bytes -= (size_t)got;
    }
}

uint32_t arc4random(void) {
    uint32_t number;
    arc4random_buf(&number, sizeof number);
    return number;
}
