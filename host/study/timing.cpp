#include "host/study/timing.hpp"

#include "host/base/error.hpp"

#include <charconv>
#include <cmath>
#include <utility>

namespace tailback::study {

Duration read_duration(std::string const& option, std::string const& text) {
    Duration duration{.text = text};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), duration.value);
    std::string const unit(end, text.data() + text.size());
    bool known = unit.empty();
    for (auto const& [name, seconds] :
         {std::pair{"ns", 1e-9}, std::pair{"us", 1e-6}, std::pair{"ms", 1e-3}, std::pair{"s", 1.0}})
        if (unit == name) {
            duration.value *= seconds;
            known = duration.in_seconds = true;
        }
    if (error != std::errc() || !known || !std::isfinite(duration.value) || duration.value < 0)
        throw base::InputError({}, option + ": \"" + text.substr(0, 40) + "\" is no time", "",
                               "write a number with ns, us, ms or s; or one alone, where times have no unit");
    return duration;
}

}  // namespace tailback::study
