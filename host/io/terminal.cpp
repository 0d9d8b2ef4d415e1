#include "host/io/terminal.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <unistd.h>

namespace tailback::io {

std::size_t terminal_columns(int descriptor, std::size_t otherwise) {
    constexpr std::size_t least = 60, most = 200;
    if (::isatty(descriptor) != 1) return otherwise;
    struct winsize size {};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return std::clamp<std::size_t>(size.ws_col, least, most);
    char const* const text = std::getenv("COLUMNS");
    if (text == nullptr) return otherwise;
    char const* const end = text + std::strlen(text);
    std::size_t columns = 0;
    auto const [at, error] = std::from_chars(text, end, columns);
    return at == end && error == std::errc() && columns > 0 ? std::clamp(columns, least, most) : otherwise;
}

std::size_t help_columns() { return std::max(usual_columns, terminal_columns(STDOUT_FILENO)); }

}  // namespace tailback::io
